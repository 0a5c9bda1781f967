# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Counts layers, and the elementwise ops behind them, in the text of a file of
# linalg or top ops. Reads text by itself and shares nothing with the compiler,
# whose counts it is there to check.
#
# An elementwise op is behind a layer R (a convolution or product) if the value
# of each of its elements depends on R through one element of R's result only:
# it reads R's result, through nothing but elementwise ops and rearrangements
# that neither repeat nor drop elements, and no operand of it depends on R in
# any other way. That is what can be computed as R's result is stored. Not
# behind, for example: (x - mean(x)) of a layer norm, whose mean needs a whole
# row of R's result; a gate computed from a pooled R, repeated over the image (it
# is not behind the layer that computes the gate); a BatchNorm of concatenated
# features.

import re

LAYER = re.compile(
    r"linalg\.(conv_|depthwise_conv_|grouped_conv_|matmul|batch_matmul|quantized_|matvec|vecmat|dot|contract)"
    r"|top\.(Conv2D|MatMul)$")
MOVES = {"tensor.expand_shape", "tensor.collapse_shape", "tensor.cast", "linalg.transpose"}
NAMED = re.compile(
    r"linalg\.(add|sub|mul|div|max|min|exp|log|abs|negf|floor|ceil|sqrt|rsqrt|erf|tanh|square|"
    r"reciprocal|round|powf|select|elementwise|map)$")
DEF = re.compile(r"\s*(%[\w$.]+)(?::\d+)?\s*=\s*\"?([\w.]+)\"?")
TENSOR = re.compile(r"tensor<([^<>]*(?:<[^<>]*>)?[^<>]*)>")
USE = re.compile(r"%[\w$.]+")


class Op:
    def __init__(self, name, head):
        self.name, self.head, self.body = name, head, []
        self.type = ""
        self.kind = "other"
        self.inputs = []
        self.uses = USE.findall(head)


def elements(type_text):
    """The number of elements, as text where an extent is dynamic."""
    extents = re.findall(r"(\d+|\?)x", type_text)
    if "?" in extents:
        return "x".join(extents)
    count = 1
    for extent in extents:
        count *= int(extent)
    return count


def classify(op):
    text = op.head
    inside = re.search(r"ins\(([^:)]*)", text)
    outside = re.search(r"outs\(([^:)]*)", text)
    op.inputs = USE.findall(inside.group(1)) if inside else list(op.uses)
    outs = USE.findall(outside.group(1)) if outside else []
    if LAYER.match(op.name):
        op.kind = "layer"
        return
    if op.name in MOVES:
        op.kind = "move"
        op.inputs = op.inputs[:1]
        return
    if NAMED.match(op.name):
        op.kind = "elementwise"
        return
    if op.name != "linalg.generic":
        return
    arguments = re.findall(r"(%[\w$.]+):", next((l for l in op.body if "^bb" in l), ""))
    ops = [l for l in op.body if DEF.match(l)]
    used = set(USE.findall(" ".join(l.split("=", 1)[-1] for l in op.body if "^bb" not in l)))
    # The old contents of the destination, where they are read.
    for value, argument in zip(outs, arguments[len(op.inputs):]):
        if argument in used:
            op.inputs.append(value)
    if '"reduction"' in text:
        names = [DEF.match(l).group(2) for l in ops]
        if len(outs) == 1 and "arith.mulf" in names and "arith.addf" in names and len(op.inputs) == 3:
            op.kind = "layer"
        return
    op.kind = "elementwise" if ops else "move"


def parse(path):
    """name -> Op for the values of the functions of a file, in order."""
    values, stack, current = {}, [], None
    with open(path) as file:
        lines = file.read().split("\n")
    for line in lines:
        if line.startswith("{-#"):
            break
        code = line.split("//")[0]
        if current is not None:
            current.body.append(code)
            stack[-1] += code.count("{") - code.count("}")
            if stack[-1] <= 0:
                types = TENSOR.findall(code.split("}", 1)[-1])
                current.type = types[-1] if types else current.type
                classify(current)
                current = None
            continue
        match = DEF.match(code)
        if not match:
            continue
        op = Op(match.group(2), code.split("=", 1)[1])
        values[match.group(1)] = op
        types = TENSOR.findall(code)
        op.type = types[-1] if types else ""
        if code.count("{") > code.count("}"):
            current = op
            stack = [code.count("{") - code.count("}")]
        else:
            classify(op)
    return values


class Counts:
    def __init__(self, layers, left, behind):
        self.layers = layers  # linalg and top
        self.left = left  # those of linalg
        self.behind = behind  # names of elementwise ops behind a layer


def count(path):
    values = parse(path)
    order = list(values)
    layers = [v for v in order if values[v].kind == "layer"]
    behind = set()
    for layer in layers:
        size = elements(values[layer].type)
        depends, local = {layer}, {layer}
        for value in order[order.index(layer) + 1:]:
            op = values[value]
            everything = op.uses if op.kind in ("other", "layer") else op.inputs
            # A region may read any value from above.
            everything = everything + USE.findall(" ".join(op.body))
            if not any(v in depends for v in everything):
                continue
            depends.add(value)
            if op.kind not in ("move", "elementwise") or elements(op.type) != size:
                continue
            if all(v in local or v not in depends for v in op.inputs):
                local.add(value)
                if op.kind == "elementwise":
                    behind.add(value)
    left = [v for v in layers if values[v].name.startswith("linalg.")]
    return Counts(layers, left, sorted(behind))


if __name__ == "__main__":
    import sys

    for path in sys.argv[1:]:
        counts = count(path)
        print(f"{path}: {len(counts.layers)} layers, {len(counts.left)} of linalg, "
              f"{len(counts.behind)} elementwise ops behind")
