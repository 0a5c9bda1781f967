#!/usr/bin/env python3
"""Times layer ops on one core of this CPU, and the compilation of many tiles.

Each case is a function of one layer op, sent through top-tile (where --tile is
given) and top-cpu-pipeline, and run by mlir-runner for about a second. Prints
the best of the calls.

  utils/bench-cpu.py run [--tile="height=8"] [--only=SUBSTRING]
  utils/bench-cpu.py compile
"""

import argparse
import os
import resource
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LLVM = os.environ.get("LLVM_DIR", "/usr/lib/llvm-22")
TOP_OPT = os.environ.get("TOP_OPT", os.path.join(ROOT, "build/bin/top-opt"))


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def host_vector_bits():
    try:
        flags = open("/proc/cpuinfo").read()
    except OSError:
        return 128
    return 512 if " avx512f " in flags else 256 if " avx " in flags else 128


def conv(n, c, h, w, f, k, stride, pad, element="f32", group=1):
    oh = (h + 2 * pad - k) // stride + 1
    ow = (w + 2 * pad - k) // stride + 1
    types = [f"tensor<{n}x{c}x{h}x{w}x{element}>", f"tensor<{f}x{c // group}x{k}x{k}x{element}>"]
    result = f"tensor<{n}x{f}x{oh}x{ow}x{element}>"
    attributes = (f"{{strides = array<i64: {stride}, {stride}>, group = {group} : i64, "
                  f"pads = array<i64: {pad}, {pad}, {pad}, {pad}>}}")
    flops = 2 * n * f * oh * ow * (c // group) * k * k
    name = f"conv {element} {n}x{c}x{h}x{w} F={f} {k}x{k} s={stride} p={pad}"
    if group != 1:
        name += f" g={group}"
    return name, "top.Conv2D", attributes, types, result, 4, flops


def matmul(m, n, k, ta=False, tb=False, element="f32"):
    lhs = f"{k}x{m}" if ta else f"{m}x{k}"
    rhs = f"{n}x{k}" if tb else f"{k}x{n}"
    types = [f"tensor<{lhs}x{element}>", f"tensor<{rhs}x{element}>"]
    attributes = f"{{transpose_a = {str(ta).lower()}, transpose_b = {str(tb).lower()}}}"
    name = f"matmul {element} {m}x{n}x{k}" + " tA" * ta + " tB" * tb
    return name, "top.MatMul", attributes, types, f"tensor<{m}x{n}x{element}>", 2, 2 * m * n * k


CASES = [
    conv(1, 64, 56, 56, 64, 3, 1, 1),
    conv(1, 64, 56, 56, 128, 3, 2, 1),
    conv(1, 256, 14, 14, 256, 3, 1, 1),
    conv(1, 512, 7, 7, 512, 3, 1, 1),
    conv(1, 64, 56, 56, 256, 1, 1, 0),
    conv(1, 3, 224, 224, 64, 7, 2, 3),
    conv(1, 128, 56, 56, 128, 3, 1, 1, group=128),
    conv(1, 64, 56, 56, 64, 3, 1, 1, element="f16"),
    conv(1, 64, 56, 56, 64, 3, 1, 1, element="bf16"),
    matmul(512, 512, 512),
    matmul(512, 512, 512, ta=True),
    matmul(512, 512, 512, tb=True),
    matmul(512, 512, 512, ta=True, tb=True),
    matmul(1024, 1024, 1024),
    matmul(128, 1000, 2048, tb=True),
    matmul(512, 512, 512, element="bf16"),
]


def function(case):
    _, op, attributes, types, result, _, _ = case
    return (f"func.func @layer(%x: {types[0]}, %w: {types[1]}) -> {result} {{\n"
            f"  %r = {op} %x, %w {attributes} : ({types[0]}, {types[1]}) -> {result}\n"
            f"  return %r : {result}\n}}\n")


def driver(case, calls):
    """A function that makes inputs, calls @layer and prints the best time."""
    _, _, _, types, result, rank, _ = case
    element = types[0][:-1].split("x")[-1]
    out = ["func.func private @printF64(f64)", "func.func private @printNewline()",
           "func.func private @rtclock() -> f64", "func.func @main() {"]
    for name, type_ in zip("xw", types):
        dims = type_.count("x")
        args = ", ".join(f"%{name}{i}: index" for i in range(dims))
        out += [f"  %{name} = tensor.generate {{", f"  ^bb0({args}):",
                f"    %s = arith.addi %{name}{dims - 1}, %{name}{dims - 2} : index",
                "    %seven = arith.constant 7 : index",
                "    %m = arith.remui %s, %seven : index",
                "    %i = arith.index_cast %m : index to i32",
                f"    %v = arith.sitofp %i : i32 to {element}",
                f"    tensor.yield %v : {element}", f"  }} : {type_}"]
    zeros = ", ".join(["%c0"] * rank)
    out += ["  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index",
            f"  %n = arith.constant {calls} : index", "  %inf = arith.constant 1.0e9 : f64",
            "  %best = scf.for %k = %c0 to %n step %c1 iter_args(%b = %inf) -> f64 {",
            "    %t0 = func.call @rtclock() : () -> f64",
            f"    %r = func.call @layer(%x, %w) : ({types[0]}, {types[1]}) -> {result}",
            "    %t1 = func.call @rtclock() : () -> f64",
            f"    %e = tensor.extract %r[{zeros}] : {result}",
            "    %t = arith.subf %t1, %t0 : f64", "    %min = arith.minimumf %t, %b : f64",
            "    scf.yield %min : f64", "  }",
            "  func.call @printF64(%best) : (f64) -> ()",
            "  func.call @printNewline() : () -> ()", "  return", "}"]
    return "\n".join(out) + "\n"


def lower(text, tile=None, vector_bits=None):
    passes = "top-cpu-pipeline{vector-bits=%d}" % (vector_bits or host_vector_bits())
    if tile:
        passes = "func.func(top-tile{%s})," % tile + passes
    return subprocess.run([TOP_OPT, f"--pass-pipeline=builtin.module({passes})"], input=text,
                          text=True, check=True, stdout=subprocess.PIPE).stdout


def jit(llvm, entry="main"):
    libraries = [f"--shared-libs={LLVM}/lib/libmlir_{lib}.so" for lib in ("runner_utils", "c_runner_utils")]
    return subprocess.run([f"{LLVM}/bin/mlir-runner", "-O3", "-e", entry, "--entry-point-result=void"] + libraries,
                          input=llvm, text=True, check=True, stdout=subprocess.PIPE).stdout


def run(args):
    for case in CASES:
        name, flops = case[0], case[6]
        if args.only not in name:
            continue
        # About a second at 20 GFLOP/s.
        calls = max(3, min(1000, int(20e9 / flops)))
        seconds = float(jit(lower(function(case) + driver(case, calls), args.tile, args.vector_bits)))
        print(f"{name:45s} {seconds * 1e3:9.3f} ms {flops / seconds / 1e9:8.1f} GFLOP/s", flush=True)


def compile_(args):
    """Compilation of a 3x3 convolution cut into tiles of one row, written out."""
    print("|  tiles | passes, CPU s | LLVM -O3, JIT and run, CPU s |")
    print("|-------:|--------------:|-----------------------------:|")
    for tiles in (16, 128, 512, 1024):
        case = conv(1, 8, tiles, 16, 8, 3, 1, 1)
        text = function(case) + driver(case, calls=1)
        before = cpu_seconds()
        llvm = lower(text, "height=1 form=unroll")
        middle = cpu_seconds()
        if not args.passes_only:
            jit(llvm)
        after = cpu_seconds()
        print(f"| {tiles:6d} | {middle - before:13.2f} | {after - middle:28.2f} |", flush=True)
    if args.max_seconds and after - before > args.max_seconds:
        sys.exit(f"error: {tiles} tiles take {after - before:.1f} s, more than {args.max_seconds:g} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    runs = commands.add_parser("run", help="time layer ops")
    runs.add_argument("--tile", help="options of top-tile; untiled without")
    runs.add_argument("--only", default="", help="cases whose name contains this")
    runs.add_argument("--vector-bits", type=int, help="the CPU's without")
    runs.set_defaults(function=run)
    compiles = commands.add_parser("compile", help="time the compilation of unrolled tiles")
    compiles.add_argument("--max-seconds", type=float, help="fail if 1024 tiles take more CPU time")
    compiles.add_argument("--passes-only", action="store_true", help="stop before LLVM")
    compiles.set_defaults(function=compile_)
    args = parser.parse_args()
    args.function(args)


if __name__ == "__main__":
    sys.exit(main())
