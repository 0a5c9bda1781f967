"""The convolutions that make-cases.py compiles for check-on-device.py.

Edge cases, the public faults that a kernel can have, a grid over engines, types,
stages, levels and epilogues, and random ones. Each is a dict of convs.make().
"""

import itertools
import json
import random

import convs
import products

STEPS = ["relu", "silu", "sigmoid", "gelu", "hardswish", "clamp", "affine", "add", "mul"]
LEVELS = ["top-promote-shared", "top-multi-buffer", "top-swizzle", "top-tile-to-warps", "top-prefetch-fragments"]
# Engines with the types that each takes.
ENGINES = {"simt": ["f64", "f32", "f16", "bf16"], "mma_sync": ["f16", "bf16", "tf32"],
           "direct": ["f64", "f32", "f16", "bf16"]}
# Block and warp (and thread) tiles; K steps are whole instructions of every type.
SIMT_TILES = [([64, 64, 16], [32, 32], [8, 4]), ([32, 32, 8], [32, 32], [8, 4]), ([64, 32, 32], [16, 32], [4, 4]),
              ([16, 64, 16], [16, 32], [4, 4]), ([16, 16, 48], [16, 16], [4, 2]), ([24, 48, 24], [24, 48], [6, 6])]
MMA_TILES = [([64, 64, 32], [32, 32]), ([32, 32, 16], [32, 32]), ([16, 64, 64], [16, 16]), ([128, 64, 32], [32, 32]),
             ([16, 8, 16], [16, 8]), ([48, 48, 48], [48, 24]), ([64, 128, 64], [64, 32]), ([16, 24, 32], [16, 24])]
RESULT_TYPES = {"f32": ["f32"], "tf32": ["f32"], "f16": ["f16", "f32"], "bf16": ["bf16", "f32"], "f64": ["f64"]}


def tile_text(batch, height, width):
    sizes = {"batch": batch, "height": height, "width": width}
    return " ".join(f"{name}={size}" for name, size in sizes.items() if size > 0)


def edge_cases(large):
    """The valid rows of test/cases/edge_cases.json, whole and cut by top-tile, and with 16-bit operands."""
    for row in json.load(open(products.ROOT / "test/cases/edge_cases.json"))["conv"]:
        if row["invalid"] or (row.get("large") and not large):
            continue
        sizes = [row[key] for key in ("n", "c", "h", "w", "f", "kh", "kw")]
        options = dict(strides=[row["sh"], row["sw"]], pads=[row[key] for key in ("pt", "pl", "pb", "pr")],
                       dilations=[row["dh"], row["dw"]], group=row["groups"], fill=row.get("fill", "normal"), bias=True)
        name = f"conv-edge-{row['id']}"
        yield convs.make(name, *sizes, row["dtype"], **options)
        if row.get("large"):
            continue
        tile = tile_text(row["tile_n"], row["tile_h"], row["tile_w"])
        if tile:
            yield convs.make(name + "-tiled", *sizes, row["dtype"], tile=tile, **options)
        if row["dtype"] == "f32":
            yield convs.make(name + "-f16", *sizes, "f16", **options)
            yield convs.make(name + "-tf32", *sizes, "tf32", **options)


def fault_shapes():
    """(name, sizes, options) of the faults of the public reports that a kernel can have and no edge case is."""
    one = dict(pads=[1, 1, 1, 1])
    for extent, pad in itertools.product((15, 16, 17, 32), (0, 1, 2)):  # some sizes only
        yield f"C14-{extent}-{pad}", (1, 4, extent, extent, 4, 3, 3), dict(pads=[pad] * 4)
    yield "C12-pad-100", (1, 2, 8, 8, 3, 3, 3), dict(pads=[100] * 4)
    yield "C12-one-side", (1, 2, 8, 8, 3, 3, 3), dict(pads=[0, 9, 0, 0])
    yield "C15-no-pads", (1, 8, 9, 9, 4, 3, 3), {}
    yield "C16-order", (2, 3, 10, 10, 4, 3, 3), dict(pads=[1, 2, 1, 2])
    yield "C16-1x7", (2, 3, 10, 10, 4, 1, 7), dict(pads=[0, 3, 0, 3])
    yield "C17-causal", (1, 3, 8, 8, 4, 3, 3), dict(pads=[2, 2, 0, 0])
    yield "C17-same", (1, 3, 8, 8, 4, 3, 3), dict(pads=[0, 0, 1, 1], strides=[2, 2])
    yield "C18-negative", (64, 64, 4, 4, 64, 2, 2), dict(strides=[2, 1], pads=[3, 2, 0, 0], dilations=[1, 2])
    yield "C19-edge", (1, 4, 5, 5, 4, 1, 1), one
    yield "C20-larger", (1, 2, 3, 3, 2, 7, 7), dict(pads=[3, 3, 3, 3])
    yield "C20-h1", (1, 2, 1, 8, 2, 5, 3), dict(pads=[2, 1, 2, 1])
    yield "C21-stride", (1, 8, 32, 32, 16, 1, 1), dict(strides=[2, 2])
    yield "C21-pads", (1, 8, 32, 32, 16, 1, 1), one
    yield "C22-gaps", (1, 2, 17, 17, 2, 2, 2), dict(strides=[5, 5])
    yield "C23-dilation", (1, 2, 16, 16, 2, 3, 3), dict(pads=[4] * 4, dilations=[4, 4])
    yield "C25-depthwise", (1, 8, 16, 16, 8, 5, 5), dict(pads=[1, 1, 2, 2], strides=[2, 2], group=8)
    yield "C25-unequal", (1, 8, 16, 16, 8, 5, 5), dict(pads=[1, 1, 2, 2], strides=[1, 2], group=8)
    yield "C27-grouped", (4, 16, 8, 8, 32, 1, 1), dict(group=4)
    yield "C27-grouped-s2", (4, 16, 8, 8, 32, 1, 1), dict(group=4, strides=[2, 2])
    yield "C27-g64", (2, 64, 8, 8, 128, 3, 3), dict(group=64, **one)
    yield "C28-reduction", (2, 16, 11, 13, 33, 3, 3), one  # 144, by K steps of 32
    yield "C29-few-channels", (1, 3, 9, 9, 8, 3, 3), one
    yield "C31-misaligned", (2, 16, 7, 7, 24, 3, 3), one
    yield "C33-pads-3", (1, 1, 16, 16, 1, 3, 3), dict(pads=[3] * 4)
    yield "C36-repeats", (2, 16, 34, 34, 16, 3, 3), dict(strides=[2, 2])
    yield "C49-batch", (65536, 1, 4, 4, 2, 1, 1), {}
    yield "C56-pad-c", (1, 4, 16, 16, 16, 3, 3), {}
    yield "C57-divergent", (1, 17, 10, 10, 33, 3, 3), one
    yield "C69-tiny", (1, 1, 1, 1, 1, 1, 1), {}
    yield "C69-few", (1, 1, 9, 11, 1, 3, 3), {}
    yield "C77-k4", (1, 2, 8, 8, 3, 4, 4), dict(strides=[2, 2], pads=[1, 1, 2, 2])


# One schedule for each way of reading the input.
WAYS = {"simt": ("f32", "engine = simt, block = [32, 64, 16], warp = [16, 32], thread = [4, 4], stages = 2"),
        "straight": ("f16", "engine = mma_sync, block = [32, 64, 32], warp = [16, 32], stages = 3"),
        "packed": ("f16", "engine = mma_sync, block = [32, 64, 32], warp = [16, 32], stages = 3, repack = true"),
        "rows": ("f16", "engine = mma_sync, block = [64, 32, 32], warp = [32, 16], stages = 3, repack = true, "
                        "pixels = rows")}


def fault_cases():
    for name, sizes, options in fault_shapes():
        for way, (kind, schedule) in WAYS.items():
            yield convs.make(f"conv-fault-{name}-{way}", *sizes, kind, bias=True, schedule=schedule, **options)
        if options.get("group", 1) == sizes[1]:
            yield convs.make(f"conv-fault-{name}-direct", *sizes, "f32", bias=True, schedule="engine = direct",
                             **options)
    yield convs.make("conv-fault-C67-twice", 1, 16, 66, 66, 16, 3, 3, "f32", group=16, tile="batch=1 height=4 width=16")


def grid_cases():
    """Stages, levels, parts of K, epilogues and filters, for each way and type."""
    sizes, options = (2, 20, 9, 13, 37, 3, 3), dict(strides=[1, 2], pads=[1, 2, 1, 0], bias=True)
    for way, (usual, schedule) in WAYS.items():
        engine = schedule.split(",")[0].split(" = ")[1]
        base = schedule.replace("stages = 3", "stages = {}").replace("stages = 2", "stages = {}")
        for kind in ENGINES[engine]:
            name = f"conv-%s-{way}-{kind}"
            for stages in range(1, 5):
                yield convs.make(name % "stages" + f"-{stages}", *sizes, kind, schedule=base.format(stages), **options)
            for parts in (2, 3, 5):
                yield convs.make(name % "parts" + f"-{parts}", *sizes, kind,
                                 schedule=base.format(2) + f", split_k = {parts}", **options)
            for result in RESULT_TYPES[kind]:
                yield convs.make(name % "to" + f"-{result}", *sizes, kind, schedule=base.format(2),
                                 result_type=result, epilogue=["affine", "relu"], **options)
            yield convs.make(name % "constant", *sizes, kind, schedule=base.format(2), filter="constant", **options)
            for layouts in (["input"], ["result"], ["input", "result"]):
                yield convs.make(name % "last" + "-" + "-".join(layouts), *sizes, kind, schedule=base.format(2),
                                 layouts=layouts, **options)
        for count in range(len(LEVELS) + 1):
            for without in itertools.combinations(LEVELS, count):
                yield convs.make(f"conv-ladder-{way}-" + "".join(str(LEVELS.index(level)) for level in without),
                                 *sizes, usual, schedule=base.format(3), without=list(without), **options)
        for step in STEPS:
            for sparse in ([], [0], [1], [2, 3], [0, 2, 3])[:5 if step in ("add", "mul") else 1]:
                yield convs.make(f"conv-step-{way}-{step}-" + "".join(map(str, sparse)), *sizes, usual,
                                 schedule=base.format(2), epilogue=[step], sparse=sparse, **options)
        yield convs.make(f"conv-steps-{way}", *sizes, usual, schedule=base.format(2), operand_type="f32",
                         epilogue=["affine", "add", "relu", "mul", "silu"], **options)
    # No schedule of ours: the one that the compiler finds for the chip.
    for kind in ("f16", "bf16", "tf32", "f32", "f64"):
        for index, (shape, more) in enumerate((
                ((2, 64, 14, 14, 64, 3, 3), dict(pads=[1] * 4)), ((8, 3, 33, 31, 32, 7, 7), dict(strides=[2, 2], pads=[3] * 4)),
                ((4, 32, 17, 17, 48, 1, 1), {}), ((1, 256, 7, 7, 64, 3, 3), dict(pads=[1] * 4)),
                ((2, 48, 15, 15, 48, 3, 3), dict(pads=[1] * 4, group=48)),
                ((2, 64, 15, 15, 64, 3, 3), dict(pads=[1] * 4, group=16)), ((1, 32, 65, 63, 3, 3, 3), dict(pads=[1] * 4)))):
            yield convs.make(f"conv-default-{kind}-{index}", *shape, kind, filter="constant", bias=True,
                             epilogue=["relu"], **more)
    # The direct engine, for groups of few channels.
    for kind in ENGINES["direct"]:
        for index, (group, multiplier, kernel, stride, dilation) in enumerate((
                (12, 1, (3, 3), 1, 1), (12, 2, (3, 3), 2, 1), (7, 1, (5, 5), 1, 2), (5, 3, (7, 7), 1, 1), (9, 1, (1, 7), 3, 1),
                (6, 1, (3, 3), 1, 12))):
            yield convs.make(f"conv-direct-{kind}-{index}", 2, group, 25, 31, group * multiplier, *kernel, kind,
                             group=group, strides=[stride] * 2, dilations=[dilation] * 2, pads=[1, 2, 3, 0], bias=True,
                             epilogue=["relu"], schedule="engine = direct")


def random_extents(rng):
    """Sizes whose outputs exist, with every kind of window: (options, sizes)."""
    while True:
        kh, kw = rng.choice([(1, 1), (1, 1), (2, 2), (3, 3), (3, 3), (3, 3), (4, 4), (5, 5), (7, 7), (1, 7), (7, 1),
                             (2, 3), (5, 20)])
        group = rng.choice([1, 1, 1, 1, 2, 3, 8, 0])
        if group == 0:  # depthwise, with a multiplier
            group = rng.choice([3, 8, 17, 32])
            c, f = group, group * rng.choice([1, 1, 2, 3])
        else:
            c = group * rng.choice([1, 3, 4, 5, 7, 8, 16, 17, 24, 32, 48])
            f = group * rng.choice([1, 3, 8, 16, 31, 33, 64])
        h, w = (rng.choice([1, 2, 3, 5, 7, 8, 9, 13, 16, 17, 21, 31, 33]) for _ in range(2))
        dilations = [rng.choice([1, 1, 1, 2, 3, 4, 12]) for _ in range(2)]
        strides = [rng.choice([1, 1, 2, 3, 4]) for _ in range(2)]
        # None, the usual ones, any below the kernel, and beyond it: windows wholly in padding.
        spans = [(kh - 1) * dilations[0] + 1, (kw - 1) * dilations[1] + 1]
        kind = rng.choice(["none", "same", "below", "beyond"])
        pads = {"none": lambda span: 0, "same": lambda span: span // 2, "below": lambda span: rng.randint(0, span - 1),
                "beyond": lambda span: rng.choice([0, span, span + rng.randint(0, 3)])}[kind]
        pads = [pads(spans[0]), pads(spans[1]), pads(spans[0]), pads(spans[1])]
        options = dict(strides=strides, pads=pads, dilations=dilations, group=group)
        sizes = (rng.choice([0, 1, 1, 2, 2, 3, 5]), c, h, w, f, kh, kw)
        case = convs.make("", *sizes, "f32", **options)
        oh, ow = convs.output_size(case)
        if oh >= 1 and ow >= 1 and max(sizes[0], 1) * f * oh * ow * convs.depth(case) <= 2e7:
            return sizes, options


def random_box(rng, pixels):
    """[TI, TH, TW] of at most so many pixels."""
    box = []
    for _ in range(3):
        box.append(rng.choice([size for size in (1, 1, 2, 3, 4, 5, 7, 8, 14, 16, 32, 56) if size <= pixels]))
        pixels //= box[-1]
    rng.shuffle(box)
    return box


def random_schedule(rng, engine, depth):
    if engine == "direct":
        return "engine = direct"
    if engine == "simt":
        block, warp, thread = rng.choice(SIMT_TILES)
        text = f"engine = simt, block = {block}, warp = {warp}, thread = {thread}"
    else:
        block, warp = rng.choice(MMA_TILES)
        text = f"engine = mma_sync, block = {block}, warp = {warp}"
    pixels = rng.choice(["columns", "columns", "rows"])
    text += (f", stages = {rng.randint(1, 4)}, swizzle = {rng.choice(['true', 'true', 'false'])}, order = "
             f"{rng.choice(['row', 'column', 'grouped(2)'])}, repack = {rng.choice(['true', 'false'])}, pixels = {pixels}, "
             f"split_k = {min(rng.choice([1, 1, 2, 3]), -(-depth // block[2]))}")
    if rng.random() < 0.5:
        text += f", box = {random_box(rng, block[0] if pixels == 'rows' else block[1])}"
    return text


def random_cases(count, seed):
    """`count` in all, engines and types in turn."""
    rng = random.Random(seed)
    turns = itertools.cycle([(engine, kind) for engine, kinds in ENGINES.items() for kind in kinds])
    for index in range(count):
        engine, kind = next(turns)
        sizes, options = random_extents(rng)
        while engine == "direct" and sizes[1] // options["group"] > 4:  # for groups of few channels
            sizes, options = random_extents(rng)
        case = convs.make("", *sizes, kind, **options)
        result = rng.choice(RESULT_TYPES[kind])
        tile = tile_text(rng.choice([0, 1, 2]), rng.choice([0, 2, 5]), rng.choice([0, 3, 8])) if rng.random() < 0.2 else ""
        yield convs.make(f"conv-random-{engine}-{kind}-{index}", *sizes, kind, result_type=result,
                         operand_type=rng.choice([result, "f32"]) if result in ("f16", "bf16") else None,
                         bias=rng.random() < 0.5, epilogue=rng.sample(STEPS, rng.choice([0, 0, 1, 2, 3])),
                         sparse=rng.choice([[], [], [0], [2, 3]]),
                         schedule=random_schedule(rng, engine, convs.depth(case)) if rng.random() < 0.85 else "",
                         filter=rng.choice(["argument", "constant"]),
                         layouts=[side for side in ("input", "result") if rng.random() < 0.15],
                         without=[level for level in LEVELS if rng.random() < 0.05], tile=tile, **options)


def all_cases(count, seed, large):
    return itertools.chain(edge_cases(large), fault_cases(), grid_cases(), random_cases(count, seed))
