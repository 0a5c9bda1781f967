# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes a network of top ops wrong in one layer, in ways that keep its types: the
# comparison must find each, wherever in the network it is.

import re

LAYER = re.compile(r"\s*(%[\w$.]+) = top\.(Conv2D|MatMul) ([^:{]*?)( epilogue\(([^)]*)\))?"
                   r"( \{.*\})? : \((.*)\) -> (tensor<.*>)\s*$")


def transposed_weight(line, match, number):
    operands = [o.strip() for o in match.group(3).split(",")]
    types = re.findall(r"tensor<[^>]*>", match.group(7))
    shape = [int(e) for e in re.findall(r"(\d+)x", types[1])]
    if len(shape) == 4 and shape[0] == shape[1]:
        permutation = "[1, 0, 2, 3]"
    elif len(shape) == 4 and shape[2] == shape[3] > 1:
        permutation = "[0, 1, 3, 2]"
    elif len(shape) == 2 and shape[0] == shape[1]:
        permutation = "[1, 0]"
    else:
        return None
    head = (f"    %wrong_e{number} = tensor.empty() : {types[1]}\n"
            f"    %wrong{number} = linalg.transpose ins({operands[1]} : {types[1]}) "
            f"outs(%wrong_e{number} : {types[1]}) permutation = {permutation}\n")
    begin, end = match.span(3)
    operands[1] = f"%wrong{number}"
    return head + line[:begin] + ", ".join(operands) + line[end:]


def shifted_window(line, match, number):
    def shift(pads):
        top, left, bottom, right = pads.groups()
        return f"pads = array<i64: {int(top) - 1}, {left}, {int(bottom) + 1}, {right}>"
    shifted = re.sub(r"pads = array<i64: ([1-9]\d*), (\d+), (\d+), (\d+)>", shift, line)
    return shifted if shifted != line else None


def dropped_bias(line, match, number):
    types = re.findall(r"tensor<[^>]*>", match.group(7))
    operands = [o.strip() for o in match.group(3).split(",")]
    steps = re.findall(r"#top\.step<(\w+)>", match.group(6) or "")
    if len(operands) == 3:
        position, where = 2, 3
    elif steps[:1] == ["affine"]:
        # Its shift.
        operands = [o.strip() for o in match.group(5).split(",")]
        position, where = 1, 5
        types = types[len(types) - len(operands):]
    else:
        return None
    # Not the zeros of the file, which may be a bias to randomize.
    head = f"    %wrong{number} = arith.constant dense<-0.0> : {types[position]}\n"
    operands[position] = f"%wrong{number}"
    begin, end = match.span(where)
    return head + line[:begin] + ", ".join(operands) + line[end:]


def missing_activation(line, match, number):
    without = re.sub(r"(, )?#top\.step<(relu|silu|clamp|gelu|hardswish|sigmoid)[^>]*>", "", line, count=1)
    without = without.replace("epilogue = [, ", "epilogue = [")
    without = re.sub(r"epilogue = \[\](, )?", "", without).replace(", }", "}").replace(" {}", "")
    return without if without != line else None


KINDS = (transposed_weight, shifted_window, dropped_bias, missing_activation)


def mutations(path, places, optional=False):
    """Yields (description, text): each kind in the first layer that allows it
    from each place on, given as a part of the layers, 0 to 1. A kind that no
    layer allows is an error unless optional."""
    with open(path) as file:
        lines = file.read().split("\n")
    layers = [i for i, line in enumerate(lines) if LAYER.match(line)]
    if not layers:
        raise SystemExit(f"mutate.py: error: no layers in {path}")
    for kind in KINDS:
        for place in places:
            start = min(int(place * len(layers)), len(layers) - 1)
            # Backwards where nothing that follows allows it.
            for number in list(range(start, len(layers))) + list(range(start - 1, -1, -1)):
                line = lines[layers[number]]
                wrong = kind(line, LAYER.match(line), number)
                if wrong is not None:
                    break
            else:
                if optional:
                    continue
                raise SystemExit(f"mutate.py: error: no layer for {kind.__name__} in {path}")
            text = list(lines)
            text[layers[number]] = wrong
            yield f"{kind.__name__} in layer {number} of {len(layers)}", "\n".join(text)
