"""A convolution as MLIR, and its way to PTX and a launch plan.

What make-cases.py, make-bench.py and time-conv.py share; products.py is the same
for matrix products. A case is a dict of JSON values; make() lists its fields.
Needs top-compile, and no GPU.
"""

import array
import pathlib
import random
import re
import statistics
import struct
import subprocess

import products

# Elements of a schedule, as `#top.schedule<...>` is printed and read.
FIELD = re.compile(r"(\w+) = (\[[^\]]*\]|[^,>]+)")


def make(name, n, c, h, w, f, kh, kw, kind, **options):
    """A convolution of n x c x h x w by f x c/group x kh x kw; `kind` tf32 is f32 that may be rounded to tf32.

    `filter` is "argument", or "constant": random values that the compiler sees.
    `tile` are options of top-tile, `layouts` which of "input" and "result" have
    their channels last. `sparse` are dimensions that an operand of the epilogue
    has only one element along. The other fields are those of products.make().
    """
    tf32 = kind == "tf32"
    kind = "f32" if tf32 else kind
    case = {"op": "conv", "name": name, "n": n, "c": c, "h": h, "w": w, "f": f, "kh": kh, "kw": kw,
            "strides": [1, 1], "pads": [0, 0, 0, 0], "dilations": [1, 1], "group": 1, "type": kind,
            "result_type": kind, "operand_type": None, "tf32": tf32, "bias": False, "epilogue": [], "sparse": [],
            "schedule": "", "without": [], "fill": "normal", "filter": "argument", "layouts": [], "tile": ""}
    case.update(options)
    case["operand_type"] = case["operand_type"] or case["result_type"]
    return case


def output_size(case):
    """OH and OW."""
    top, left, bottom, right = case["pads"]
    return tuple((extent + pad - (taps - 1) * dilation - 1) // stride + 1
                 for extent, pad, taps, dilation, stride in zip(
                     (case["h"], case["w"]), (top + bottom, left + right), (case["kh"], case["kw"]),
                     case["dilations"], case["strides"]))


def depth(case):
    """Products of one sum."""
    return case["c"] // case["group"] * case["kh"] * case["kw"]


def shapes(case):
    """Shapes of input, filter and result."""
    return ([case["n"], case["c"], case["h"], case["w"]],
            [case["f"], case["c"] // case["group"], case["kh"], case["kw"]],
            [case["n"], case["f"], *output_size(case)])


def operand_shapes(case):
    """(step, shape) of each operand behind the filter, the bias first."""
    result = shapes(case)[2]
    thin = [1 if dim in case["sparse"] else extent for dim, extent in enumerate(result)]
    for step in ["bias"] * case["bias"] + case["epilogue"]:
        for _ in range({"affine": 2, "add": 1, "mul": 1, "bias": 1}.get(step, 0)):
            yield step, [case["f"]] if step in ("bias", "affine") else thin


def tensor(shape, kind, last=False):
    encoding = ", #top.layout<channels_last>" if last else ""
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + kind + encoding + ">"


def to_mlir(case, schedule=None):
    """The function @f; its filter's bytes are filter_bytes(case)."""
    x, w, y = shapes(case)
    kind = case["type"]
    arguments = [("%x", tensor(x, kind, "input" in case["layouts"])), ("%w", tensor(w, kind))]
    names = {"bias": "%bias"}
    operands, extra = list(arguments), []
    for index, (step, shape) in enumerate(operand_shapes(case)):
        pair = (names.get(step, f"%e{index}"), tensor(shape, case["operand_type"]))
        (operands if step == "bias" else extra).append(pair)
    steps = ["#top.step<clamp, min = -1.0, max = 6.0>" if step == "clamp" else f"#top.step<{step}>"
             for step in case["epilogue"]]
    attributes = [f"{key} = array<i64: {', '.join(map(str, case[key]))}>" for key in ("strides", "pads", "dilations")]
    attributes.append(f"group = {case['group']} : i64")
    if case["tf32"]:
        attributes.append("allow_tf32")
    if steps:
        attributes.append("epilogue = [" + ", ".join(steps) + "]")
    schedule = case["schedule"] if schedule is None else schedule
    if schedule:
        attributes.append(f"top.schedule = #top.schedule<{schedule}>")
    join = lambda pairs: ", ".join(name for name, _ in pairs)
    epilogue = f" epilogue({join(extra)})" if extra else ""
    types = ", ".join(text for _, text in operands + extra)
    constant = ""
    taken = operands + extra
    if case["filter"] == "constant":
        constant = f'  %w = arith.constant dense<"0x{filter_bytes(case).hex()}"> : {operands[1][1]}\n'
        taken = [pair for pair in taken if pair[0] != "%w"]
    out = tensor(y, case["result_type"], "result" in case["layouts"])
    return (f"func.func @f({', '.join(f'{name}: {text}' for name, text in taken)}) -> {out} {{\n{constant}"
            f"  %y = top.Conv2D {join(operands)}{epilogue} {{{', '.join(attributes)}}} : ({types}) -> {out}\n"
            f"  return %y : {out}\n}}\n")


def filter_bytes(case):
    """Values of a constant filter, the same for equal shapes: about normal, so that results are about 1.

    Of the 16-bit types the upper byte is one of 256 quantiles and the lower one
    random, which takes no time for millions of them.
    """
    shape = shapes(case)[1]
    count = shape[0] * shape[1] * shape[2] * shape[3]
    rng = random.Random(repr(shape))
    normal = statistics.NormalDist(0, max(depth(case), 1) ** -0.5)
    kind = case["type"]
    if kind in ("f16", "bf16"):
        quantiles = [normal.inv_cdf((i + 0.5) / 256) for i in range(256)]
        upper = bytes(struct.pack("<e", q)[1] if kind == "f16" else struct.pack("<f", q)[3] for q in quantiles)
        values = bytearray(2 * count)
        values[0::2] = rng.randbytes(count)
        values[1::2] = rng.randbytes(count).translate(upper)
        return bytes(values)
    return array.array({"f32": "f", "f64": "d"}[kind], (rng.gauss(0, normal.stdev) for _ in range(count))).tobytes()


def parse_schedule(text):
    """Fields of a printed schedule, as texts."""
    return dict(FIELD.findall(text))


def format_schedule(fields):
    return ", ".join(f"{name} = {value}" for name, value in fields.items())


def choice(case, fields):
    """What is done with the input: "direct", "product", "packed", "channels last" or "straight".

    The words of the schedule: engine direct keeps a tile with its halo; what lies
    channels last is read so; a convolution of one tap, stride 1 and no pads that
    is not packed is a product.
    """
    if fields.get("engine") == "direct":
        return "direct"
    if fields.get("repack") == "true":
        return "packed"
    if "input" in case["layouts"]:
        return "channels last"
    plain = case["kh"] == case["kw"] == case["group"] == 1 and case["strides"] == [1, 1] and not any(case["pads"])
    return "product" if plain else "straight"


def find_schedule(source, compiler, chip, card):
    """Fields of the schedule that the compiler takes for the only op of a file."""
    command = [compiler, str(source), f"--chip={chip}", "--stop-after=top-assign-schedule"]
    if card:
        command.append(f"--card={card}")
    result = subprocess.run(command, capture_output=True, text=True, timeout=products.TIMEOUT)
    found = re.search(r"#top\.schedule<([^>]*)>", result.stdout)
    return parse_schedule(found.group(1)) if found else {}


def compile_case(case, folder, compiler, chip, card=None, report=False):
    """products.compile_case for a convolution; a constant filter is also NAME.filter, for who checks results."""
    flags = [f"--tile={case['tile']}"] if case["tile"] else []
    result = products.compile_text(case, to_mlir(case), folder, compiler, chip, card, report, flags)
    if case["filter"] == "constant":
        (pathlib.Path(folder) / (case["name"] + ".filter")).write_bytes(filter_bytes(case))
    return result


def suite_cases(rows, schedule, filter_kind, layouts):
    """The convolutions of test/bench/suite.json."""
    for row in rows:
        for kind in row["dtypes"]:
            case = make(f"{row['name']}-{kind}", *(row[key] for key in ("n", "c", "h", "w", "f", "kh", "kw")), kind,
                        schedule=schedule, filter=filter_kind, layouts=layouts,
                        **{key: row[key] for key in ("strides", "pads", "dilations", "group")})
            yield {**case, "core": row["core"], "why": row["why"]}
