#!/usr/bin/env python3
"""Compiles products or convolutions for a GPU into a folder that check-on-device.py can run.

    utils/gpu/make-cases.py OUT --chip=sm_90a --random=200 --seed=1
    utils/gpu/make-cases.py OUT --kind=conv --chip=sm_90a --random=300 --seed=1

Writes, for each case, PTX, launch plan and a description of what was asked for:
the valid products of test/cases/edge_cases.json, a grid of types, transposes,
stages and epilogues, products with parts of K, copies, and for each type `--random` cases of random sizes, layouts,
epilogues and schedules, some with levels of the pipeline left out. Those of
convolutions are in conv_cases.py; `--random` is then how many in all. The device
machine needs no MLIR. A case that does not compile is an error.
"""

import argparse
import itertools
import json
import pathlib
import random
import re
import sys

import conv_cases
import convs
import products
from products import make

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TYPES = ["f32", "f16", "bf16", "f64", "i8", "f8E4M3FN", "f8E5M2"]
# Types of results, the usual one first.
RESULT_TYPES = {"f32": ["f32"], "f16": ["f16", "f32"], "bf16": ["bf16", "f32"], "f64": ["f64"], "i8": ["i32"],
                "f8E4M3FN": ["f32", "f16", "bf16"], "f8E5M2": ["f32", "f16", "bf16"]}
STEPS = ["relu", "silu", "sigmoid", "gelu", "hardswish", "clamp", "affine", "add", "mul"]
# Those that are exact in integers, which is what a product of i8 takes.
INTEGER_STEPS = ["relu", "clamp", "affine", "add", "mul"]
LEVELS = ["top-promote-shared", "top-multi-buffer", "top-swizzle", "top-tile-to-warps", "top-prefetch-fragments"]
# Block, warp and thread tiles: 32 to 512 threads.
TILES = [([64, 64, 16], [32, 32], [8, 4]), ([128, 128, 16], [32, 64], [8, 8]), ([32, 32, 8], [32, 32], [8, 4]),
         ([64, 32, 32], [16, 32], [4, 4]), ([128, 64, 32], [32, 16], [4, 4]), ([16, 16, 48], [16, 16], [4, 2]),
         ([64, 128, 8], [16, 64], [4, 8]), ([24, 48, 24], [24, 48], [6, 6]), ([256, 64, 16], [64, 32], [8, 8])]
# Block and warp tiles of mma_sync: 32 to 256 threads.
MMA_TILES = [([64, 64, 16], [32, 32]), ([128, 128, 32], [64, 64]), ([32, 32, 16], [32, 32]), ([16, 64, 64], [16, 16]),
             ([128, 64, 32], [32, 32]), ([16, 8, 16], [16, 8]), ([48, 48, 48], [48, 24]), ([128, 256, 32], [64, 64]),
             ([64, 128, 64], [64, 32]), ([16, 24, 32], [16, 24]), ([32, 8, 128], [16, 8])]
MMA_TYPES = {"f16": ("f16", False), "bf16": ("bf16", False), "tf32": ("f32", True), "i8": ("i8", False),
             "f8E4M3FN": ("f8E4M3FN", False), "f8E5M2": ("f8E5M2", False)}
# Elements of K in one instruction.
MMA_STEP = {"f16": 16, "bf16": 16, "tf32": 8, "i8": 32, "f8E4M3FN": 32, "f8E5M2": 32}


def steps_of(kind):
    return INTEGER_STEPS if kind == "i8" else STEPS


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


def mma_cases(count, seed):
    """What the grid and the random cases are for simt, for the tensor cores."""
    rng = random.Random(seed)
    engine = "engine = mma_sync, "
    small = engine + "block = [64, 64, 32], warp = [32, 32], stages = "
    for name, (kind, tf32) in MMA_TYPES.items():
        for a, b in itertools.product((False, True), repeat=2):
            for m, n, k in ((67, 93, 41), (72, 136, 40), (128, 128, 64), (130, 264, 104)):
                yield make(f"mma-layout-{name}-{m}-{a:d}{b:d}", m, n, k, kind, tf32=tf32, transpose_a=a, transpose_b=b,
                           schedule=small + "3")
        for stages in range(1, 7):
            for k in (16, 96, 224, 250):
                yield make(f"mma-stages-{name}-{stages}-{k}", 130, 72, k, kind, tf32=tf32,
                           schedule=small + str(stages))
        for count_left_out in range(len(LEVELS) + 1):
            for without in itertools.combinations(LEVELS, count_left_out):
                yield make(f"mma-ladder-{name}-" + "".join(str(LEVELS.index(level)) for level in without), 97, 101,
                           104, kind, tf32=tf32, without=list(without), schedule=small + "3")
        curve = "clamp" if kind == "i8" else "silu"
        yield make(f"mma-steps-{name}", 50, 60, 30, kind, tf32=tf32, bias=True,
                   epilogue=[step for step in ("affine", "add", "relu", "mul") if step in steps_of(kind)] + [curve],
                   schedule=small + "2")
        yield make(f"mma-shared-{name}", 33, 40, 24, kind, tf32=tf32, batch=3, shared=True, transpose_b=True,
                   schedule=small + "2")
        tiles = [tile for tile in MMA_TILES if tile[0][2] % MMA_STEP[name] == 0]
        for index in range(count):
            block, warp = rng.choice(tiles)
            extent = lambda: rng.choice((1, 2, 3, 5, 8, 16, 17, 31, 32, 40, 64, 65, 96, 100, 127, 128, 130, 200, 264))
            batch = rng.choice((None, None, None, 1, 2, 5))
            m, n, k = extent(), extent(), extent()
            schedule = (engine + f"block = {block}, warp = {warp}, stages = {rng.randint(1, 4)}, "
                        f"swizzle = {rng.choice(('true', 'true', 'false'))}, "
                        f"order = {rng.choice(('row', 'column', 'grouped(2)', 'grouped(3)'))}, "
                        f"repack = {rng.choice(('true', 'false'))}, "
                        f"split_k = {min(rng.choice((1, 1, 2, 3, 7)), -(-k // block[2]))}")
            yield make(f"mma-random-{name}-{index}", m, n, k, kind, tf32=tf32, batch=batch,
                       shared=batch is not None and rng.random() < 0.4,
                       result_type=rng.choice(RESULT_TYPES[kind]) if rng.random() < 0.3 else RESULT_TYPES[kind][0],
                       transpose_a=rng.random() < 0.5, transpose_b=rng.random() < 0.5, bias=rng.random() < 0.5,
                       epilogue=rng.sample(steps_of(kind), rng.choice((0, 0, 1, 2, 3))), schedule=schedule,
                       without=[level for level in LEVELS if rng.random() < 0.1])


def split_cases():
    """Parts of K: whole and ragged ranges, fewer parts than asked for, and all that a product can have besides."""
    small = "block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 3, split_k = "
    for kind in TYPES:
        curve = "clamp" if kind == "i8" else "gelu"
        for parts in (2, 3, 5):
            for m, n, k in ((128, 128, 240), (67, 93, 161), (130, 8, 84), (1, 257, 100)):
                yield make(f"split-{kind}-{parts}-{m}", m, n, k, kind, schedule=small + str(parts))
            for a, b in itertools.product((False, True), repeat=2):
                yield make(f"split-{kind}-{parts}-repack-{a:d}{b:d}", 75, 83, 101, kind, transpose_a=a, transpose_b=b,
                           bias=True, epilogue=["relu"], schedule=small + f"{parts}, repack = true, order = grouped(2)")
            yield make(f"split-{kind}-{parts}-batch", 70, 54, 130, kind, batch=3, bias=True,
                       epilogue=["affine", "add", curve, "mul"], schedule=small + str(parts))
            yield make(f"split-{kind}-{parts}-shared", 33, 41, 97, kind, batch=2, shared=True, transpose_b=True,
                       epilogue=["add"], schedule=small + f"{parts}, order = column")
            for without in LEVELS:
                yield make(f"split-{kind}-{parts}-without-{LEVELS.index(without)}", 97, 101, 116, kind,
                           without=[without], schedule=small + str(parts))
        # More than one loop of the sum's kernel holds at once.
        for parts in (16, 17, 33, 64):
            yield make(f"split-{kind}-many-{parts}", 50, 61, 64 * 8 - 3, kind, bias=True, epilogue=[curve],
                       schedule=f"block = [32, 32, 8], warp = [32, 32], thread = [8, 4], split_k = {parts}")
        if kind in ("f16", "bf16"):
            yield make(f"split-{kind}-wide", 65, 66, 67, kind, result_type="f32", bias=True, schedule=small + "2")


def copy_cases():
    """Kernels that multiply nothing, of shapes that choose each of their layouts: the copies of repack, and K = 0."""
    small = "block = [64, 64, 16], warp = [32, 32], thread = [8, 4], repack = true"
    for kind in TYPES:
        for m, k in ((1, 1), (3, 1001), (1000, 3), (257, 65), (130, 129), (64, 515)):
            yield make(f"copy-{kind}-{m}-{k}", m, 5, k, kind, schedule=small)
        for m, n in ((1, 1), (5, 1027), (1030, 7), (64, 136), (129, 65)):
            yield make(f"copy-{kind}-zero-{m}-{n}", m, n, 0, kind, batch=2, bias=True, epilogue=["add", "mul"])


def random_cases(count, seed):
    rng = random.Random(seed)
    for kind in TYPES:
        for index in range(count):
            block, warp, thread = rng.choice(TILES)
            extent = lambda: rng.choice((1, 2, 3, 5, 8, 16, 17, 31, 32, 40, 64, 65, 96, 100, 127, 128, 130, 200, 257))
            order = rng.choice(("row", "column", "grouped(2)", "grouped(3)"))
            batch = rng.choice((None, None, None, 1, 2, 5))
            m, n, k = extent(), extent(), extent()
            steps = -(-k // block[2])
            schedule = (f"block = {block}, warp = {warp}, thread = {thread}, stages = {rng.randint(1, 4)}, "
                        f"swizzle = {rng.choice(('true', 'false'))}, order = {order}, "
                        f"repack = {rng.choice(('true', 'false'))}, "
                        f"split_k = {min(rng.choice((1, 1, 2, 3, 7)), steps)}")
            yield make(f"random-{kind}-{index}", m, n, k, kind, batch=batch,
                       shared=batch is not None and rng.random() < 0.4,
                       result_type=rng.choice(RESULT_TYPES[kind]) if rng.random() < 0.3 else RESULT_TYPES[kind][0],
                       transpose_a=rng.random() < 0.5, transpose_b=rng.random() < 0.5, bias=rng.random() < 0.5,
                       epilogue=rng.sample(steps_of(kind), rng.choice((0, 0, 1, 2, 3))),
                       schedule=schedule if rng.random() < 0.8 else "",
                       without=[level for level in LEVELS if rng.random() < 0.12])


def build(case, options):
    module = convs if case.get("op") == "conv" else products
    error = module.compile_case(case, options.out, options.compiler, options.chip, options.card)[0]
    return f"{case['name']}: {error}" if error else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--chip", default="sm_90a")
    parser.add_argument("--card", help="card whose SMs and L2 schedules are chosen for, such as h200")
    parser.add_argument("--kind", choices=("matmul", "conv"), default="matmul")
    parser.add_argument("--random", type=int, default=200, help="random cases of each type; of convolutions, in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a regular expression for names of cases")
    parser.add_argument("--large", action="store_true", help="with the edge cases that need GiBs")
    parser.add_argument("--compiler", default=products.COMPILER)
    options = parser.parse_args()
    pathlib.Path(options.out).mkdir(parents=True, exist_ok=True)
    if options.kind == "conv":
        cases = conv_cases.all_cases(options.random, options.seed, options.large)
    else:
        cases = itertools.chain(edge_cases(options.large), grid_cases(), split_cases(), copy_cases(),
                                mma_cases(options.random, options.seed), random_cases(options.random, options.seed))
    cases = [case for case in cases if re.search(options.only, case["name"])]
    errors = products.compile_all(cases, lambda case: build(case, options))
    with open(pathlib.Path(options.out) / "cases.json", "w") as file:
        json.dump(cases, file)
    failed = [error for error in errors if error]
    print("\n".join(failed[:40]))
    print(f"{len(cases)} cases, {len(failed)} did not compile")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
