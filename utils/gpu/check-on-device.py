#!/usr/bin/env python3
"""Runs what make-cases.py compiled, and compares with PyTorch in f64, or i64 for i8.

    utils/gpu/check-on-device.py CASES [--repeats=100] [--only=REGEX]

Needs a GPU, PyTorch (with floats of 8 bits, for those cases) and NumPy. Every buffer
lies between guard zones, results and workspace are NaN before each run (-1 in
integers), inputs are random for each case. An element is right within half an ulp of
the result's type plus K * 2^-24 * sum|a*b| of rounding (2^-53 for f64), carried
through the epilogue; an i32 must be the very number. Each case is run `--repeats` times,
and the results must be equal bit by bit.
"""

import argparse
import json
import pathlib
import re
import sys
import time

import numpy as np
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "docs/examples"))
import convs  # noqa: E402
import launch  # noqa: E402

TORCH_TYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16,
               "i8": torch.int8, "i32": torch.int32}
# Of newer versions alone.
TORCH_TYPES.update({kind: getattr(torch, name) for kind, name in
                    (("f8E4M3FN", "float8_e4m3fn"), ("f8E5M2", "float8_e5m2")) if hasattr(torch, name)})
HALF_ULP = {"f64": 2.0**-53, "f32": 2.0**-24, "f16": 2.0**-11, "bf16": 2.0**-8}
SMALLEST = {"f64": 2.0**-1074, "f32": 2.0**-149, "f16": 2.0**-24, "bf16": 2.0**-133}


def to_numpy(value):
    if value.dtype == torch.bfloat16:
        return value.view(torch.uint16).numpy() if hasattr(torch, "uint16") else value.view(torch.int16).numpy()
    if value.dtype.is_floating_point and value.element_size() == 1:
        return value.view(torch.uint8).numpy()
    return value.numpy()


def to_torch(array, kind):
    if kind == "bf16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def apply_step(step, x, error, operands, unit):
    """One step in f64, and how far the value may be off behind it."""
    if step == "affine":
        scale, shift = operands
        y = x * scale + shift
        error = error * scale.abs() + 2 * unit * ((x * scale).abs() + shift.abs())
    elif step == "add":
        y = x + operands[0]
        error = error + unit * y.abs()
    elif step == "mul":
        y = x * operands[0]
        error = error * operands[0].abs() + unit * y.abs()
    elif step == "relu":
        y = x.clamp(min=0)
    elif step == "clamp":
        y = x.clamp(-1, 6)
    else:
        # Slopes are at most 1.13; the function itself is off by a few units.
        # (torch.nn.functional.hardswish multiplies by 1/6 in f32, also in f64.)
        y = {"silu": torch.nn.functional.silu, "sigmoid": torch.sigmoid, "gelu": torch.nn.functional.gelu,
             "hardswish": lambda v: v * (v + 3).clamp(0, 6) / 6}[step](x)
        error = 1.2 * error + 8 * unit * (y.abs() + x.abs() * 0.5)
    return y, error


def wrap(value):
    """The low 32 bits of i64 in two's complement."""
    return ((value + 2**31) & (2**32 - 1)) - 2**31


def integer_reference(case, arguments):
    """Exact, in i64, on the CPU: on a GPU PyTorch multiplies no matrices of it."""
    values = [a.long() for a in arguments]
    a, b = values[0], values[1]
    if case["transpose_a"]:
        a = a.transpose(-1, -2)
    if case["transpose_b"]:
        b = b.transpose(-1, -2)
    x = wrap(a @ b)
    rest = values[2:]
    if case["bias"]:
        x = wrap(x + rest.pop(0))
    for step in case["epilogue"]:
        if step == "affine":
            x = wrap(wrap(x * rest.pop(0)) + rest.pop(0))
        elif step == "add":
            x = wrap(x + rest.pop(0))
        elif step == "mul":
            x = wrap(x * rest.pop(0))
        else:
            x = {"relu": lambda v: v.clamp(min=0), "clamp": lambda v: v.clamp(-1, 6)}[step](x)
    return x.double(), torch.zeros(x.shape, dtype=torch.float64)


def multiply(case, a, b):
    """The sums of products of a case, and those of the magnitudes."""
    if case.get("op") != "conv":
        a = a.transpose(-1, -2) if case["transpose_a"] else a
        b = b.transpose(-1, -2) if case["transpose_b"] else b
        return a @ b, a.abs() @ b.abs()
    top, left, bottom, right = case["pads"]
    a = torch.nn.functional.pad(a, (left, right, top, bottom))
    # PyTorch's own loops: cuDNN refuses some of these shapes.
    with torch.backends.cudnn.flags(enabled=False):
        return tuple(torch.nn.functional.conv2d(x, y, None, case["strides"], 0, case["dilations"], case["group"])
                     for x, y in ((a, b), (a.abs(), b.abs())))


def reference(case, arguments):
    if case["type"] == "i8":
        return integer_reference(case, arguments)
    values = [a.to("cuda").double() for a in arguments]
    conv = case.get("op") == "conv"
    a, b = values[0], values[1]
    if case["fill"] == "nan_unread":
        a = a.nan_to_num(0.0)
    unit = 2.0**-53 if case["type"] == "f64" else 2.0**-24
    x, size = multiply(case, a, b)
    # Rounding both operands to tf32 (10 bits, and as much again for ties) first.
    depth = convs.depth(case) if conv else case["k"]
    error = (max(depth, 1) * unit + (2.0**-10 if case.get("tf32") else 0)) * size
    if conv:  # what has one value a channel
        values[2:] = [v.reshape(1, -1, 1, 1) if v.dim() == 1 else v for v in values[2:]]
    rest = values[2:]
    if case["bias"]:
        x = x + rest[0]
        error = error + unit * x.abs()
        rest = rest[1:]
    for step in case["epilogue"]:
        count = {"affine": 2, "add": 1, "mul": 1}.get(step, 0)
        x, error = apply_step(step, x, error, rest[:count], unit)
        rest = rest[count:]
    kind = case["result_type"]
    # Rounded once: half an ulp, or the smallest number below the normal range.
    error = error + 1.01 * HALF_ULP[kind] * (x.abs() + error) + SMALLEST[kind]
    return x.cpu(), error.cpu()


def forget_unread(case, value):
    """NaN in the rows and columns of an input that no tap reads."""
    read = []
    for axis, extent in enumerate((case["h"], case["w"])):
        taps = torch.arange(case["kh"] if axis == 0 else case["kw"]) * case["dilations"][axis]
        outputs = torch.arange(convs.output_size(case)[axis]) * case["strides"][axis] - case["pads"][axis]
        at = (outputs[:, None] + taps[None, :]).flatten()
        mask = torch.zeros(extent, dtype=torch.bool)
        mask[at[(at >= 0) & (at < extent)]] = True
        read.append(mask)
    value[:, :, ~(read[0][:, None] & read[1][None, :])] = float("nan")


def read_filter(folder, case):
    """A filter that the compiler has seen, which is no argument; else None."""
    if case.get("filter") != "constant":
        return None
    kind = TORCH_TYPES[case["type"]]
    values = torch.frombuffer(bytearray((folder / (case["name"] + ".filter")).read_bytes()), dtype=kind)
    return values.reshape(convs.shapes(case)[1])


def lay_out(value, last):
    """The elements as they lie in memory: with the channels of N, C, H, W last, or as they are."""
    return value.permute(0, 2, 3, 1).contiguous() if last else value


def check(driver, case, plan, ptx, repeats, seed, constant=None):
    generator = torch.Generator().manual_seed(seed)
    arguments = []
    for index in plan["arguments"]:
        buffer = plan["buffers"][index]
        # The input's shape is N, C, H, W, however it lies in memory.
        shape = convs.shapes(case)[0] if case.get("op") == "conv" and not arguments else buffer["shape"]
        value = torch.randn(shape, generator=generator, dtype=torch.float32)
        if case["fill"] == "ones":
            value.fill_(1)
        elif case["fill"].startswith("const:"):
            value.fill_(float(case["fill"].split(":")[1]))
        elif case["fill"] == "nan_unread" and not arguments:
            forget_unread(case, value)
        elif buffer["type"] == "i8":
            value = (value * 40).round().clamp(-128, 127)
        elif buffer["type"] == "i32":  # epilogues wrap now and then
            value = (value * 100000).round()
        arguments.append(value.to(TORCH_TYPES[buffer["type"]]))
    layouts = case.get("layouts", [])
    inputs = [to_numpy(lay_out(a, index == 0 and "input" in layouts)) for index, a in enumerate(arguments)]
    first = launch.run(driver, ptx, plan, inputs, guard=4096)[0]
    if constant is not None:
        arguments.insert(1, constant)
    expected, bound = reference(case, arguments)
    got = to_torch(first, case["result_type"]).double()
    if "result" in layouts:
        n, f, oh, ow = expected.shape
        got = got.reshape(n, oh, ow, f).permute(0, 3, 1, 2)
    # Overflow of the result's type is right where the value overflows.
    wrong = ~((got - expected).abs() <= bound)
    result = TORCH_TYPES[case["result_type"]]
    limit = torch.finfo(result).max if result.is_floating_point else torch.iinfo(result).max
    wrong &= ~((expected.abs() + bound > limit) & torch.isinf(got) & (got.sign() == expected.sign()))
    if wrong.any():
        where = tuple(int(i) for i in torch.nonzero(wrong)[0])
        return (f"{int(wrong.sum())} of {wrong.numel()} wrong; {list(where)} got {got[where].item()} "
                f"expected {expected[where].item()} +- {bound[where].item():.3g}")
    for repeat in range(1, repeats):
        again = launch.run(driver, ptx, plan, inputs, guard=4096 if repeat % 10 == 0 else 0)[0]
        if again.tobytes() != first.tobytes():
            return f"run {repeat} differs from the first"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases")
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--only", default="")
    parser.add_argument("--shard", default="0/1", metavar="I/N", help="every N-th case from the I-th on, for N processes")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this long, and say so")
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    driver = launch.Driver()
    torch.zeros(1, device="cuda")
    driver = launch.Driver()  # PyTorch and we share the primary context
    folder = pathlib.Path(options.cases)
    cases = [c for c in json.load(open(folder / "cases.json")) if re.search(options.only, c["name"])]
    shard, shards = map(int, options.shard.split("/"))
    start, failed, done = time.time(), [], 0
    for seed, case in enumerate(cases):
        if seed % shards != shard:
            continue
        if time.time() - start > options.seconds:
            break
        ptx = None
        try:
            with open(folder / (case["name"] + ".json")) as file:
                plan = json.load(file)["functions"][0]
            ptx = (folder / (case["name"] + ".ptx")).read_bytes()
            error = check(driver, case, plan, ptx, options.repeats, seed, read_filter(folder, case))
        except (OSError, RuntimeError) as exception:
            error = str(exception)
        done += 1
        if ptx in driver.modules and not error:
            driver.unload(ptx)
        if error:
            failed.append(case["name"])
            if len(failed) <= 40:
                print(f"FAIL {case['name']}: {error}", flush=True)
            if "ILLEGAL" in error or "LAUNCH_FAILED" in error:
                print("the context is lost; stopping", flush=True)
                break
    name = torch.cuda.get_device_name()
    print(f"{done} of {len(cases[shard::shards])} cases run on {name}, {len(failed)} failed, {options.repeats} repeats, "
          f"{time.time() - start:.0f} s")
    return 1 if failed or done < len(cases[shard::shards]) else 0


if __name__ == "__main__":
    sys.exit(main())
