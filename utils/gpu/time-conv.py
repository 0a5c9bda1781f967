#!/usr/bin/env python3
"""Times the convolutions that make-bench.py --kind=conv compiled beside cuDNN, in one process.

    utils/gpu/time-conv.py BENCH [--json=conv.jsonl] [--csv=conv.csv] [--only=REGEX] [--seconds=S] [--no-torch]

For each case: every element of the result is checked against PyTorch's
convolution in f64, then ours (all launches of the plan, packs included), cuDNN on
NCHW tensors and cuDNN on channels-last ones are timed in interleaved blocks on the
same random normal inputs, which rotate with their filters through more than twice
the L2 (timing.py says how). cuDNN chooses with torch.backends.cudnn.benchmark.
It has no asymmetric pads: there it gets an input that was padded before, not
counted. Then the steps of a plan of several are told apart: a step is the time of
the plan up to it less that of the plan before it. A case that is wrong, or fails,
is a row that says so, and makes the exit status 1. One JSON object a line goes to
--json; --csv gets a line a case with the fields of its schedule; a Markdown table
goes to stdout at the end. With --ncu=REGEX the kernels of the cases that match are
profiled afterwards, with cold caches, for a second table.
"""

import argparse
import csv
import json
import math
import pathlib
import re
import sys
import time

import convs
import counters
import timing
from timing import torch

WARM_UP, BLOCK = 0.06, 0.08  # seconds, in front of and in each block
PEERS = {"cudnn_nchw": "NCHW", "cudnn_nhwc": "channels last"}
FIELDS = ["engine", "block", "warp", "thread", "stages", "swizzle", "split_k", "order", "repack", "box", "pixels"]


class Conv:
    """Operands and results of a case (convs.make), in sets that rotate."""

    def __init__(self, case, weights, seed):
        self.case, self.kind = case, "tf32" if case["tf32"] else case["type"]
        self.type = timing.torch_type(case["type"])
        x, w, y = convs.shapes(case)
        self.depth = convs.depth(case)
        self.flops = 2 * math.prod(y) * self.depth
        self.bytes = (math.prod(x) + math.prod(w) + math.prod(y)) * torch.finfo(self.type).bits // 8
        properties = torch.cuda.get_device_properties(0)
        wanted = 2 * properties.L2_cache_size // max(self.bytes, 1) + 2
        room = int(0.2 * torch.cuda.mem_get_info()[0]) // max(self.bytes, 1)
        self.count = max(1, min(wanted, room, timing.MOST_CALLS))
        self.cached = self.count < wanted  # perhaps read from the L2
        self.generator = torch.Generator("cuda").manual_seed(seed)
        if weights is None:
            weights = self.random(w) / max(self.depth, 1)**0.5
        weights = weights.to(self.type)
        # The order of elements in memory; shapes are N, C, H, W in any case.
        orders = [torch.channels_last if side in case["layouts"] else torch.contiguous_format
                  for side in ("input", "result")]
        self.sets = [(self.random(x).to(self.type).contiguous(memory_format=orders[0]), weights.clone(),
                      torch.empty(y, device="cuda", dtype=self.type, memory_format=orders[1]))
                     for _ in range(self.count)]
        self.expected = None

    def random(self, shape):
        return torch.randn(shape, generator=self.generator, device="cuda", dtype=torch.float32)

    def plan_sets(self, arguments):
        """Tensors in the order of a plan that takes so many arguments: a constant filter is none of them."""
        return self.sets if arguments == 2 else [(x, y) for x, _, y in self.sets]

    def convolve(self, x, w, padded=False):
        """PyTorch's convolution. `padded` says that an input with asymmetric pads has them already."""
        top, left, bottom, right = self.case["pads"]
        pads = (top, left)
        if (top, left) != (bottom, right):
            x = x if padded else torch.nn.functional.pad(x, (left, right, top, bottom))
            pads = (0, 0)
        return torch.nn.functional.conv2d(x, w, None, self.case["strides"], pads, self.case["dilations"],
                                          self.case["group"])

    def peer(self, memory_format):
        """A call of cuDNN on tensors of a memory format; as many results are kept as there are sets."""
        top, left, bottom, right = self.case["pads"]
        inputs = []
        for x, w, _ in self.sets:
            if (top, left) != (bottom, right):
                x = torch.nn.functional.pad(x, (left, right, top, bottom))
            inputs.append((x.contiguous(memory_format=memory_format), w.contiguous(memory_format=memory_format)))
        kept = [None] * self.count

        def call(index):
            kept[index] = self.convolve(*inputs[index], padded=True)
        call.kept = kept
        return call

    def reference(self):
        """Every element of set 0 in f64, and the sum of its products' magnitudes."""
        if self.expected is None:
            x, w, _ = self.sets[0]
            before = torch.backends.cudnn.benchmark
            torch.backends.cudnn.benchmark = False
            self.expected = self.convolve(x.double(), w.double())
            self.size = self.convolve(x.double().abs(), w.double().abs())
            torch.backends.cudnn.benchmark = before
        return self.expected, self.size

    def check(self, call):
        """None if the call computes set 0 right, else what is wrong.

        An element may be off by half an ulp of the result and by K * 2^-24 * sum|a*b|
        of rounding, 2^-9 of that sum more for operands cut to tf32.
        """
        y = self.sets[0][-1]
        y.fill_(math.nan)
        call(0)
        torch.cuda.synchronize()
        if torch.isnan(y).any():
            return f"{int(torch.isnan(y).sum())} of {y.numel()} elements are NaN or not written"
        expected, size = self.reference()
        bound = size * (self.depth * 2.0**-24 + (2.0**-9 if self.kind == "tf32" else 0))
        bound += 1.01 * timing.HALF_ULP[self.case["result_type"]] * expected.abs() + torch.finfo(y.dtype).tiny
        wrong = ~((y.double() - expected).abs() <= bound)
        if wrong.any():
            where = tuple(int(i) for i in torch.nonzero(wrong)[0])
            return (f"{int(wrong.sum())} of {wrong.numel()} elements wrong; {list(where)} got {y[where].item():.6g} "
                    f"expected {expected[where].item():.6g}")
        return None

    def relative_error(self, result):
        """||result - reference|| / ||reference||."""
        expected = self.reference()[0]
        return ((result.double() - expected).norm() / expected.norm().clamp(min=1e-300)).item()


def key(case):
    """What cases on the same operands have in common."""
    return tuple(str(case[name]) for name in ("n", "c", "h", "w", "f", "kh", "kw", "strides", "pads", "dilations",
                                              "group", "type", "tf32", "filter", "layouts"))


def read_filter(folder, case):
    path = folder / (case["name"] + ".filter")
    if case["filter"] != "constant":
        return None
    values = torch.frombuffer(bytearray(path.read_bytes()), dtype=timing.torch_type(case["type"]))
    return values.reshape(convs.shapes(case)[1]).cuda()


def time_case(case, conv, folder, driver, nvml, options):
    """The row of a case."""
    row = {"kind": "conv", **{name: case.get(name) for name in (
        "name", "n", "c", "h", "w", "f", "kh", "kw", "strides", "pads", "dilations", "group", "schedule", "choice",
        "report", "filter")}, "type": conv.kind, "flops": conv.flops, "bytes": conv.bytes, "sets": conv.count,
           "cached": conv.cached, "error": None}
    torch.backends.cudnn.allow_tf32 = conv.kind == "tf32"
    calls = {}
    if case["error"]:
        row["error"] = f"not compiled: {case['error']}"
        ours = None
    else:
        plan = json.loads((folder / (case["name"] + ".json")).read_text())["functions"][0]
        cubin = folder / (case["name"] + ".cubin")
        code = (cubin if cubin.exists() else folder / (case["name"] + ".ptx")).read_bytes()
        ours = timing.Plan(driver, code, plan, conv.plan_sets(len(plan["arguments"])))
        row["launches"] = len(plan["steps"])
    try:
        if ours:
            row["error"] = conv.check(ours)
            if not row["error"]:
                calls["ours"] = ours
                row["relative_error"] = conv.relative_error(conv.sets[0][-1])
                row["kernels"] = {step["launch"]: ours.registers(step["launch"])
                                  for step in plan["steps"] if "launch" in step}
        if not options.no_torch:
            for name, memory_format in (("cudnn_nchw", torch.contiguous_format), ("cudnn_nhwc", torch.channels_last)):
                calls[name] = conv.peer(memory_format)
                calls[name](0)
                row[name + "_relative_error"] = conv.relative_error(calls[name].kept[0])
        if calls:
            row.update(timing.measure(calls, conv, nvml, options.blocks, warm_up=WARM_UP, block=BLOCK))
        if "ours" in row and not options.no_steps:
            row["steps"] = timing.measure_steps(ours, conv, nvml)
    finally:
        torch.cuda.synchronize()
        if ours:
            ours.close()
    for peer in PEERS:
        if "ours" in row and peer in row:
            row[f"ratio_{peer}"] = row[peer]["p50_us"] / row["ours"]["p50_us"]
    return row


def describe(row):
    """The sizes, with what is not usual."""
    text = f"{row['n']}x{row['c']}x{row['h']}x{row['w']}, F={row['f']}, {row['kh']}x{row['kw']}"
    for letter, name, usual in (("s", "strides", [1, 1]), ("p", "pads", [0, 0, 0, 0]), ("d", "dilations", [1, 1])):
        values = row[name]
        if values != usual:
            text += f" {letter}{values[0]}" if len(set(values)) == 1 else f" {letter}{','.join(map(str, values))}"
    return text + (f" g{row['group']}" if row["group"] > 1 else "")


def report(rows):
    """The Markdown table."""
    header = ["case", "shape", "type", "input", "ours (us)", "of it, each launch (us)", "TFLOP/s", "GB/s", "MHz", "W",
              "cuDNN NCHW (us)", "cuDNN channels last (us)", "of NCHW", "of channels last"]
    lines = []
    for row in rows:
        cells = [row["name"], describe(row), row["type"], row["choice"] or "-"]
        ours = row.get("ours")
        if ours:
            steps = " + ".join(f"{time_us:.1f}" for _, time_us in row.get("steps", [])) or "-"
            cells += [timing.text(ours["p50_us"]), steps, timing.text(ours["tflops"])]
            cells += [timing.text(ours[name], "{:.0f}") for name in ("gbs", "mhz", "watts")]
        else:
            cells += [row["error"]] + ["-"] * 5
        cells += [timing.text(row[peer]["p50_us"] if peer in row else None) for peer in PEERS]
        cells += [timing.text(row.get(f"ratio_{peer}"), "{:.3f}") for peer in PEERS]
        lines.append(cells)
    for kind in [None] + sorted({row["type"] for row in rows}):
        of_kind = [row for row in rows if kind in (None, row["type"])]
        means = [timing.geometric_mean(row[f"ratio_{peer}"] for row in of_kind if f"ratio_{peer}" in row) for peer in PEERS]
        counted = sum("ratio_cudnn_nchw" in row for row in of_kind)
        lines.append([f"geometric mean of {counted}", "", kind or "all"] + [""] * 9 +
                     [timing.text(value, "{:.3f}") for value in means])
    return timing.table(header, lines)


def count(rows, folder, pattern):
    """Hardware counters of each kernel of the rows that match, into their field "counters"."""
    profiler = counters.Profiler()
    for row in rows:
        if "ours" not in row or not re.search(pattern, row["name"]):
            continue
        ptx, plan = (folder / (row["name"] + suffix) for suffix in (".ptx", ".json"))
        row["counters"] = {kernel: profiler.count(ptx, plan, kernel) for kernel in row["kernels"]}
    return profiler.problem


def report_counters(rows):
    header = ["case", "kernel", "us", "registers", "DRAM read (MB)", "written (MB)", "DRAM (%)", "L2 (%)",
              "shared pipe (%)", "issue (%)", "tensor pipe (%)", "occupancy (%)", "load requests", "sectors a request",
              "bank conflicts"]
    lines = []
    for row in rows:
        times = dict(row.get("steps") or [[kernel, row["ours"]["p50_us"]] for kernel in row.get("kernels", [])])
        for kernel, (seen, error) in row.get("counters", {}).items():
            cells = [row["name"], kernel, timing.text(times.get(kernel)), row["kernels"][kernel][0]]
            if not seen:
                lines.append(cells + [error] + ["-"] * 10)
                continue

            def number(name, scale=1.0, form="{:.0f}"):
                return timing.text(None if seen.get(name) is None else seen[name] * scale, form)
            requests = seen.get("load_requests")
            cells += [number("dram_read_bytes", 1e-6, "{:.1f}"), number("dram_write_bytes", 1e-6, "{:.1f}")]
            cells += [number(name) for name in ("dram", "l2", "shared_pipe", "issue", "tensor_pipe",
                                                "achieved_occupancy")]
            cells += [number("load_requests", 1, "{:.3g}"),
                      number("load_sectors", 1 / requests if requests else 0, "{:.1f}"),
                      timing.text(sum(seen.get(name) or 0 for name in ("conflicts_load", "conflicts_ldmatrix",
                                                                       "conflicts_store")), "{:.3g}")]
            lines.append(cells)
    return timing.table(header, lines)


def write_csv(path, rows):
    """A line a case that was timed: its schedule, and what the launches took; the launches in order, "name:us"."""
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["case", "type", "choice", *FIELDS, "total_us", "launches_us"])
        for row in rows:
            if "ours" not in row:
                continue
            fields = convs.parse_schedule(row["schedule"] or "")
            steps = row.get("steps") or [[name, row["ours"]["p50_us"]] for name in row["kernels"]]
            out.writerow([row["name"].split("@")[0], row["type"], row["choice"],
                          *(fields.get(name, "") for name in FIELDS), f"{row['ours']['p50_us']:.2f}",
                          " ".join(f"{name}:{time_us:.2f}" for name, time_us in steps)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bench", metavar="BENCH", help="folder of make-bench.py --kind=conv")
    parser.add_argument("--json", default="conv.jsonl", metavar="FILE", help="rows (default: conv.jsonl)")
    parser.add_argument("--csv", metavar="FILE", help="schedules and their times")
    parser.add_argument("--only", default="", metavar="REGEX", help="cases whose name matches")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no case after this long, and say so")
    parser.add_argument("--blocks", type=int, default=timing.BLOCKS, help="of each contender (default: %(default)s)")
    parser.add_argument("--no-torch", action="store_true", help="time ours alone")
    parser.add_argument("--ncu", metavar="REGEX", help="count the kernels of these cases")
    parser.add_argument("--no-steps", action="store_true", help="do not tell the steps of a plan apart")
    options = parser.parse_args()
    folder = pathlib.Path(options.bench)
    try:
        cases = [c for c in json.loads((folder / "cases.json").read_text())
                 if c.get("op") == "conv" and re.search(options.only, c["name"])]
    except (OSError, ValueError) as error:
        parser.error(f"'{folder}' is no folder of make-bench.py: {error}")
        re.compile(options.ncu or "")
    except re.error as error:
        parser.error(f"no regular expression: '{error.pattern}': {error}")
    if not cases:
        parser.error(f"no convolution matches --only={options.only}")
    driver, nvml = timing.start()
    about = {**timing.about(), "cudnn_version": torch.backends.cudnn.version()}
    torch.backends.cudnn.benchmark = True
    begin, rows, conv, last = time.time(), [], None, None
    with open(options.json, "w") as file:
        for index, case in enumerate(cases):
            if time.time() - begin > options.seconds:
                break
            lost = False
            try:
                if key(case) != last:
                    conv, last = None, None
                    torch.cuda.empty_cache()
                    conv, last = Conv(case, read_filter(folder, case), seed=index), key(case)
                row = time_case(case, conv, folder, driver, nvml, options)
            except (OSError, RuntimeError) as error:  # of the driver and of PyTorch, out of memory included
                row = {**case, "kind": "conv", "type": "tf32" if case["tf32"] else case["type"],
                       "choice": case.get("choice"), "error": str(error).splitlines()[0]}
                lost = timing.is_lost(error)
            rows.append(row)
            file.write(json.dumps({**row, **about}) + "\n")
            file.flush()
            told = [f"{name} {row[name]['p50_us']:.1f}" for name in ("ours", *PEERS) if name in row]
            print(f"[{time.time() - begin:.0f} s] {index + 1} of {len(cases)} {case['name']} {row['choice']}: "
                  f"{', '.join(told) or 'no'} us{'; ' + row['error'] if row['error'] else ''}",
                  file=sys.stderr, flush=True)
            if lost:
                print("the context is lost; stopping", file=sys.stderr)
                break
    if options.csv:
        write_csv(options.csv, rows)
    print(report(rows))
    if options.ncu is not None:
        problem = count(rows, folder, options.ncu)
        print("\n" + (problem or report_counters(rows)))
        with open(options.json, "w") as file:
            file.writelines(json.dumps({**row, **about}) + "\n" for row in rows)
    failed = sum(row["error"] is not None for row in rows)
    print(f"\n{len(rows)} of {len(cases)} cases on {about['device']}, {failed} failed, PyTorch "
          f"{about['torch_version']}, cuDNN {about['cudnn_version']}, {time.time() - begin:.0f} s")
    return 1 if failed or len(rows) < len(cases) else 0


if __name__ == "__main__":
    sys.exit(main())
