#!/usr/bin/env python3
# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the convolutions of the edge cases, and those of faults that others met,
on the simulated GPU, each compared with the reference: whole, cut by top-tile,
and in f16 and tf32. The completion of asynchronous copies goes round the three
modes, one a case, unless --all-modes is given. Prints the cases that are wrong,
and how many ran.

    conv-edge-cases.py PATH-TO-UTILS/gpu FOLDER TOP-OPT TOP-RUN [--all-modes] [--large] [--only=REGEX]
"""

import math
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
import conv_cases  # noqa: E402
import convs  # noqa: E402

folder, opt, run = pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
flags = sys.argv[5:]
only = next((flag.split("=", 1)[1] for flag in flags if flag.startswith("--only=")), "")
modes = ["eager", "lazy", "random"]
# More multiplications than that take seconds to simulate: with --large only.
MOST_PRODUCTS = 2_000_000
done, left_out, wrong = 0, 0, []
for case in list(conv_cases.edge_cases(large=False)) + list(conv_cases.fault_cases()):
    if not re.search(only, case["name"]):
        continue
    if math.prod(convs.shapes(case)[2]) * convs.depth(case) > MOST_PRODUCTS and "--large" not in flags:
        left_out += 1
        continue
    whole = folder / (case["name"] + ".mlir")
    whole.write_text(convs.to_mlir(case))
    command = [run, str(whole), "--target=sim", "--verify", "--guard=nan"]
    if case.get("tile"):
        tiled = folder / (case["name"] + ".tiled.mlir")
        subprocess.run([opt, str(whole), "--top-tile=" + case["tile"], "-o", str(tiled)], check=True)
        command[1:2] = [str(tiled), f"--reference={whole}"]
    for mode in modes if "--all-modes" in flags else [modes[done % 3]]:
        result = subprocess.run(command + [f"--sim-mode={mode}"], capture_output=True, text=True)
        if result.returncode != 0:
            wrong.append(case["name"])
            text = (result.stdout + result.stderr).strip().splitlines()
            print("WRONG", case["name"], mode, text[0] if text else result.returncode)
    done += 1
print(f"{done} cases, {len(wrong)} wrong, {left_out} left out for their size")
sys.exit(1 if wrong else 0)
