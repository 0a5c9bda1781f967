# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A network as another tool printed it, through the raise and the tiling, run
# and compared with the untouched file at each step. Asserts that
#
#  * all layers are raised, and at least 90 % of the elementwise ops behind them
#    are in their epilogues (counted by graph.py, not by the pass);
#  * the raised network agrees with the untouched file;
#  * tiled, in both forms, no layer is larger than a tile, and it still agrees;
#  * with --mutate=PLACE[,PLACE...], instead of tiling: a transposed weight, a shifted window, a dropped bias and a
#    missing activation, each in one layer, do not.
#
# usage: network.py FILE --work=DIR [--loop=TILES] [--unroll=TILES] [--mutate=PLACES]

import argparse
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import graph
import mutate

SHARE = 0.9


def fail(text):
    sys.exit(f"network.py: error: {text}")


def run(*command, check=True):
    start = time.time()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    seconds = time.time() - start
    if check and done.returncode != 0:
        fail(f"{' '.join(command)} gave {done.returncode}:\n{done.stdout[-2000:]}")
    return done.returncode, done.stdout, seconds


def compare(file, reference, what):
    """Runs a file against the untouched one; its line of success."""
    _, out, seconds = run("top-run", file, f"--reference={reference}", "--randomize-constants",
                          "--fill=normal", "--target=cpu", "--verify")
    line = out.strip().split("\n")[-1]
    match = re.match(r"PASS [\w.$-]+: compared (\d+) of (\d+) elements .* tolerance ", line)
    if not match or match.group(1) != match.group(2) or "undetermined" in line or "not finite" in line:
        fail(f"{what}: not every element was compared: {line}")
    print(f"{what}: {line} ({seconds:.1f} s)", flush=True)


def check_counts(untouched, raised):
    before, after = graph.count(untouched), graph.count(raised)
    if not before.layers:
        fail(f"no layers in {untouched}")
    if after.left:
        fail(f"left in linalg: {', '.join(after.left)}")
    total, left = len(before.behind), len(after.behind)
    print(f"raised: {len(before.layers)} layers, {total - left} of {total} elementwise ops behind "
          f"them in epilogues", flush=True)
    if total - left < SHARE * total:
        fail(f"{left} of {total} elementwise ops are left behind: {', '.join(after.behind)}")


def sizes(options):
    return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", options)}


def check_tiles(untiled, tiled, options):
    """No layer op gives more than a tile, and there are more of them."""
    limits = sizes(options)
    layers = 0
    for name, op in graph.parse(untiled).items():
        layers += op.name in ("top.Conv2D", "top.MatMul")
    found = 0
    with open(tiled) as file:
        for line in file:
            match = re.search(r"top\.(Conv2D|MatMul) .*-> tensor<((?:\d+x)+)", line)
            if not match:
                continue
            found += 1
            extents = [int(e) for e in match.group(2).split("x") if e]
            names = (["batch", "channels", "height", "width"] if match.group(1) == "Conv2D"
                     else ["batch", "m", "n"][-len(extents):])
            for axis, extent in zip(names, extents):
                if axis in limits and extent > limits[axis]:
                    fail(f"{axis} {extent} is more than a tile: {line.strip()}")
    if found <= layers:
        fail(f"{found} tiles of {layers} layers")
    print(f"tiled: {layers} layers, {found} tile ops", flush=True)

def check_mutations(options, at):
    """Each kind of mistake, at each place in the network, must be found."""
    places = [float(place) for place in options.mutate.split(",")]
    for kind, text in mutate.mutations(at("raised.mlir"), places):
        wrong = at("wrong.mlir")
        with open(wrong, "w") as file:
            file.write(text)
        status, out, _ = run("top-run", wrong, f"--reference={options.file}", "--randomize-constants",
                             "--fill=normal", "--target=cpu", "--verify", check=False)
        last = out.strip().split("\n")[-1]
        if status != 1 or not re.match(r"FAIL [\w.$-]+ result 0 element ", last):
            fail(f"{kind} was not found: status {status}, {last}")
        print(f"{kind}: found: {last[:120]}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--work", required=True)
    parser.add_argument("--loop", default="batch=1 height=1 width=2 m=1 n=96")
    parser.add_argument("--unroll", default="batch=1 height=2 width=4 m=1 n=192")
    parser.add_argument("--mutate", default="")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    at = lambda name: os.path.join(options.work, name)

    run("top-opt", options.file, "--raise-linalg-to-top", "-o", at("raised.mlir"))
    check_counts(options.file, at("raised.mlir"))
    compare(at("raised.mlir"), options.file, "untiled")
    if options.mutate:
        return check_mutations(options, at)
    for form, tile in (("loop", options.loop), ("unroll", options.unroll)):
        out = at(form + ".mlir")
        run("top-opt", at("raised.mlir"), f"--top-tile={tile} form={form}", "-o", out)
        check_tiles(at("raised.mlir"), out, tile)
        compare(out, options.file, form)


if __name__ == "__main__":
    main()
