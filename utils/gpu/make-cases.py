#!/usr/bin/env python3
"""Compiles products for a GPU into a folder that check-on-device.py can run.

    utils/gpu/make-cases.py OUT --chip=sm_90a --random=200 --seed=1

Writes, for each case, PTX, launch plan and a description of what was asked for:
the valid products of test/cases/edge_cases.json, a grid of types, transposes,
stages and epilogues, and for each type `--random` cases of random sizes, layouts,
epilogues and schedules, some with levels of the pipeline left out. The device
machine needs no MLIR. A case that does not compile is an error.
"""

import argparse
import concurrent.futures
import itertools
import json
import pathlib
import random
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TYPES = ["f32", "f16", "bf16", "f64", "i8", "f8E4M3FN", "f8E5M2"]
# Types of results, the usual one first.
RESULT_TYPES = {"f32": ["f32"], "f16": ["f16", "f32"], "bf16": ["bf16", "f32"], "f64": ["f64"], "i8": ["i32"],
                "f8E4M3FN": ["f32", "f16", "bf16"], "f8E5M2": ["f32", "f16", "bf16"]}
STEPS = ["relu", "silu", "sigmoid", "gelu", "hardswish", "clamp", "affine", "add", "mul"]
# Those that are exact in integers, which is what a product of i8 takes.
INTEGER_STEPS = ["relu", "clamp", "affine", "add", "mul"]
LEVELS = ["top-promote-shared", "top-multi-buffer", "top-swizzle", "top-tile-to-warps"]
# Block, warp and thread tiles: 32 to 512 threads.
TILES = [([64, 64, 16], [32, 32], [8, 4]), ([128, 128, 16], [32, 64], [8, 8]), ([32, 32, 8], [32, 32], [8, 4]),
         ([64, 32, 32], [16, 32], [4, 4]), ([128, 64, 32], [32, 16], [4, 4]), ([16, 16, 48], [16, 16], [4, 2]),
         ([64, 128, 8], [16, 64], [4, 8]), ([24, 48, 24], [24, 48], [6, 6]), ([256, 64, 16], [64, 32], [8, 8])]


def steps_of(kind):
    return INTEGER_STEPS if kind == "i8" else STEPS


def tensor(shape, kind):
    return "tensor<" + "x".join(map(str, shape)) + "x" + kind + ">"


def shapes(case):
    """Shapes of lhs, rhs and result."""
    m, n, k, batch = case["m"], case["n"], case["k"], case["batch"]
    lhs = [k, m] if case["transpose_a"] else [m, k]
    rhs = [n, k] if case["transpose_b"] else [k, n]
    result = [m, n]
    if batch is not None:
        lhs, result = [batch] + lhs, [batch] + result
        rhs = rhs if case["shared"] else [batch] + rhs
    return lhs, rhs, result


def to_mlir(case):
    lhs, rhs, result = shapes(case)
    kind, result_kind, n = case["type"], case["result_type"], case["n"]
    operands = [("%a", tensor(lhs, kind)), ("%b", tensor(rhs, kind))]
    if case["bias"]:
        operands.append(("%bias", tensor([n], result_kind)))
    extra, steps = [], []
    for index, step in enumerate(case["epilogue"]):
        if step == "affine":
            extra += [(f"%s{index}", tensor([n], result_kind)), (f"%t{index}", tensor([n], result_kind))]
        elif step in ("add", "mul"):
            extra.append((f"%e{index}", tensor(result, result_kind)))
        steps.append("#top.step<clamp, min = -1.0, max = 6.0>" if step == "clamp" else f"#top.step<{step}>")
    attributes = [f"{name} = true" for name in ("transpose_a", "transpose_b") if case[name]]
    if steps:
        attributes.append("epilogue = [" + ", ".join(steps) + "]")
    if case["schedule"]:
        attributes.append(f"top.schedule = #top.schedule<{case['schedule']}>")
    names = lambda pairs: ", ".join(name for name, _ in pairs)
    epilogue = f" epilogue({names(extra)})" if extra else ""
    braces = " {" + ", ".join(attributes) + "}" if attributes else ""
    types = ", ".join(kind for _, kind in operands + extra)
    arguments = ", ".join(f"{name}: {kind}" for name, kind in operands + extra)
    out = tensor(result, result_kind)
    return (f"func.func @f({arguments}) -> {out} {{\n"
            f"  %y = top.MatMul {names(operands)}{epilogue}{braces} : ({types}) -> {out}\n"
            f"  return %y : {out}\n}}\n")


def make(name, m, n, k, kind, **options):
    case = {"name": name, "m": m, "n": n, "k": k, "type": kind, "result_type": RESULT_TYPES[kind][0], "batch": None, "shared": False,
            "transpose_a": False, "transpose_b": False, "bias": False, "epilogue": [], "schedule": "", "without": [],
            "fill": "normal"}
    case.update(options)
    return case


def edge_cases(large):
    rows = json.load(open(ROOT / "test/cases/edge_cases.json"))["matmul"]
    for row in rows:
        if row["invalid"] or (row.get("large") and not large):
            continue
        yield make(row["id"], row["m"], row["n"], row["k"], row["dtype"], transpose_a=row["transA"],
                   transpose_b=row["transB"], batch=None if row["b"] == 1 else row["b"], fill=row.get("fill", "normal"))


def grid_cases():
    small = "block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = "
    for kind in TYPES:
        for a, b in itertools.product((False, True), repeat=2):
            for m, n, k in ((67, 93, 41), (72, 136, 40), (128, 128, 64)):
                yield make(f"layout-{kind}-{m}-{a:d}{b:d}", m, n, k, kind, transpose_a=a, transpose_b=b)
        for stages in range(1, 7):
            for k in (16, 100, 112):
                yield make(f"stages-{kind}-{stages}-{k}", 130, 70, k, kind, schedule=small + str(stages))
        for count in range(len(LEVELS) + 1):
            for without in itertools.combinations(LEVELS, count):
                yield make(f"ladder-{kind}-" + "".join(str(LEVELS.index(level)) for level in without), 97, 101, 52,
                           kind, without=list(without), schedule=small + "3")
        for step in steps_of(kind):
            yield make(f"step-{kind}-{step}", 50, 60, 30, kind, bias=True, epilogue=[step])
        yield make(f"steps-{kind}", 50, 60, 30, kind, bias=True,
                   epilogue=["affine", "add", "relu", "mul", "clamp" if kind == "i8" else "silu"])
        wide = "block = [128, 128, 16], warp = [32, 64], thread = [8, 8], stages = 5"
        yield make(f"above-48k-{kind}", 200, 300, 130, kind, schedule=wide)
        for a, b in itertools.product((False, True), repeat=2):
            yield make(f"repack-{kind}-{a:d}{b:d}", 75, 83, 69, kind, transpose_a=a, transpose_b=b,
                       schedule=small + "3, repack = true")
        yield make(f"shared-{kind}", 33, 40, 24, kind, batch=3, shared=True, transpose_b=True)
        yield make(f"zero-k-{kind}", 16, 24, 0, kind, bias=True, epilogue=["relu"])
        for result in RESULT_TYPES[kind][1:]:
            yield make(f"to-{result}-{kind}", 65, 66, 67, kind, result_type=result, bias=True, epilogue=["relu"])
        # No schedule of ours: the one that the model finds for the chip.
        for m, n, k in ((128, 256, 192), (256, 128, 1024), (100, 60, 80), (1, 333, 77)):
            yield make(f"default-{kind}-{m}", m, n, k, kind, transpose_b=True, bias=True)


def random_cases(count, seed):
    rng = random.Random(seed)
    for kind in TYPES:
        for index in range(count):
            block, warp, thread = rng.choice(TILES)
            extent = lambda: rng.choice((1, 2, 3, 5, 8, 16, 17, 31, 32, 40, 64, 65, 96, 100, 127, 128, 130, 200, 257))
            order = rng.choice(("row", "column", "grouped(2)", "grouped(3)"))
            batch = rng.choice((None, None, None, 1, 2, 5))
            schedule = (f"block = {block}, warp = {warp}, thread = {thread}, stages = {rng.randint(1, 4)}, "
                        f"swizzle = {rng.choice(('true', 'false'))}, order = {order}, "
                        f"repack = {rng.choice(('true', 'false'))}")
            yield make(f"random-{kind}-{index}", extent(), extent(), extent(), kind, batch=batch,
                       shared=batch is not None and rng.random() < 0.4,
                       result_type=rng.choice(RESULT_TYPES[kind]) if rng.random() < 0.3 else RESULT_TYPES[kind][0],
                       transpose_a=rng.random() < 0.5, transpose_b=rng.random() < 0.5, bias=rng.random() < 0.5,
                       epilogue=rng.sample(steps_of(kind), rng.choice((0, 0, 1, 2, 3))),
                       schedule=schedule if rng.random() < 0.8 else "",
                       without=[level for level in LEVELS if rng.random() < 0.12])


def build(case, options):
    stem = pathlib.Path(options.out) / case["name"]
    source = stem.with_name(stem.name + ".mlir")
    source.write_text(to_mlir(case))
    command = [options.compiler, str(source), f"--chip={options.chip}", "-o", f"{stem}.ptx", f"--plan={stem}.json"]
    if case["without"]:
        command.append("--without=" + ",".join(case["without"]))
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if result.returncode != 0:
        return f"{case['name']}: {result.stderr.strip().splitlines()[0] if result.stderr else result.returncode}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--chip", default="sm_90a")
    parser.add_argument("--random", type=int, default=200, help="random cases of each type")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--large", action="store_true", help="with the edge cases that need GiBs")
    parser.add_argument("--compiler", default=str(ROOT / "build/bin/top-compile"))
    options = parser.parse_args()
    pathlib.Path(options.out).mkdir(parents=True, exist_ok=True)
    cases = list(edge_cases(options.large)) + list(grid_cases()) + list(random_cases(options.random, options.seed))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        errors = list(pool.map(lambda case: build(case, options), cases))
    with open(pathlib.Path(options.out) / "cases.json", "w") as file:
        json.dump(cases, file)
    failed = [error for error in errors if error]
    print("\n".join(failed[:40]))
    print(f"{len(cases)} cases, {len(failed)} did not compile")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
