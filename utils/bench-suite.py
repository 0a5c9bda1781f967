#!/usr/bin/env python3
# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the shapes of test/bench/suite.json on a GPU, products beside cuBLAS.

Each case is a file of one layer op, which `top-run --bench --baseline=cublas
--verify` compiles, compares with the reference and times. A line of JSON a case
goes to --out, a Markdown table of all to stdout (or --table). A case that does
not compile, gives wrong numbers or runs out of time is a row that says so.
Convolutions (--kind=conv) are timed alone, with the filter an argument; beside
cuDNN, with constant filters, utils/gpu/time-conv.py times them.

  utils/bench-suite.py --core --out=results.jsonl
  utils/bench-suite.py --only='^sq' --dtype=f16,bf16
  utils/bench-suite.py --dry-run --core          # compiles to PTX, needs no GPU
  utils/bench-suite.py --report=results.jsonl    # the table once more

exit status: 0 all right; 1 a case is wrong or failed; 2 usage; 3 no device or
no cuBLAS
"""

import argparse
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NO_KERNEL = "no GPU kernel yet"


def die(text, status=2):
    print(f"bench-suite: error: {text}", file=sys.stderr)
    sys.exit(status)


# --- cases -------------------------------------------------------------------


def tensor(shape, element):
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + element + ">"


def matmul_text(name, case, dtype):
    """A function of one product. tf32 is f32 that may be rounded to it."""
    element = "f32" if dtype == "tf32" else dtype
    batch = [case["b"]] if case["b"] > 1 else []
    m, n, k = case["m"], case["n"], case["k"]
    lhs = tensor(batch + ([k, m] if case["transpose_a"] else [m, k]), element)
    rhs = tensor(batch + ([n, k] if case["transpose_b"] else [k, n]), element)
    result = tensor(batch + [m, n], element)
    attributes = [f"{key} = true" for key in ("transpose_a", "transpose_b") if case[key]]
    if dtype == "tf32":
        attributes.append("allow_tf32")
    attributes = " {" + ", ".join(attributes) + "}" if attributes else ""
    return (f"func.func @{name}(%a: {lhs}, %b: {rhs}) -> {result} {{\n"
            f"  %c = top.MatMul %a, %b{attributes} : ({lhs}, {rhs}) -> {result}\n"
            f"  return %c : {result}\n}}\n")


def conv_text(name, case, dtype):
    element = "f32" if dtype == "tf32" else dtype
    (sh, sw), (dh, dw), (top, left, bottom, right) = case["strides"], case["dilations"], case["pads"]
    oh = (case["h"] + top + bottom - (case["kh"] - 1) * dh - 1) // sh + 1
    ow = (case["w"] + left + right - (case["kw"] - 1) * dw - 1) // sw + 1
    x = tensor([case["n"], case["c"], case["h"], case["w"]], element)
    w = tensor([case["f"], case["c"] // case["group"], case["kh"], case["kw"]], element)
    y = tensor([case["n"], case["f"], oh, ow], element)
    attributes = ", ".join(
        [f"{key} = array<i64: {', '.join(map(str, case[key]))}>" for key in ("strides", "pads", "dilations")] +
        [f"group = {case['group']} : i64"] + ["allow_tf32"] * (dtype == "tf32"))
    return (f"func.func @{name}(%x: {x}, %w: {w}) -> {y} {{\n"
            f"  %y = top.Conv2D %x, %w {{{attributes}}} : ({x}, {w}) -> {y}\n"
            f"  return %y : {y}\n}}\n")


def describe(kind, case):
    """The sizes, as the table shows them."""
    if kind == "conv":
        size = f"{case['n']}x{case['c']}x{case['h']}x{case['w']} F={case['f']} {case['kh']}x{case['kw']}"
        return size + (f" g={case['group']}" if case["group"] > 1 else "")
    size = f"{case['m']} {case['n']} {case['k']}"
    if case["b"] > 1:
        size = f"{case['b']} x " + size
    letters = "".join("T" if case[key] else "N" for key in ("transpose_a", "transpose_b"))
    return size + ("" if letters == "NN" else " " + letters)


def select(args):
    """(kind, case, dtype) of what was asked for, in the order of the suite."""
    try:
        with open(args.suite) as file:
            suite = json.load(file)
    except (OSError, ValueError) as error:
        die(f"cannot read '{args.suite}': {error}")
    try:
        only = re.compile(args.only)
    except re.error as error:
        die(f"'--only' is not a regular expression: {error}")
    kinds = ["matmul", "conv"] if args.kind == "all" else [args.kind]
    dtypes = args.dtype.split(",") if args.dtype else None
    known = {dtype for kind in ("matmul", "conv") for case in suite[kind] for dtype in case["dtypes"]}
    for dtype in dtypes or []:
        if dtype not in known:
            die(f"no case has dtype '{dtype}', expected {', '.join(sorted(known))}")
    chosen = [(kind, case, dtype) for kind in kinds for case in suite[kind] for dtype in case["dtypes"]
              if only.search(case["name"]) and (case["core"] or not args.core) and (not dtypes or dtype in dtypes)]
    if not chosen:
        die("no case is chosen")
    return chosen


# --- running -----------------------------------------------------------------


def run_command(command, seconds, show):
    """Exit status (None: out of time), and the lines of stdout and stderr. Lines
    of stderr are shown as they come."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               errors="replace", start_new_session=True)
    lines = {"out": [], "err": []}

    def drain(stream, into, visible):
        for line in stream:
            into.append(line.rstrip("\n"))
            if visible:
                print("    " + line.rstrip("\n"), file=sys.stderr, flush=True)

    threads = [threading.Thread(target=drain, args=(process.stdout, lines["out"], False)),
               threading.Thread(target=drain, args=(process.stderr, lines["err"], show))]
    for thread in threads:
        thread.start()
    try:
        status = process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        status = None
    except BaseException:  # an interrupt must not leave it running
        os.killpg(process.pid, signal.SIGKILL)
        raise
    if status is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for thread in threads:
        thread.join()
    return status, lines["out"], lines["err"]


def first_error(lines):
    for line in lines:
        match = re.search(r"error: (.*)", line)
        if match:
            return match.group(1)
    return lines[-1] if lines else "no output"


def run_case(args, folder, kind, case, dtype):
    """The record of one case."""
    name = re.sub(r"\W", "_", f"{case['name']}_{dtype}")
    path = os.path.join(folder, name + ".mlir")
    with open(path, "w") as file:
        file.write((matmul_text if kind == "matmul" else conv_text)(name, case, dtype))
    record = {"case": case["name"], "kind": kind, "dtype": dtype, "size": describe(kind, case),
              "shape": {key: value for key, value in case.items() if key not in ("name", "dtypes", "core", "why")}}
    report = os.path.join(folder, name + ".json")
    if args.dry_run:
        command = [args.top_compile, path, f"--chip={args.chip or 'sm_90a'}", "-o", os.path.join(folder, name + ".ptx")]
    else:
        command = [args.top_run, path, "--target=gpu", "--bench", "--verify", "--fill=normal", f"--json={report}"]
        if args.baseline != "none" and kind == "matmul":
            command.append(f"--baseline={args.baseline}")
        if args.chip:
            command.append(f"--chip={args.chip}")
        if args.samples:
            command.append(f"--samples={args.samples}")
    start = time.monotonic()
    try:
        status, out, err = run_command(command, args.seconds_per_case, show=not args.quiet)
    except OSError as error:
        die(f"cannot run '{command[0]}': {error}")
    record["wall_seconds"] = round(time.monotonic() - start, 3)
    record["exit_status"] = status
    if not args.dry_run and os.path.exists(report):
        with open(report) as file:
            record["report"] = json.load(file)
    if status == 0:
        record["status"] = "compiled" if args.dry_run else "right"
    elif status is None:
        record["status"], record["reason"] = "TIMEOUT", f"more than {args.seconds_per_case:g} s"
    elif kind == "conv" and any("there are no kernels for it yet" in line for line in err):
        record["status"] = NO_KERNEL
    elif record.get("report", {}).get("status") == "FAIL":
        record["status"], record["reason"] = "WRONG", out[-1] if out else ""
    else:
        record["status"], record["reason"] = "FAILED", first_error(err)
    return record


# --- the table ---------------------------------------------------------------

COLUMNS = ["case", "dtype", "M N K", "mean us", "P50 us", "P95 us", "min us", "TFLOP/s", "GB/s", "roofline",
           "cuBLAS us", "cuBLAS TFLOP/s", "ratio", "MHz", "right?"]


def is_good(record):
    return record["status"] in ("right", "compiled", NO_KERNEL)


def number(value, scale=1.0, text="{:.4g}"):
    return "" if value is None else text.format(value * scale)


def row(record):
    bench = record.get("report", {}).get("bench", {})
    other = bench.get("baseline", {})
    verdict = record["status"]
    if record.get("reason"):
        verdict += ": " + record["reason"]
    return [record["case"], record["dtype"], record["size"],
            number(bench.get("mean_seconds"), 1e6), number(bench.get("p50_seconds"), 1e6),
            number(bench.get("p95_seconds"), 1e6), number(bench.get("min_seconds"), 1e6),
            number(bench.get("flop_per_second"), 1e-12), number(bench.get("bytes_per_second"), 1e-9),
            number(bench.get("roofline_share"), 100, "{:.1f} %"),
            number(other.get("p50_seconds"), 1e6), number(other.get("flop_per_second"), 1e-12),
            number(bench.get("ratio"), 1, "{:.3f}"), number(bench.get("sm_mhz"), 1, "{:.0f}"),
            verdict.replace("|", "\\|")]


def get_ratios(records):
    ratios = [record.get("report", {}).get("bench", {}).get("ratio") for record in records]
    return [ratio for ratio in ratios if ratio]


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def make_table(records):
    lines = ["| " + " | ".join(COLUMNS) + " |",
             "|" + "|".join("---" if c in ("case", "dtype", "M N K", "right?") else "--:" for c in COLUMNS) + "|"]
    lines += ["| " + " | ".join(row(record)) + " |" for record in records]
    without = sum(record["status"] == NO_KERNEL for record in records)
    good = sum(map(is_good, records)) - without
    lines += ["", f"{good} of {len(records)} cases in order" +
              (f", {without} without a GPU kernel." if without else ".")]
    ratios = get_ratios(records)
    if ratios:
        parts = [f"{geometric_mean(ratios):.3f} over {len(ratios)} of {len(records)} cases"]
        for dtype in dict.fromkeys(record["dtype"] for record in records):
            of_type = get_ratios(r for r in records if r["dtype"] == dtype)
            if of_type:
                parts.append(f"{dtype} {geometric_mean(of_type):.3f}")
        lines.append(f"Geometric mean of the ratios (cuBLAS / ours at P50; above 1 ours is faster): {', '.join(parts)}.")
    devices = sorted({r["report"]["device"] for r in records if r.get("report", {}).get("device")})
    if devices:
        lines.append(f"Device: {', '.join(devices)}.")
    return "\n".join(lines) + "\n"


def write_table(args, records):
    table = make_table(records)
    if args.table:
        with open(args.table, "w") as file:
            file.write(table)
    else:
        sys.stdout.write(table)
        sys.stdout.flush()


# --- main --------------------------------------------------------------------


def find_tool(given, name):
    built = os.path.join(ROOT, "build/bin", name)
    path = given or (built if os.access(built, os.X_OK) else shutil.which(name))
    if not path or not shutil.which(path):
        die(f"no executable '{given or name}'; give its path with --{name}")
    return path


def summarize(record):
    bench = record.get("report", {}).get("bench", {})
    text = record["status"]
    if "p50_seconds" in bench:
        text += f", {bench['p50_seconds'] * 1e6:.4g} us, {bench.get('flop_per_second', 0) * 1e-12:.4g} TFLOP/s"
    if "ratio" in bench:
        text += f", ratio {bench['ratio']:.3f}"
    if record.get("reason"):
        text += ": " + record["reason"]
    return f"{text} ({record['wall_seconds']:.1f} s)"


def run_suite(args):
    if args.dry_run:
        args.top_compile = find_tool(args.top_compile, "top-compile")
    else:
        args.top_run = find_tool(args.top_run, "top-run")
    cases = select(args)
    records = []
    folder = args.keep or tempfile.mkdtemp(prefix="bench-suite-")
    os.makedirs(folder, exist_ok=True)
    try:
        out = open(args.out, "w") if args.out else None
        for index, (kind, case, dtype) in enumerate(cases):
            print(f"[{index + 1}/{len(cases)}] {case['name']} {dtype} {describe(kind, case)}",
                  file=sys.stderr, flush=True)
            record = run_case(args, folder, kind, case, dtype)
            records.append(record)
            print("    " + summarize(record), file=sys.stderr, flush=True)
            if out:
                out.write(json.dumps(record) + "\n")
                out.flush()
            if record["exit_status"] == 3:  # so it is for all the others
                write_table(args, records)
                die(record["reason"], status=3)
    except OSError as error:
        die(str(error))
    finally:
        if not args.keep:
            shutil.rmtree(folder, ignore_errors=True)
    write_table(args, records)
    return 0 if all(map(is_good, records)) else 1


def report(args):
    try:
        with open(args.report) as file:
            records = [json.loads(line) for line in file if line.strip()]
    except (OSError, ValueError) as error:
        die(f"cannot read '{args.report}': {error}")
    write_table(args, records)
    return 0 if all(map(is_good, records)) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default=os.path.join(ROOT, "test/bench/suite.json"), help="the shapes")
    parser.add_argument("--kind", choices=["matmul", "conv", "all"], default="matmul")
    parser.add_argument("--only", default="", metavar="REGEX", help="cases whose name it finds")
    parser.add_argument("--core", action="store_true", help="the quick set")
    parser.add_argument("--dtype", metavar="T,T", help="these types only")
    parser.add_argument("--top-run", metavar="PATH")
    parser.add_argument("--top-compile", metavar="PATH")
    parser.add_argument("--chip", help="to compile for (default: the device's own; sm_90a with --dry-run)")
    parser.add_argument("--baseline", choices=["cublas", "none"], default="cublas")
    parser.add_argument("--samples", type=int, help="elements to compare (default: top-run's)")
    parser.add_argument("--seconds-per-case", type=float, default=120, metavar="S")
    parser.add_argument("--out", metavar="FILE", help="a line of JSON a case")
    parser.add_argument("--table", metavar="FILE", help="the table, instead of stdout")
    parser.add_argument("--keep", metavar="FOLDER", help="leave the cases' files there")
    parser.add_argument("--quiet", action="store_true", help="do not show what the tools say on the way")
    parser.add_argument("--dry-run", action="store_true", help="compile to PTX only")
    parser.add_argument("--report", metavar="FILE", help="print the table of an earlier --out, run nothing")
    args = parser.parse_args()
    if args.seconds_per_case <= 0:
        die("expected '--seconds-per-case' to be above 0")
    return report(args) if args.report else run_suite(args)


if __name__ == "__main__":
    sys.exit(main())
