#!/usr/bin/env python3
"""Compiles one matrix product level by level into a folder that run-ladder.py can run.

    utils/gpu/make-ladder.py OUT --chip=sm_90a --card=h200 [--m=4096 --n=4096 --k=4096 --type=f16] [--only=REGEX]

A rung is the product with one schedule, some levels of the pipeline left out.
Rungs come in sets: `ladder` adds one technique after the other, each other set
varies one thing. For each rung: PTX, plan, and a cubin where ptxas is found, with
its registers, spills and shared memory. A rung that does not compile is listed
with the reason. Writes rungs.json; the device machine needs no MLIR.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

import products

# Levels that can be left out, from the top; those that the compiler does not know are passed over.
LEVELS = ["top-promote-shared", "top-multi-buffer", "top-swizzle", "top-tile-to-warps", "top-prefetch-fragments"]
SETS = {
    "ladder": "One technique after the other",
    "stages": "Stages of the ring in shared memory",
    "threads": "Threads of a block, warp tiles alike",
    "order": "Order in which block tiles are started",
    "tiles": "Larger tiles",
    "rows": "Rows that do not begin at multiples of 16 bytes",
}
# What the rungs of CUDA cores and of tensor cores have in common; a rung changes fields of it.
SIMT = {"engine": "simt", "block": [128, 128, 32], "warp": [32, 64], "thread": [8, 8], "stages": 4,
        "order": "grouped(8)"}
MMA = {"engine": "mma_sync", "block": [128, 256, 32], "warp": [64, 64], "stages": 4, "order": "grouped(8)"}
ENGINES = {"simt": ("CUDA cores", SIMT), "mma": ("tensor cores", MMA)}


def to_schedule(fields):
    return ", ".join(f"{name} = {value}" for name, value in fields.items())


def optional_levels(compiler):
    """Those of LEVELS that --without of the compiler takes."""
    text = subprocess.run([compiler, "--help"], capture_output=True, text=True, timeout=60).stdout
    flag = re.search(r"--without=.*", text)
    return [level for level in LEVELS if flag and level in flag[0]]


def rungs(m, n, k, kind, levels):
    def rung(group, name, title, base, without=(), size=(m, n, k), **changes):
        case = products.make(f"{group}-{name}", *size, kind, schedule=to_schedule({**base, **changes}),
                             without=list(without))
        return {**case, "set": group, "title": title}

    # A thread of the naive kernel reads a row and a column for one element.
    yield rung("ladder", "0-naive", "naive: a thread an element", SIMT, levels,
               block=[16, 16, 32], warp=[4, 8], thread=[1, 1])
    yield rung("ladder", "1-block", "block tiles", SIMT, levels)
    yield rung("ladder", "2-shared", "+ shared memory", SIMT, levels[1:])
    yield rung("ladder", "3-buffers", "+ multi-buffering", SIMT, levels[2:])
    yield rung("ladder", "4-swizzle", "+ swizzle", SIMT, levels[3:])
    yield rung("ladder", "5-warps", "+ warp and thread tiles", SIMT, levels[4:])
    yield rung("ladder", "6-mma", "+ tensor cores", MMA, levels[4:])
    if levels[4:]:
        yield rung("ladder", "7-fragments", "+ fragments read ahead", MMA)
    for engine, (title, base) in ENGINES.items():
        for stages in (1, 2, 3, 4):
            yield rung("stages", f"{engine}-{stages}", f"{title}, {stages} stage{'s' * (stages > 1)}", base,
                       stages=stages)
        yield rung("stages", f"{engine}-flat", f"{title}, 4 stages, no swizzle", base, swizzle="false")
    for rows in (64, 128, 256):  # 64 sums a thread
        yield rung("threads", f"simt-{2 * rows}", f"CUDA cores, {2 * rows} threads", SIMT, block=[rows, 128, 32],
                   stages=2)
    for rows in (32, 64, 128):  # 32 sums a thread: with 64, 512 threads have too many registers
        yield rung("threads", f"mma-{4 * rows}", f"tensor cores, {4 * rows} threads", MMA, block=[rows, 128, 32],
                   warp=[32, 32], stages=3)
    for engine, (title, base) in ENGINES.items():
        for order in ("row", "column", "grouped(4)", "grouped(8)", "grouped(16)"):
            yield rung("order", f"{engine}-{re.sub('[()]', '', order)}", f"{title}, {order}", base, order=order)
    yield rung("tiles", "simt", "CUDA cores, block 128 x 128, thread 8 x 8", SIMT, stages=2)
    yield rung("tiles", "simt-block", "CUDA cores, block 256 x 128", SIMT, block=[256, 128, 32], stages=2)
    yield rung("tiles", "simt-thread", "CUDA cores, thread 16 x 8", SIMT, warp=[64, 64], thread=[16, 8], stages=2)
    yield rung("tiles", "mma", "tensor cores, block 128 x 256, warp 64 x 64", MMA, stages=3)
    yield rung("tiles", "mma-block", "tensor cores, block 256 x 256", MMA, block=[256, 256, 32], stages=3)
    yield rung("tiles", "mma-deep", "tensor cores, K steps of 64", MMA, block=[128, 256, 64], stages=3)
    yield rung("tiles", "mma-warp", "tensor cores, warp 64 x 128", MMA, warp=[64, 128], stages=3)
    # Odd lengths of rows in every operand and in the result.
    odd = tuple(max(extent - less, 1) for extent, less in zip((m, n, k), (1, 3, 5)))
    for engine, (title, base) in ENGINES.items():
        yield rung("rows", f"{engine}-aligned", f"{title}, aligned", base)
        yield rung("rows", f"{engine}-narrow", f"{title}, odd rows, narrow loads", base, size=odd, repack="false")
        yield rung("rows", f"{engine}-repack", f"{title}, odd rows, repacked", base, size=odd, repack="true")


def main_launch(plan):
    """The launch that multiplies: of the most shared memory, then of the most blocks."""
    return max((s for s in plan["functions"][0]["steps"] if "launch" in s),
               key=lambda step: (step["shared_bytes"], step["grid"][0]), default=None)


def read_model(report):
    """Numbers that top-compile --report predicts of a kernel."""
    model = {}
    for name, pattern in (("blocks_per_sm", r"(\d+) blocks/SM"), ("occupancy", r"occupancy (\d+)%"),
                          ("registers", r"registers (\d+) predicted"), ("intensity", r"intensity ([\d.]+) FLOP/B")):
        found = re.search(pattern, report)
        model[name] = float(found[1]) if found else None
    return model


def assemble(ptxas, stem, chip, kernel):
    """Writes the cubin; registers, spilled and static shared bytes of a kernel, or the error."""
    result = subprocess.run([ptxas, "-v", f"--gpu-name={chip}", f"{stem}.ptx", "-o", f"{stem}.cubin"],
                            capture_output=True, text=True, timeout=products.TIMEOUT)
    if result.returncode != 0:
        return {"error": (result.stderr.strip().splitlines() or ["ptxas failed"])[0]}
    text = result.stderr.split(f"'{kernel}'", 1)[-1].split("Compiling entry", 1)[0]

    def number(pattern):
        found = re.search(pattern, text)
        return int(found[1]) if found else 0
    return {"registers": number(r"Used (\d+) registers"), "spill_stores": number(r"(\d+) bytes spill stores"),
            "spill_loads": number(r"(\d+) bytes spill loads"), "static_shared": number(r"(\d+) bytes smem")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    products.add_arguments(parser)
    for extent in "mnk":
        parser.add_argument(f"--{extent}", type=int, default=4096)
    parser.add_argument("--type", default="f16", choices=["f16", "bf16", "f32", "tf32"])
    options = parser.parse_args()
    if min(options.m, options.n, options.k) < 1:
        parser.error("--m, --n and --k are at least 1")
    products.check_arguments(parser, options)
    cases = [r for r in rungs(options.m, options.n, options.k, options.type,
                               optional_levels(options.compiler)) if options.only.search(r["name"])]
    if not cases:
        parser.error(f"no rung matches --only={options.only.pattern}")
    ptxas = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")

    def build(case):
        stem = pathlib.Path(options.out) / case["name"]
        error, report = products.compile_case(case, options.out, options.compiler, options.chip, options.card,
                                              report=True)
        if error:
            return {"error": error}
        launch = main_launch(products.read_json(f"{stem}.json"))
        return {"error": None, "kernel": launch["launch"], "threads": launch["block"][0],
                "blocks": launch["grid"][0], "shared_bytes": launch["shared_bytes"], "model": read_model(report),
                "ptxas": assemble(ptxas, stem, options.chip, launch["launch"]) if ptxas else None}

    for case, result in zip(cases, products.compile_all(cases, build)):
        case.update(result)
        if case["error"]:
            print(f"{case['name']}: {case['error']}")
    products.write_json(pathlib.Path(options.out) / "rungs.json",
                        {"chip": options.chip, "sets": SETS, "rungs": cases})
    failed = sum(case["error"] is not None for case in cases)
    print(f"{len(cases)} rungs, {failed} did not compile")
    return 1 if failed == len(cases) else 0


if __name__ == "__main__":
    sys.exit(main())
