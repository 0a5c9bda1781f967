#!/usr/bin/env python3
# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What counters.py makes of the answers of an ncu; its folder and that of ncu are the arguments."""

import os
import sys

sys.path.insert(0, sys.argv[1])
os.environ["PATH"] = sys.argv[2] + os.pathsep + os.environ["PATH"]
import counters  # noqa: E402

profiler = counters.Profiler()
fields, error = profiler.count("a.ptx", "a.json", "f_kernel")
for name, value in sorted((fields or {}).items()):
    print(name, value)
print("error", error)
print("unknown", *sorted(profiler.unknown))
for kernel in ("forbidden", "f_kernel"):  # after the first, ncu is not asked again
    print(kernel, *profiler.count("a.ptx", "a.json", kernel))
