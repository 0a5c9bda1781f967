#!/usr/bin/env python3
"""Times layer ops on one core of this CPU, and the compilation of many tiles.

Each case is a function of one layer op, sent through top-tile (where --tile is
given) and top-cpu-pipeline, run by mlir-runner, and called until a second has
passed. Prints the best of the calls.

  utils/bench-cpu.py run [--tile="height=8"] [--only=SUBSTRING]
  utils/bench-cpu.py compile
"""

import argparse
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LLVM = os.environ.get("LLVM_DIR", "/usr/lib/llvm-22")
TOP_OPT = os.environ.get("TOP_OPT", os.path.join(ROOT, "build/bin/top-opt"))


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


def lower(text, tile=None):
    passes = "top-cpu-pipeline{vector-bits=%d}" % host_vector_bits()
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
        seconds = float(jit(lower(function(case) + driver(case, calls), args.tile)))
        print(f"{name:45s} {seconds * 1e3:9.3f} ms {flops / seconds / 1e9:8.1f} GFLOP/s", flush=True)


def unrolled(tiles):
    """A 3x3 convolution cut into `tiles` tiles of one row, as top-tile unrolls it."""
    c, w = 8, 16
    x, f = f"tensor<1x{c}x{tiles}x{w}xf32>", f"tensor<{c}x{c}x3x3xf32>"
    tile = f"tensor<1x{c}x1x{w}xf32>"
    out = [f"func.func @layer(%x: {x}, %w: {f}) -> {x} {{", f"  %a = tensor.empty() : {x}"]
    last = "%a"
    for i in range(tiles):
        low, high = max(0, i - 1), min(tiles, i + 2)
        pads = f"{int(i == 0)}, 1, {int(i == tiles - 1)}, 1"
        part = f"tensor<1x{c}x{high - low}x{w}xf32>"
        out += [f"  %s{i} = tensor.extract_slice %x[0, 0, {low}, 0] [1, {c}, {high - low}, {w}] [1, 1, 1, 1] : {x} to {part}",
                f"  %c{i} = top.Conv2D %s{i}, %w {{pads = array<i64: {pads}>}} : ({part}, {f}) -> {tile}",
                f"  %a{i} = tensor.insert_slice %c{i} into {last}[0, 0, {i}, 0] [1, {c}, 1, {w}] [1, 1, 1, 1] : {tile} into {x}"]
        last = f"%a{i}"
    return "\n".join(out + [f"  return {last} : {x}", "}", "func.func @main() { return }"]) + "\n"


def compile_(args):
    for tiles in (16, 128, 512, 1024):
        text = unrolled(tiles)
        start = time.time()
        llvm = lower(text)
        middle = time.time()
        jit(llvm)
        print(f"{tiles:5d} tiles  pipeline {middle - start:6.2f} s  LLVM -O3 and JIT {time.time() - middle:6.2f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    runs = commands.add_parser("run", help="time layer ops")
    runs.add_argument("--tile", help="options of top-tile; untiled without")
    runs.add_argument("--only", default="", help="cases whose name contains this")
    runs.set_defaults(function=run)
    commands.add_parser("compile", help="time the compilation of unrolled tiles").set_defaults(function=compile_)
    args = parser.parse_args()
    args.function(args)


if __name__ == "__main__":
    sys.exit(main())
