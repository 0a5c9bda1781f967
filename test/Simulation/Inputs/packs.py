# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packs of channels for many shapes, and what they must give.

usage: packs.py GROUP KERNELS REFERENCE

Writes two files with the same functions: one has a linalg.pack with a schedule,
the other a tensor.pad and a linalg.generic that transposes, or of images whose
channels are last already a tensor.pad and a tensor.expand_shape.
"""

import sys

IMAGES = [(1, 1), (7, 7), (14, 14), (28, 28), (13, 17)]


def shape(dims, element):
    return "tensor<" + "x".join(map(str, dims)) + "x" + element + ">"


class Images:
    """What both functions of a pack have in common: the argument has images of h x w, of which every steps-th pixel
    from `start` on is packed. `other` packs another part of the channels: those from there on. `extra` channels are a
    gap between images. `last` says that the channels are last."""

    def __init__(self, name, batch, c, h, w, packed, element, last, steps=(1, 1), start=(0, 0), other=0, extra=0):
        def order(channels, rows, columns):
            return [rows, columns, channels] if last else [channels, rows, columns]
        oh, ow = -(-(h - start[0]) // steps[0]), -(-(w - start[1]) // steps[1])
        self.element, self.batch = element, batch
        self.packed = batch + [oh, ow, 1, packed]
        whole = shape(batch + order(c + other + extra, h, w), element)
        self.part = shape(batch + order(c, oh, ow), element)
        self.padded = shape(batch + order(packed, oh, ow), element)
        self.result = shape(self.packed, element)
        self.added = [0] * len(batch) + order(packed - c, 0, 0)
        self.head = [f"func.func @{name}(%x: {whole}) -> {self.result} {{"]
        self.source = "%x"
        if whole != self.part:
            numbers = [[0] * len(batch) + order(other, *start), batch + order(c, oh, ow),
                       [1] * len(batch) + order(1, *steps)]
            slices = " ".join(f"[{', '.join(map(str, values))}]" for values in numbers)
            self.head.append(f"  %s = tensor.extract_slice %x{slices} : {whole} to {self.part}")
            self.source = "%s"
        zero = "0" if element.startswith("i") else "0.0"
        self.head += [f"  %zero = arith.constant {zero} : {element}", f"  %e = tensor.empty() : {self.result}"]

    def pack(self, how):
        return [f"  %r = linalg.pack {self.source} padding_value(%zero : {self.element}) {how} into %e "
                f"{{top.schedule = #top.schedule<>}} : {self.part} -> {self.result}"]

    def pad(self):
        """%p, with as many channels as the result has."""
        arguments = ", ".join(f"%i{i}: index" for i in range(len(self.added)))
        return [f"  %p = tensor.pad {self.source} low[{', '.join(['0'] * len(self.added))}] "
                f"high[{', '.join(map(str, self.added))}] {{",
                f"  ^bb0({arguments}):",
                f"    tensor.yield %zero : {self.element}",
                f"  }} : {self.part} to {self.padded}"]

    def functions(self, kernel, reference):
        tail = [f"  return %r : {self.result}", "}", ""]
        return "\n".join(self.head + kernel + tail), "\n".join(self.head + reference + tail)


def pack(name, batch, c, h, w, packed, element, *options):
    """The text of both functions; `options` are what follows `last` of Images."""
    images = Images(name, batch, c, h, w, packed, element, False, *options)
    b = len(batch)
    perm = ", ".join(map(str, list(range(b)) + [b + 1, b + 2, b]))
    dims = ", ".join(f"d{i}" for i in range(b + 4))
    read = "".join(f"d{i}, " for i in range(b))
    iterators = ", ".join(['"parallel"'] * (b + 4))
    moved = [
        f"  %r = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({read}d{b + 3}, d{b}, d{b + 1})>, "
        f"affine_map<({dims}) -> ({dims})>], iterator_types = [{iterators}]}}",
        f"    ins(%p : {images.padded}) outs(%e : {images.result}) {{",
        f"  ^bb0(%a: {element}, %b: {element}):",
        f"    linalg.yield %a : {element}",
        f"  }} -> {images.result}"]
    return images.functions(
        images.pack(f"outer_dims_perm = [{perm}] inner_dims_pos = [{b}] inner_tiles = [{packed}]"), images.pad() + moved)


def fill(name, batch, c, h, w, packed, element, *options):
    """As pack, of images whose channels are last already."""
    images = Images(name, batch, c, h, w, packed, element, True, *options)
    b = len(batch)
    groups = ", ".join([f"[{i}]" for i in range(b + 2)] + [f"[{b + 2}, {b + 3}]"])
    sizes = ", ".join(map(str, images.packed))
    expanded = [f"  %r = tensor.expand_shape %p [{groups}] output_shape [{sizes}] : {images.padded} into {images.result}"]
    return images.functions(images.pack(f"inner_dims_pos = [{b + 2}] inner_tiles = [{packed}]"),
                            images.pad() + expanded)


def round_up(c, element):
    """Channels of a pixel: 4, 8 or a multiple of 16 bytes."""
    unit = 128 // int(element.strip("if"))
    return 4 if c <= 4 < unit else 8 if c <= 8 < unit else -(-c // unit) * unit


def packs(group):
    if group in ("f16", "f32", "f64", "i8"):
        for c in (1, 3, 4, 5, 8, 17, 64):
            for h, w in IMAGES:
                yield f"c{c}_{h}x{w}", [2], c, h, w, round_up(c, group), group
    elif group == "strided":
        for element in ("f16", "f32", "f64", "i8"):
            for c in (3, 17, 64):
                for h, w in ((7, 7), (14, 14), (13, 17), (28, 28)):
                    yield f"s2_{element}_c{c}_{h}x{w}", [2], c, h, w, round_up(c, element), element, (2, 2)
        yield "s3_f16", [2], 24, 20, 31, 24, "f16", (3, 3)
        yield "s13_f16", [1], 24, 40, 40, 24, "f16", (13, 13)
        yield "s1x2_f16", [2], 24, 9, 30, 24, "f16", (1, 2)
        yield "s2x1_f16", [2], 24, 9, 30, 24, "f16", (2, 1)
        yield "s2_column", [2], 24, 15, 2, 24, "f16", (2, 2)
        yield "s2_row", [2], 24, 2, 15, 24, "f16", (2, 2)
    elif group == "sliced":
        # Parts of images, whose rows begin anywhere.
        yield "inner", [2], 16, 20, 30, 16, "f16", (1, 1), (3, 5)
        yield "inner_even", [2], 16, 20, 32, 16, "f16", (1, 1), (4, 8)
        yield "inner_strided", [2], 16, 20, 31, 16, "f16", (2, 2), (1, 1)
        yield "channels", [2], 17, 7, 7, 24, "f16", (1, 1), (0, 0), 3, 4
        yield "channels_even", [2], 16, 7, 7, 16, "f16", (1, 1), (0, 0), 8, 0
        yield "channels_i8", [3], 17, 5, 3, 32, "i8", (1, 1), (0, 0), 3, 4
        yield "channels_f32", [3], 17, 5, 3, 20, "f32", (1, 1), (0, 0), 3, 4
        yield "channels_f64", [3], 17, 5, 3, 18, "f64", (1, 1), (0, 0), 3, 4
    elif group == "others":
        yield "groups", [2, 3], 20, 9, 10, 24, "f16"
        yield "three_batches", [2, 1, 3], 5, 4, 6, 8, "f32"
        yield "no_batch", [], 40, 15, 11, 40, "f16"
        yield "filter", [16], 35, 3, 3, 40, "f16"
        yield "filter_1x1", [33], 35, 1, 1, 40, "f16"
        yield "filter_7x7", [8], 3, 7, 7, 4, "f16"
        yield "bf16", [1], 19, 11, 13, 24, "bf16"
        yield "f8", [1], 19, 11, 13, 32, "f8E4M3FN"
        yield "i32", [1], 19, 11, 13, 20, "i32"
        yield "odd_packed", [1], 3, 11, 13, 5, "f16"
        yield "odd_packed_i8", [1], 19, 11, 13, 21, "i8"
        yield "much_padding", [1], 3, 11, 13, 200, "f16"
        yield "more_padding", [1], 3, 11, 13, 700, "f32"
        yield "many_channels", [1], 300, 7, 7, 304, "f16"
        yield "wide", [1], 9, 2, 1030, 16, "f16"
        yield "wide_odd", [1], 9, 3, 515, 16, "f16"
        yield "tall_odd", [1], 9, 515, 3, 16, "f16"
        yield "big_odd", [1], 72, 65, 65, 72, "f16"
        yield "one_row", [1], 72, 1, 300, 72, "f16"
        yield "one_column", [1], 72, 300, 1, 72, "f16"
    elif group == "fill":
        for element in ("f16", "f32", "f64", "i8"):
            for c in (1, 3, 5, 17):
                for h, w in ((7, 7), (13, 17), (28, 28)):
                    yield f"{element}_c{c}_{h}x{w}", [2], c, h, w, round_up(c, element), element
        # Parts of images, and every second or third pixel.
        yield "inner", [2], 3, 20, 30, 4, "f16", (1, 1), (3, 5)
        yield "inner_17", [2], 17, 20, 30, 24, "f16", (1, 1), (3, 5)
        yield "strided", [2], 3, 20, 31, 4, "f16", (2, 2), (1, 1)
        yield "strided_17", [2], 17, 20, 31, 24, "f16", (3, 2), (1, 1)
        yield "channels", [2], 3, 7, 9, 4, "f16", (1, 1), (0, 0), 1, 1
        yield "channels_17", [2], 17, 7, 9, 24, "f16", (1, 1), (0, 0), 3, 40
        yield "channels_i8", [3], 5, 5, 3, 8, "i8", (1, 1), (0, 0), 2, 4
        # Groups, which are columns of rows; other element types; other ways to
        # cut an image into blocks; pixels that no block has whole.
        yield "groups", [2, 5], 3, 7, 4, 4, "f16"
        yield "no_batch", [], 3, 15, 11, 4, "f32"
        yield "bf16", [1], 19, 11, 13, 24, "bf16"
        yield "f8", [1], 19, 11, 13, 32, "f8E4M3FN"
        yield "i32", [1], 19, 11, 13, 20, "i32"
        yield "odd_packed", [1], 3, 11, 13, 5, "f16"
        yield "same", [1], 8, 11, 13, 8, "f16"
        yield "much_padding", [1], 3, 11, 13, 200, "f16"
        yield "wide", [1], 3, 2, 3030, 4, "f16"
        yield "wide_odd", [1], 3, 3, 3515, 4, "i8"
        yield "big_odd", [1], 13, 65, 65, 16, "f16"
        yield "one_row", [1], 7, 1, 900, 8, "f16"
        yield "one_column", [1], 7, 900, 1, 8, "f16"
        yield "one_pixel", [64], 7, 1, 1, 8, "f16"
        yield "one_pixel_17", [9], 17, 1, 1, 20, "f32"
        yield "half_a_block", [1], 4099, 3, 2, 4104, "f16"
        yield "one_block", [1], 8190, 1, 9, 8192, "f16"
        yield "two_blocks", [1], 9001, 3, 2, 9008, "f16"
        yield "two_blocks_i8", [1], 17001, 2, 1, 17008, "i8"


if __name__ == "__main__":
    group, kernels, reference = sys.argv[1:]
    write = fill if group == "fill" else pack
    texts = [write(*arguments) for arguments in packs(group)]
    for path, side in ((kernels, 0), (reference, 1)):
        with open(path, "w") as f:
            f.write("\n".join(text[side] for text in texts))
