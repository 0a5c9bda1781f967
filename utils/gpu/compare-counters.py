#!/usr/bin/env python3
# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what the simulated GPU counts with what Nsight Compute counted on a card.

    utils/gpu/compare-counters.py ROWS.jsonl [--chip=sm_90a] [--top-run=build/bin/top-run] [--only=REGEX]

ROWS are rows of run-ladder.py with counters, whose kernels had all levels of the
pipeline and no copies of operands before them: the product is compiled again and
run by top-run --target=sim. Requests and sectors of global memory and the bank
conflicts of ldmatrix must be the same. All conflicts of reads may be more on the
card, by up to 2 % of its turns of shared memory: its counter also takes turns
lost to other traffic. Writes a Markdown table. No GPU is needed.

exit status: 0 they agree; 1 they do not, or a kernel fails; 2 usage
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

EXACT = {"load_requests": ("global_load", "requests"), "load_sectors": ("global_load", "sectors"),
         "store_requests": ("global_store", "requests"), "store_sectors": ("global_store", "sectors")}
NOISE = 0.02  # of the turns of shared memory


def simulate(row, options):
    """The simulator's counts, by the names of the card's counters."""
    with tempfile.TemporaryDirectory() as folder:
        source, report = pathlib.Path(folder) / "product.mlir", pathlib.Path(folder) / "report.json"
        source.write_text(products.to_mlir(row))
        command = [options.top_run, str(source), "--target=sim", f"--chip={options.chip}", "--sim-report",
                   f"--json={report}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        if done.returncode:
            return None, done.stderr.strip().splitlines()[:1]
        seen = json.loads(report.read_text())["simulation"]
    counts = {name: seen[group][field] for name, (group, field) in EXACT.items()}
    reads = [site for site in seen["sites"] if site["access"] == "shared_load"]
    counts["conflicts_ldmatrix"] = sum(s["bank_conflicts"] for s in reads if s["op"] == "nvvm.ldmatrix")
    counts["conflicts_load"] = seen["shared_load"]["bank_conflicts"]
    return counts, None


def disagreements(ours, card):
    wrong = [name for name in [*EXACT, "conflicts_ldmatrix"] if ours[name] != card[name]]
    more = card["conflicts_load"] - ours["conflicts_load"]
    if not 0 <= more <= NOISE * card["wavefronts"]:
        wrong.append("conflicts_load")
    return wrong


def main():
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows")
    parser.add_argument("--chip", default="sm_90a")
    parser.add_argument("--top-run", default=str(root / "build/bin/top-run"))
    parser.add_argument("--only", default="", help="a regular expression for names of rows")
    options = parser.parse_args()
    try:
        rows = [json.loads(line) for line in pathlib.Path(options.rows).read_text().splitlines() if line.strip()]
        rows = [row for row in rows if row.get("counters") and re.search(options.only, row["name"])]
    except (OSError, ValueError) as error:
        parser.error(f"cannot read the rows: {error}")
    usable = [row for row in rows if not row["without"] and "repack = true" not in row["schedule"]]
    if not usable:
        parser.error(f"no row of '{options.rows}' has counters of a kernel with all levels")
    print("| kernel | requests, loads | sectors, loads | requests, stores | sectors, stores | conflicts, ldmatrix "
          "| conflicts, all reads | on the card |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for row, (ours, error) in zip(usable, pool.map(lambda row: simulate(row, options), usable)):
            card = row["counters"]
            name = f"{row['title']}, {row['m']} x {row['n']} x {row['k']} {row['type']}"
            wrong = [f"failed: {error}"] if error else disagreements(ours, card)
            failed += bool(wrong)
            if error:
                print(f"| {name} | {wrong[0]} | - | - | - | - | - | - |")
                continue
            cells = [f"{ours[field]}" + (f" (card: {card[field]})" if field in wrong else "")
                     for field in [*EXACT, "conflicts_ldmatrix", "conflicts_load"]]
            print(f"| {name} | {' | '.join(cells)} | {card['conflicts_load']} |")
    print(f"\n{len(usable) - failed} of {len(usable)} kernels agree with {usable[0]['device']}, "
          f"{len(rows) - len(usable)} rows left out")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
