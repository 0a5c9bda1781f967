#!/usr/bin/env python3
"""Times chains of convolutions, such as blocks of networks, with and without top-assign-layouts, beside cuDNN.

    utils/gpu/time-chains.py OUT --compiler=TOP-COMPILE [--chip=sm_90a] [--card=h200] [--only=REGEX]

A chain is one function of NCHW argument and result whose convolutions read each
other's results, with the relus and residual adds of the network in their
epilogues. It is compiled twice: as the compiler does by default, and with
--assign-layouts=false, where each convolution packs its own input. Both results
are checked against PyTorch in f64, then both are timed in interleaved blocks
beside PyTorch on NCHW and on channels-last tensors: once the convolutions alone,
which is less than ours compute, and once with relus and adds as ops of their own.
Needs top-compile and a GPU. A chain that is wrong or fails is a row that says so,
and makes the exit status 1. A Markdown table goes to stdout, one JSON object a
line to OUT/chains.jsonl.
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import sys

import convs
import products
import timing
from timing import torch

WARM_UP, BLOCK = 0.06, 0.08  # seconds, in front of and in each block
LIMIT = 4e-3  # ||got - expected|| / ||expected|| in f16, of chains that round after each layer
INPUT = -1  # the argument, as a layer's source


def layer(source, f, kernel=1, stride=1, group=1, relu=True, add=None):
    """A convolution with pads of half the kernel that reads the result of layer `source` and adds that of `add`."""
    return {"source": source, "f": f, "kernel": kernel, "stride": stride, "group": group, "relu": relu, "add": add}


def bottleneck(at, c, middle, group=1):
    """Three layers that begin at number `at`, of `c` channels outside: narrow, 3 x 3, wide, add."""
    return [layer(at - 1, middle), layer(at, middle, 3, group=group), layer(at + 1, c, add=at - 1)]


def basic(at, c):
    return [layer(at - 1, c, 3), layer(at, c, 3, add=at - 1)]


def inverted(at, c, wide):
    return [layer(at - 1, wide), layer(at, wide, 3, group=wide), layer(at + 1, c, relu=False, add=at - 1)]


# name: (N, C, H = W, layers)
CHAINS = {
    "rn50_layer1": (32, 256, 56, bottleneck(0, 256, 64) + bottleneck(3, 256, 64)),
    "rn50_layer3": (32, 1024, 14, bottleneck(0, 1024, 256) + bottleneck(3, 1024, 256)),
    "rn50_down": (32, 256, 56, [layer(INPUT, 128), layer(0, 128, 3, 2), layer(INPUT, 512, 1, 2, relu=False),
                                layer(1, 512, add=2)]),
    "rn18_layer2": (32, 128, 28, basic(0, 128) + basic(2, 128)),
    "vgg_block3": (32, 128, 56, [layer(i - 1, 256, 3) for i in range(3)]),
    "unet_128": (8, 64, 128, [layer(i - 1, 64, 3) for i in range(4)]),
    "regnet_g8": (32, 240, 28, bottleneck(0, 240, 240, 30) + bottleneck(3, 240, 240, 30)),
    "mobile_24": (32, 24, 56, inverted(0, 24, 144) + inverted(3, 24, 144)),
    "stem": (32, 3, 224, [layer(INPUT, 32, 3, 2), layer(0, 32, 3), layer(1, 64, 3)]),
}


class Chain:
    """Operands of a chain, in sets that rotate."""

    def __init__(self, name, seed):
        self.name = name
        n, c, size, self.layers = CHAINS[name]
        self.shapes = {INPUT: [n, c, size, size]}
        self.cases = []
        self.flops = 0
        self.bytes = 2 * math.prod(self.shapes[INPUT])
        for index, what in enumerate(self.layers):
            x = self.shapes[what["source"]]
            half = what["kernel"] // 2
            case = convs.make(f"{name}_{index}", *x, what["f"], what["kernel"], what["kernel"], "f16",
                              strides=[what["stride"]] * 2, pads=[half] * 4, group=what["group"])
            self.cases.append(case)
            self.shapes[index] = convs.shapes(case)[2]
            self.flops += 2 * math.prod(self.shapes[index]) * convs.depth(case)
        self.bytes += 2 * math.prod(self.shapes[len(self.layers) - 1])
        self.filters = [bytearray(convs.filter_bytes(case)) for case in self.cases]
        if seed is None:
            return
        self.weights = [torch.frombuffer(values, dtype=torch.float16).reshape(convs.shapes(case)[1]).cuda()
                        for values, case in zip(self.filters, self.cases)]
        generator = torch.Generator("cuda").manual_seed(seed)
        l2 = torch.cuda.get_device_properties(0).L2_cache_size
        self.count = 2 * l2 // self.bytes + 2
        self.sets = [(torch.randn(self.shapes[INPUT], generator=generator, device="cuda").half(),
                      torch.empty(self.shapes[len(self.layers) - 1], device="cuda", dtype=torch.float16))
                     for _ in range(self.count)]

    def to_mlir(self):
        lines = []
        value = lambda index: "%x" if index == INPUT else f"%{index}"
        kind = lambda index: convs.tensor(self.shapes[index], "f16")
        for index, (what, case) in enumerate(zip(self.layers, self.cases)):
            filter_type = convs.tensor(convs.shapes(case)[1], "f16")
            lines.append(f'  %w{index} = arith.constant dense<"0x{self.filters[index].hex()}"> : {filter_type}')
            steps = ["#top.step<add>"] * (what["add"] is not None) + ["#top.step<relu>"] * what["relu"]
            attributes = [f"{key} = array<i64: {', '.join(map(str, case[key]))}>" for key in ("strides", "pads")]
            attributes += [f"group = {case['group']} : i64"] + ([f"epilogue = [{', '.join(steps)}]"] if steps else [])
            operand, types = "", f"{kind(what['source'])}, {filter_type}"
            if what["add"] is not None:
                operand, types = f" epilogue({value(what['add'])})", f"{types}, {kind(what['add'])}"
            lines.append(f"  %{index} = top.Conv2D {value(what['source'])}, %w{index}{operand} "
                         f"{{{', '.join(attributes)}}} : ({types}) -> {kind(index)}")
        last = len(self.layers) - 1
        return (f"func.func @f(%x: {kind(INPUT)}) -> {kind(last)} {{\n" + "\n".join(lines) +
                f"\n  return %{last} : {kind(last)}\n}}\n")

    def run(self, x, weights, steps):
        """PyTorch's result; `steps` are the relus and adds, else the convolutions alone."""
        values = {INPUT: x}
        for index, (what, case) in enumerate(zip(self.layers, self.cases)):
            y = torch.nn.functional.conv2d(values[what["source"]], weights[index], None, case["strides"],
                                           case["pads"][:2], case["dilations"], case["group"])
            if steps and what["add"] is not None:
                y += values[what["add"]]
            if steps and what["relu"]:
                y.relu_()
            values[index] = y
        return y

    def peer(self, memory_format, steps):
        inputs = [x.contiguous(memory_format=memory_format) for x, _ in self.sets]
        weights = [w.contiguous(memory_format=memory_format) for w in self.weights]
        kept = [None] * self.count

        def call(index):
            kept[index] = self.run(inputs[index], weights, steps)
        return call

    def check(self, call):
        """None if the call computes set 0 right, else what is wrong."""
        x, y = self.sets[0]
        y.fill_(math.nan)
        call(0)
        torch.cuda.synchronize()
        expected = self.run(x.double(), [w.double() for w in self.weights], steps=True)
        error = ((y.double() - expected).norm() / expected.norm()).item()
        return None if error <= LIMIT else f"relative error {error:.3g}, above {LIMIT:g}"


def compile_chain(chain, folder, options, flags):
    """(PTX, plan, packs) or the first line of an error."""
    stem = folder / f"{chain.name}{'-'.join(['', *flags]).replace('=', '-')}"
    source = stem.with_suffix(".mlir")
    source.write_text(chain.to_mlir())
    command = [options.compiler, str(source), f"--chip={options.chip}", f"--card={options.card}", "-o",
               str(stem.with_suffix(".ptx")), f"--plan={stem.with_suffix('.json')}", *flags]
    result = subprocess.run(command, capture_output=True, text=True, timeout=products.TIMEOUT)
    if result.returncode != 0:
        raise RuntimeError(f"not compiled: {(result.stderr.strip().splitlines() or ['failed'])[0]}")
    plan = json.loads(stem.with_suffix(".json").read_text())["functions"][0]
    return stem.with_suffix(".ptx").read_bytes(), plan


def time_chain(chain, folder, driver, nvml, options):
    row = {"name": chain.name, "layers": len(chain.layers), "flops": chain.flops, "error": None}
    calls, loaded = {}, {}
    try:
        for name, flags in (("ours", []), ("each_packs", ["--assign-layouts=false"])):
            code, plan = compile_chain(chain, folder, options, flags)
            if code not in loaded:  # no layout may be better than N, C, H, W
                loaded[code] = timing.Plan(driver, code, plan, chain.sets)
            calls[name] = loaded[code]
            row["error"] = row["error"] or chain.check(calls[name])
        if row["error"]:
            return row
        for name, plan in list(calls.items()):
            row[name + "_launches"] = len(plan.plan["steps"])
            row[name + "_steps"] = timing.measure_steps(plan, chain, nvml)
        for order, memory_format in (("nchw", torch.contiguous_format), ("nhwc", torch.channels_last)):
            for what in ("convolutions", "all"):
                calls[f"{what}_{order}"] = chain.peer(memory_format, steps=what == "all")
        row.update(timing.measure(calls, chain, nvml, warm_up=WARM_UP, block=BLOCK))
    finally:
        torch.cuda.synchronize()
        for plan in loaded.values():
            plan.close()
    return row


def report(rows):
    header = ["chain", "layers", "ours (us)", "of it, each launch (us)", "each packs its own (us)", "each launch (us)",
              "cuDNN convolutions alone, NCHW (us)", "channels last (us)", "PyTorch with relu and add, NCHW (us)",
              "channels last (us)", "of convolutions NCHW", "of convolutions channels last"]
    lines = []
    for row in rows:
        if row["error"]:
            lines.append([row["name"], row["layers"], row["error"]] + ["-"] * 9)
            continue
        p50 = lambda name: row[name]["p50_us"]
        steps = lambda name: " + ".join(f"{time_us:.1f}" for _, time_us in row[name + "_steps"])
        lines.append([row["name"], row["layers"], timing.text(p50("ours")), steps("ours"),
                      timing.text(p50("each_packs")), steps("each_packs")] +
                     [timing.text(p50(name)) for name in ("convolutions_nchw", "convolutions_nhwc", "all_nchw",
                                                          "all_nhwc")] +
                     [f"{p50(name) / p50('ours'):.2f}" for name in ("convolutions_nchw", "convolutions_nhwc")])
    return timing.table(header, lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", metavar="OUT", help="folder to write to")
    parser.add_argument("--chip", default="sm_90a", help="architecture (default: sm_90a)")
    parser.add_argument("--card", default="h200", help="card that schedules are chosen for (default: h200)")
    parser.add_argument("--only", default="", metavar="REGEX", help="chains whose name matches")
    parser.add_argument("--compiler", default=products.COMPILER, help="top-compile (default: that of build/)")
    options = parser.parse_args()
    products.check_arguments(parser, options)
    names = [name for name in CHAINS if options.only.search(name)]
    if not names:
        parser.error(f"no chain matches --only={options.only.pattern}")
    driver, nvml = timing.start()
    torch.backends.cudnn.benchmark = True
    folder, rows = pathlib.Path(options.out), []
    with open(folder / "chains.jsonl", "w") as file:
        for seed, name in enumerate(names):
            try:
                row = time_chain(Chain(name, seed), folder, driver, nvml, options)
            except (OSError, RuntimeError, subprocess.TimeoutExpired) as error:
                row = {"name": name, "layers": len(CHAINS[name][3]), "error": str(error).splitlines()[0]}
            rows.append(row)
            file.write(json.dumps({**row, **timing.about(), "cudnn_version": torch.backends.cudnn.version()}) + "\n")
            print(f"{name}: {row['error'] or '%.1f us' % row['ours']['p50_us']}", file=sys.stderr, flush=True)
            torch.cuda.empty_cache()
    print(report(rows))
    return 1 if any(row["error"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
