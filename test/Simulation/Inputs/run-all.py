# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every function of a file on the simulated GPU and checks its numbers.

usage: run-all.py FILE [top-run options]

Buffers are guarded. Prints what top-run says of each function, and fails where
one is not right.
"""

import re
import subprocess
import sys

path, options = sys.argv[1], sys.argv[2:]
names = re.findall(r"^func\.func @(\w+)", open(path).read(), re.M)
failed = 0
for name in names:
    done = subprocess.run(["top-run", path, "--function=" + name, "--target=sim", "--guard=nan"] + options,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout, end="")
    failed += done.returncode != 0
print(f"{len(names)} functions, {failed} failed")
sys.exit(1 if failed or not names else 0)
