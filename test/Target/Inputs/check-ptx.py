# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a file for each chip and lets ptxas assemble the PTX.

usage: check-ptx.py [--may-spill] FILE CHIPS [top-compile options]

CHIPS is a list with commas. Every kernel must assemble without spills and
without a warning of the C75xx kind (instructions that ptxas had to serialise),
and keep nothing in local memory; kernels that use shared memory must do so by
the one external symbol, of which ptxas must not know a size. Prints a line a
chip, with the number of kernels and the most registers. With --may-spill in
front of FILE, spills are no error (kernels without thread tiles have no room).
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile


def find_ptxas():
    for folder in [None, os.environ.get("CUDA_HOME", ""), "/usr/local/cuda"]:
        path = shutil.which("ptxas") if folder is None else os.path.join(folder, "bin", "ptxas")
        if path and os.access(path, os.X_OK):
            return path
    sys.exit("no ptxas")


def check(path, chip, options, folder, ptxas):
    ptx = os.path.join(folder, chip + ".ptx")
    subprocess.run(["top-compile", path, "--chip=" + chip, "-o", ptx] + options, check=True)
    text = open(ptx).read()
    done = subprocess.run([ptxas, "-v", "-arch=" + chip, ptx, "-o", os.path.join(folder, "cubin")],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    errors = []
    if done.returncode:
        errors.append(done.stdout)
    kernels = re.findall(r"^\.visible \.entry (\w+)", text, re.M)
    functions = re.findall(r"Function properties for (\w+)\n\s*(\d+) bytes stack frame, "
                           r"(\d+) bytes spill stores, (\d+) bytes spill loads", done.stdout)
    if not kernels or {f[0] for f in functions} != set(kernels):
        errors.append(f"kernels {kernels}, but ptxas speaks of {[f[0] for f in functions]}")
    for name, stack, stores, loads in functions:
        if not may_spill and (int(stack), int(stores), int(loads)) != (0, 0, 0):
            errors.append(f"{name}: {stack} bytes of stack, {stores} + {loads} bytes spilled")
    errors += re.findall(r".*C75\d\d.*", done.stdout)
    if re.search(r"\.local\b", text):
        errors.append("something is in local memory")
    if re.search(r"cp\.async|bar\.sync", text):
        if not re.search(r"^\.extern \.shared \.align 1024 \.b8 top_shared_memory\[\];", text, re.M):
            errors.append("no external symbol for shared memory")
    for size in re.findall(r"(\d+) bytes smem", done.stdout):
        # On sm_90 ptxas reserves 1024 bytes for itself.
        if int(size) not in (0, 1024):
            errors.append(f"{size} bytes of static shared memory")
    if errors:
        sys.exit("\n".join([f"{path} for {chip}:"] + errors))
    registers = max(map(int, re.findall(r"Used (\d+) registers", done.stdout)))
    spills = sum(int(f[2]) + int(f[3]) for f in functions)
    print(f"{chip}: {len(kernels)} kernels, at most {registers} registers, " +
          (f"{spills} bytes spilled" if spills else "no spills"))


may_spill = sys.argv[1] == "--may-spill"
if may_spill:
    del sys.argv[1]
with tempfile.TemporaryDirectory() as scratch:
    for name in sys.argv[2].split(","):
        check(sys.argv[1], name, sys.argv[3:], scratch, find_ptxas())
