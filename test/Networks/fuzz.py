# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Convolutions and products written in many ways, raised and compared with the
# untouched text: loops of generics in any order, operands in any layout,
# strides, dilations, pads, named ops, and epilogues of any steps in any order,
# as they are or fused by upstream first. Each function holds several layers,
# whose results are its own. All must be raised, with everything behind them, and
# agree; one layer made wrong must be found.
#
# usage: fuzz.py --work=DIR [--seeds=N] [--first=SEED]

import argparse
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import graph
from network import fail, run
import mutate


class Function:
    """The text of one function as it grows."""

    def __init__(self, rng):
        self.rng, self.arguments, self.lines, self.results, self.count = rng, [], [], [], 0

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def argument(self, shape):
        name = f"%arg{len(self.arguments)}"
        self.arguments.append((name, tensor(shape)))
        return name

    def op(self, text):
        name = self.fresh()
        self.lines.append(f"  {name} = {text}")
        return name

    def zeros(self, shape):
        type = tensor(shape)
        empty = self.op(f"tensor.empty() : {type}")
        return self.op(f"linalg.fill ins(%zero : f32) outs({empty} : {type}) -> {type}")

    def generic(self, inputs, out, maps, iterators, body, out_shape):
        """`inputs`: (value, shape); `body`: lines that use %i0, %i1, ..., %out and define %r."""
        types = ", ".join(tensor(s) for _, s in inputs)
        names = ", ".join(v for v, _ in inputs)
        arguments = ", ".join(f"%i{n}: f32" for n in range(len(inputs)))
        kinds = ", ".join(f'"{k}"' for k in iterators)
        text = (f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{kinds}]}} "
                f"ins({names} : {types}) outs({out} : {tensor(out_shape)}) {{\n"
                f"  ^bb0({arguments}, %out: f32):\n")
        text += "".join(f"    {line}\n" for line in body)
        return self.op(text + f"    linalg.yield %r : f32\n  }} -> {tensor(out_shape)}")

    def text(self):
        arguments = ", ".join(f"{n}: {t}" for n, t in self.arguments)
        types = ", ".join(tensor(s) for _, s in self.results)
        values = ", ".join(v for v, _ in self.results)
        return (f"func.func @f({arguments}) -> ({types}) {{\n"
                "  %zero = arith.constant 0.0 : f32\n  %one = arith.constant 1.0 : f32\n"
                "  %six = arith.constant 6.0 : f32\n"
                + "\n".join(self.lines) + f"\n  return {values} : {types}\n}}\n")


def tensor(shape):
    return "tensor<" + "".join(f"{e}x" for e in shape) + "f32>"


def affine(loops, results):
    return f"affine_map<({', '.join(loops)}) -> ({', '.join(results)})>"


MULTIPLY_ADD = ["%p = arith.mulf %i0, %i1 : f32", "%r = arith.addf %out, %p : f32"]


def product(f):
    """A matrix product as a generic; gives (value, shape, channel dimension)."""
    rng = f.rng
    extent = {"b": rng.choice([1, 2, 3]), "m": rng.randint(2, 7), "n": rng.randint(2, 9), "k": rng.randint(1, 12)}
    batched = rng.random() < 0.4
    lhs, rhs = rng.sample("mk", 2), rng.sample("kn", 2)
    if batched:
        lhs = ["b"] + lhs
        if rng.random() < 0.6:
            rhs = ["b"] + rhs
    out = (["b"] if batched else []) + ["m", "n"]
    loops = rng.sample(out + ["k"], len(out) + 1)
    shape = lambda dims: [extent[d] for d in dims]
    operands = [(f.argument(shape(lhs)), shape(lhs)), (f.argument(shape(rhs)), shape(rhs))]
    maps = [affine(loops, lhs), affine(loops, rhs)]
    if rng.random() < 0.3:
        operands.reverse()
        maps.reverse()
    kinds = ["reduction" if l == "k" else "parallel" for l in loops]
    value = f.generic(operands, f.zeros(shape(out)), maps + [affine(loops, out)], kinds, MULTIPLY_ADD, shape(out))
    return value, shape(out), len(out) - 1


def convolution(f):
    """A convolution, named or generic, with a pad in front of it or not."""
    rng = f.rng
    last = rng.random() < 0.5  # channels last
    stride, dilation = [rng.choice([1, 2]) for _ in "hw"], [rng.choice([1, 1, 2]) for _ in "hw"]
    kernel = [rng.choice([1, 2, 3]) for _ in "hw"]
    n, c, features = rng.choice([1, 2]), rng.randint(1, 5), rng.randint(2, 6)
    outputs = [rng.randint(3, 6) for _ in "hw"]
    size = [(o - 1) * s + (k - 1) * d + 1 for o, s, k, d in zip(outputs, stride, kernel, dilation)]
    pads = [(rng.choice([0, 0, 1]), rng.choice([0, 0, 1])) if s > 2 else (0, 0) for s in size]
    nchw = lambda ch, hw: [n] + list(hw) + [ch] if last else [n, ch] + list(hw)
    unpadded = nchw(c, [s - a - b for s, (a, b) in zip(size, pads)])
    padded = nchw(c, size)
    x = f.argument(unpadded)
    if padded != unpadded:
        place = lambda which: nchw(0, [p[which] for p in pads])
        place = lambda which: ([0] + [p[which] for p in pads] + [0] if last
                               else [0, 0] + [p[which] for p in pads])
        x = f.op(f"tensor.pad {x} low{place(0)} high{place(1)} {{\n"
                 f"  ^bb0(%a: index, %b: index, %c: index, %d: index):\n    tensor.yield %zero : f32\n"
                 f"  }} : {tensor(unpadded)} to {tensor(padded)}")
    out = nchw(features, outputs)
    layout = rng.choice(["hwcf", "fhwc"] if last else ["fchw"])
    generic = rng.random() < 0.6
    if generic:
        layout = rng.choice(["hwcf", "fhwc", "fchw", "cfhw"])
    extent = {"f": features, "c": c, "h": kernel[0], "w": kernel[1]}
    filter_shape = [extent[d] for d in layout]
    w = f.argument(filter_shape)
    if not generic:
        name = {"fchw": "conv_2d_nchw_fchw", "hwcf": "conv_2d_nhwc_hwcf", "fhwc": "conv_2d_nhwc_fhwc"}[layout]
        value = f.op(f"linalg.{name} {{strides = dense<{stride}> : vector<2xi64>, dilations = dense<{dilation}> : "
                     f"vector<2xi64>}} ins({x}, {w} : {tensor(padded)}, {tensor(filter_shape)}) "
                     f"outs({f.zeros(out)} : {tensor(out)}) -> {tensor(out)}")
        return value, out, 3 if last else 1
    loops = rng.sample(["n", "f", "oh", "ow", "c", "h", "w"], 7)
    window = [f"oh * {stride[0]} + h * {dilation[0]}", f"ow * {stride[1]} + w * {dilation[1]}"]
    x_map = ["n"] + window + ["c"] if last else ["n", "c"] + window
    out_map = ["n", "oh", "ow", "f"] if last else ["n", "f", "oh", "ow"]
    operands, maps = [(x, padded), (w, filter_shape)], [affine(loops, x_map), affine(loops, list(layout))]
    kinds = ["reduction" if l in "chw" else "parallel" for l in loops]
    value = f.generic(operands, f.zeros(out), maps + [affine(loops, out_map)], kinds, MULTIPLY_ADD, out)
    return value, out, 3 if last else 1


def elementwise(f, value, shape, operands, body):
    """`operands`: (value, shape, dims it varies along)."""
    loops = [f"d{i}" for i in range(len(shape))]
    maps = [affine(loops, loops)] + [affine(loops, [loops[d] for d in dims]) for _, _, dims in operands]
    inputs = [(value, shape)] + [(v, s) for v, s, _ in operands]
    empty = f.op(f"tensor.empty() : {tensor(shape)}")
    return f.generic(inputs, empty, maps + [affine(loops, loops)], ["parallel"] * len(shape), body, shape)


def step(f, value, shape, channel):
    """One step behind a layer, as one op or several."""
    rng = f.rng
    kind = rng.choice(["bias", "affine", "relu", "clamp", "residual", "gate", "sigmoid", "silu", "minus"])
    vector = lambda: (f.argument([shape[channel]]), [shape[channel]], [channel])
    whole = list(range(len(shape)))
    if kind == "bias":
        swapped = rng.random() < 0.5
        return elementwise(f, value, shape, [vector()],
                           ["%r = arith.addf %i1, %i0 : f32" if swapped else "%r = arith.addf %i0, %i1 : f32"])
    if kind == "affine":
        if rng.random() < 0.5:
            return elementwise(f, value, shape, [vector(), vector()],
                               ["%a = arith.mulf %i0, %i1 : f32", "%r = arith.addf %a, %i2 : f32"])
        value = elementwise(f, value, shape, [vector()], ["%r = arith.mulf %i1, %i0 : f32"])
        return elementwise(f, value, shape, [vector()], ["%r = arith.addf %i0, %i1 : f32"])
    if kind == "relu":
        return elementwise(f, value, shape, [], rng.choice([
            ["%r = arith.maximumf %i0, %zero : f32"],
            ["%c = arith.cmpf ugt, %i0, %zero : f32", "%r = arith.select %c, %i0, %zero : f32"]]))
    if kind == "clamp":
        value = elementwise(f, value, shape, [], ["%r = arith.maximumf %i0, %zero : f32"])
        return elementwise(f, value, shape, [], ["%r = arith.minimumf %i0, %six : f32"])
    if kind in ("residual", "gate", "minus"):
        op = {"residual": "addf", "gate": "mulf", "minus": "subf"}[kind]
        return elementwise(f, value, shape, [(f.argument(shape), shape, whole)], [f"%r = arith.{op} %i0, %i1 : f32"])
    gate = elementwise(f, value, shape, [], [
        "%n = arith.negf %i0 : f32", "%e = math.exp %n : f32", "%s = arith.addf %e, %one : f32",
        "%r = arith.divf %one, %s : f32"])
    if kind == "sigmoid":
        return gate
    return elementwise(f, value, shape, [(gate, shape, whole)], ["%r = arith.mulf %i1, %i0 : f32"])


def generate(seed, layers=6):
    f = Function(random.Random(seed))
    for _ in range(layers):
        value, shape, channel = f.rng.choice([product, convolution])(f)
        for _ in range(f.rng.randint(0, 4)):
            value = step(f, value, shape, channel)
        f.results.append((value, shape))
    return f.text()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", required=True)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    at = lambda name: os.path.join(options.work, name)
    for seed in range(options.first, options.first + options.seeds):
        source, raised = at(f"{seed}.mlir"), at(f"{seed}.raised.mlir")
        with open(source, "w") as file:
            file.write(generate(seed))
        fused = ["--linalg-fuse-elementwise-ops", "--canonicalize"] if seed % 2 else []
        run("top-opt", source, *fused, "--raise-linalg-to-top", "-o", raised)
        before, after = graph.count(source), graph.count(raised)
        if len(before.layers) != 6 or len(after.layers) != 6 or after.left:
            fail(f"seed {seed}: {len(before.layers)} layers, {len(after.layers)} after, left: {after.left}")
        if after.behind:
            fail(f"seed {seed}: left behind: {after.behind}")
        arguments = (f"--reference={source}", "--fill=normal", "--guard=nan", f"--seed={seed}")
        _, out, _ = run("top-run", raised, *arguments)
        line = out.strip().split("\n")[-1]
        if not re.match(r"PASS f: compared (\d+) of \1 elements with the reference lowered by upstream passes in double", line):
            fail(f"seed {seed}: {line}")
        for kind, text in mutate.mutations(raised, [0.5], optional=True):
            # A relu behind a sigmoid, say, does nothing.
            if kind.startswith("missing_activation"):
                continue
            # Nor does a bias where a step behind it cuts off all of a small result.
            if kind.startswith("dropped_bias") and any(
                    "%wrong" in line and re.search(r"step<(relu|clamp|hardswish)", line)
                    for line in text.split("\n")):
                continue
            with open(at("wrong.mlir"), "w") as file:
                file.write(text)
            status, out, _ = run("top-run", at("wrong.mlir"), *arguments, check=False)
            if status != 1 or not out.strip().split("\n")[-1].startswith("FAIL f "):
                fail(f"seed {seed}: {kind} was not found: {out}")
    print(f"{options.seeds} seeds agree")


if __name__ == "__main__":
    main()
