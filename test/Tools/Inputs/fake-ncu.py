#!/usr/bin/env python3
# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pretends to be ncu: knows not every metric, and counts 10 of each that it knows."""

import sys

arguments = dict(zip(sys.argv[1:], sys.argv[2:]))
metrics = arguments["--metrics"].split(",")
if arguments["--kernel-name"] == "forbidden":
    print("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters")
    sys.exit(1)
unknown = [m for m in metrics if "ldgsts" in m or m.startswith("sm__inst_executed_pipe_tensor.")]
if unknown:
    print(f"==ERROR== Failed to find metric {unknown[0]}")
    sys.exit(1)
print("==PROF== Connected to process 1\nf result 0: (4, 4), first 1.0\n==PROF== Disconnected from process 1")
print('"ID","Kernel Name",' + ",".join(f'"{m}"' for m in metrics))
print('"","",' + ",".join('"byte"' for m in metrics))
values = ["n/a" if "excessive" in m else "1,234,567" if m.startswith("dram__bytes_read") else "10" for m in metrics]
print(f'"0","{arguments["--kernel-name"]}",' + ",".join(f'"{v}"' for v in values))
