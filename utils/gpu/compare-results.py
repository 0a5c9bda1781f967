#!/usr/bin/env python3
# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what kernels compute on a card with what they compute on the simulated GPU, bit by bit.

    utils/gpu/compare-results.py CASES --target=gpu --record=results.jsonl   # on the device machine
    utils/gpu/compare-results.py results.jsonl                               # anywhere

CASES are those of make-cases.py (cases.json), or rows that --record wrote. Each
product is compiled and run by top-run, with inputs that are multiples of 1/8: its
sums are exact in every order, so that the results must be equal. Without --record
the digests of the results are compared with those of the rows.

exit status: 0 all right and equal; 1 not; 2 usage
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import products

SHOWN = 20  # failures that are printed


def run(case, options):
    """Digest of the result and None, or None and what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        source, report = pathlib.Path(folder) / "product.mlir", pathlib.Path(folder) / "report.json"
        source.write_text(products.to_mlir(case))
        command = [options.top_run, str(source), f"--target={options.target}", "--verify", "--fill=eighths",
                   f"--seed={options.seed}", f"--json={report}"]
        if options.chip:
            command.append(f"--chip={options.chip}")
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        except subprocess.TimeoutExpired:
            return None, "takes longer than 120 s"
        if done.returncode:
            return None, (done.stderr or done.stdout).strip().split("\n")[0]
        return json.loads(report.read_text())["results"][0]["digest"], None


def main():
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases")
    parser.add_argument("--target", choices=["gpu", "sim"], default="sim")
    parser.add_argument("--chip", default="", help="of top-run; for sim as the card's, if it is to be the same kernel")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a regular expression for names of cases")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th case")
    parser.add_argument("--record", metavar="ROWS", help="write the digests here instead of comparing them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--top-run", default=str(root / "build/bin/top-run"))
    options = parser.parse_args()
    if options.every < 1:
        parser.error(f"expected '--every' to be at least 1, got {options.every}")
    try:
        text = pathlib.Path(options.cases).read_text()
        cases = json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]
        cases = [case for case in cases if re.search(options.only, case["name"])][::options.every]
    except (OSError, ValueError) as error:
        parser.error(f"cannot read the cases: {error}")
    usable = [case for case in cases if not case["without"]]  # top-run leaves no level out
    if not usable or not (options.record or all("digest" in case for case in usable)):
        parser.error(f"'{options.cases}' has no case to {'record' if options.record else 'compare with'}")
    rows, failures = [], []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case, (digest, error) in zip(usable, pool.map(lambda case: run(case, options), usable)):
            if error:
                failures.append(f"FAIL {case['name']}: {error}")
            elif options.record:
                rows.append({**case, "digest": digest})
            elif digest != case["digest"]:
                failures.append(f"FAIL {case['name']}: another result than the recorded one")
    if options.record:
        pathlib.Path(options.record).write_text("".join(json.dumps(row) + "\n" for row in rows))
    print("\n".join(failures[:SHOWN] + [f"{len(failures) - SHOWN} more"] * (len(failures) > SHOWN)) or "no failure")
    print(f"{len(usable) - len(failures)} of {len(usable)} products "
          f"{'recorded' if options.record else 'equal'}, {len(cases) - len(usable)} left out")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
