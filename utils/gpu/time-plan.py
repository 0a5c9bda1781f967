#!/usr/bin/env python3
"""Times what make-bench.py compiled beside torch.matmul and a Triton kernel, in one process.

    utils/gpu/time-plan.py BENCH [--json=bench.jsonl] [--only=REGEX] [--seconds=S] [--no-triton]

For each case: the result is checked, then all contenders are timed on the same
random normal inputs, in interleaved blocks (timing.py says how). PyTorch and
Triton take their own best; the Triton kernel is autotuned first. A case that is
wrong, or fails, is a row that says so, and makes the exit status 1. One JSON
object a line goes to --json, a Markdown table to stdout at the end.
"""

import argparse
import json
import math
import pathlib
import re
import sys
import time

import timing
from timing import torch

try:
    import triton_matmul
except ImportError:
    triton_matmul = None


def time_case(case, folder, driver, nvml, with_triton, seed):
    """The row of a case."""
    row = {"kind": "case", **{key: case[key] for key in ("name", "m", "n", "k", "batch", "transpose_a", "transpose_b",
                                                         "schedule", "report")}}
    if case["error"]:
        return {**row, "type": "tf32" if case["tf32"] else case["type"], "error": f"not compiled: {case['error']}"}
    product = timing.Product(case, seed)
    row.update(type=product.kind, flops=product.flops, bytes=product.bytes, sets=product.count,
               cached=product.cached, error=None)
    torch.backends.cuda.matmul.allow_tf32 = product.kind == "tf32"
    plan = json.loads((folder / (case["name"] + ".json")).read_text())["functions"][0]
    ours = timing.Plan(driver, (folder / (case["name"] + ".ptx")).read_bytes(), plan, product.sets)
    calls = {"ours": ours, "torch": lambda i: torch.matmul(*product.operands(i)[:2], out=product.operands(i)[2])}
    try:
        row["error"] = product.check(ours)
        if row["error"]:
            del calls["ours"]
        if with_triton:
            precision = "tf32" if product.kind == "tf32" else "ieee"
            calls["triton"] = lambda i: triton_matmul.matmul(*product.operands(i), precision)
            try:
                error = product.check(calls["triton"])
                row["triton_config"] = triton_matmul.best()
            except Exception as exception:  # whatever its compiler raises is no fault of ours
                error = f"{type(exception).__name__}: {exception}".splitlines()[0]
                if timing.is_lost(error):
                    raise RuntimeError(f"Triton: {error}") from exception
            if error:
                row["triton_error"] = error
                del calls["triton"]
        row.update(timing.measure(calls, product, nvml))
    finally:
        torch.cuda.synchronize()
        ours.close()
    for peer in ("torch", "triton"):
        if "ours" in row and peer in row:
            row[f"ratio_{peer}"] = row[peer]["p50_us"] / row["ours"]["p50_us"]
    return row


def report(rows):
    """The Markdown table."""
    header = ["case", "M x N x K", "type", "mean (us)", "P50 (us)", "P95 (us)", "min (us)", "TFLOP/s", "GB/s",
              "MHz", "W", "PyTorch (TFLOP/s)", "Triton (TFLOP/s)", "of PyTorch", "of Triton"]
    lines = []
    for row in rows:
        size = " x ".join(str(row[d]) for d in ("batch", "m", "n", "k") if row[d] is not None)
        cells = [row["name"], size, row["type"]]
        ours = row.get("ours")
        if ours:
            cells += [timing.text(ours[key]) for key in ("mean_us", "p50_us", "p95_us", "min_us", "tflops")]
            cells += [timing.text(ours[key], "{:.0f}") for key in ("gbs", "mhz", "watts")]
        else:
            cells += [row["error"]] + ["-"] * 7
        cells += [timing.text(row[peer]["tflops"] if peer in row else None) for peer in ("torch", "triton")]
        cells += [timing.text(row.get(f"ratio_{peer}"), "{:.3f}") for peer in ("torch", "triton")]
        lines.append(cells)
    for kind in [None] + sorted({row["type"] for row in rows}):
        of_kind = [row for row in rows if kind in (None, row["type"])]
        means = [timing.geometric_mean(row[f"ratio_{peer}"] for row in of_kind if f"ratio_{peer}" in row)
                 for peer in ("torch", "triton")]
        counted = sum("ratio_torch" in row for row in of_kind)
        lines.append([f"geometric mean of {counted}", "", kind or "all"] + [""] * 10 +
                     [timing.text(value, "{:.3f}") for value in means])
    return timing.table(header, lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bench", metavar="BENCH", help="folder of make-bench.py")
    parser.add_argument("--json", default="bench.jsonl", metavar="FILE", help="rows (default: bench.jsonl)")
    parser.add_argument("--only", default="", metavar="REGEX", help="cases whose name matches")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no case after this long, and say so")
    parser.add_argument("--no-triton", action="store_true", help="leave out Triton, whose autotuning takes long")
    options = parser.parse_args()
    folder = pathlib.Path(options.bench)
    try:
        cases = [c for c in json.loads((folder / "cases.json").read_text()) if re.search(options.only, c["name"])]
    except (OSError, ValueError) as error:
        parser.error(f"'{folder}' is no folder of make-bench.py: {error}")
    except re.error as error:
        parser.error(f"--only: '{options.only}' is no regular expression: {error}")
    if not cases:
        parser.error(f"no case matches --only={options.only}")
    driver, nvml = timing.start()
    about = timing.about()
    with_triton = triton_matmul is not None and not options.no_triton
    begin, rows = time.time(), []
    with open(options.json, "w") as file:
        for index, case in enumerate(cases):
            if time.time() - begin > options.seconds:
                break
            lost = False
            try:
                row = time_case(case, folder, driver, nvml, with_triton, seed=index)
            except RuntimeError as error:  # of the driver and of PyTorch, out of memory included
                row = {"kind": "case", "error": str(error).splitlines()[0],
                       **{key: case[key] for key in ("name", "m", "n", "k", "batch", "type")}}
                lost = timing.is_lost(error)
            rows.append(row)
            file.write(json.dumps({**row, **about}) + "\n")
            file.flush()
            told = [f"{name} {timing.text(row[name]['tflops'])}" for name in ("ours", "torch", "triton") if name in row]
            print(f"[{time.time() - begin:.0f} s] {index + 1} of {len(cases)} {case['name']}: "
                  f"{', '.join(told) or 'no'} TFLOP/s{'; ' + row['error'] if row['error'] else ''}",
                  file=sys.stderr, flush=True)
            if lost:
                print("the context is lost; stopping", file=sys.stderr)
                break
            torch.cuda.empty_cache()
    print(report(rows))
    failed = sum(row["error"] is not None for row in rows)
    print(f"\n{len(rows)} of {len(cases)} cases on {about['device']}, {failed} failed, "
          f"PyTorch {about['torch_version']}, {time.time() - begin:.0f} s")
    return 1 if failed or len(rows) < len(cases) else 0


if __name__ == "__main__":
    sys.exit(main())
