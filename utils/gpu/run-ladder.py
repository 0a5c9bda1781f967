#!/usr/bin/env python3
"""Checks, times and profiles what make-ladder.py compiled.

    utils/gpu/run-ladder.py LADDER [--json=ladder.jsonl] [--only=REGEX] [--seconds=S] [--no-ncu]

Each rung is checked against PyTorch, then timed as time-plan.py times; torch.matmul
is timed once for each size. Then ncu, where it is there, counts what the kernel
does (counters.py); otherwise these columns are '-'. One JSON object a line goes
to --json, a Markdown table a set of rungs to stdout. A rung that did not compile
is a row that says why; one that is wrong, or fails, makes the exit status 1.
"""

import argparse
import json
import math
import pathlib
import re
import sys
import time

import counters
import timing
from timing import torch

LONGEST = 10.0  # seconds of timing for a rung: a naive kernel takes part of a second a call


def time_rung(rung, folder, driver, nvml, product):
    """Adds the measured fields to a rung."""
    plan = json.loads((folder / (rung["name"] + ".json")).read_text())["functions"][0]
    ours = timing.Plan(driver, (folder / (rung["name"] + ".ptx")).read_bytes(), plan, product.sets)
    try:
        rung["registers"], rung["local_bytes"] = ours.registers(rung["kernel"])
        rung["error"] = product.check(ours)
        if not rung["error"]:
            rung.update(timing.measure({"ours": ours}, product, nvml, longest=LONGEST))
    finally:
        torch.cuda.synchronize()
        ours.close()


class Sizes:
    """The product of the last size that was asked for, and PyTorch's time for every size."""

    def __init__(self, nvml):
        self.nvml, self.key, self.product, self.times = nvml, None, None, {}

    def get(self, rung):
        key = tuple(rung[field] for field in ("m", "n", "k", "type", "tf32"))
        if key != self.key:
            self.key = self.product = None
            torch.cuda.empty_cache()
            self.product, self.key = timing.Product(rung, seed=1), key
        if key not in self.times:
            torch.backends.cuda.matmul.allow_tf32 = rung["tf32"]
            product = self.product

            def call(index):
                a, b, c = product.operands(index)
                torch.matmul(a, b, out=c)
            self.times[key] = timing.measure({"torch": call}, product, self.nvml)["torch"]
        return self.product, self.times[key]


def add_gains(rungs):
    """How many times faster than the timed rung before it in its set, of one engine outside of the ladder."""
    before = {}
    for rung in rungs:
        track = (rung["set"], "" if rung["set"] == "ladder" else rung["name"].split("-")[1])
        time_us = rung.get("ours", {}).get("p50_us")
        rung["gain"] = before[track] / time_us if time_us and track in before else None
        if time_us:
            before[track] = time_us


def cells(rung):
    """What the table says of a rung."""
    text, ours, seen = timing.text, rung.get("ours"), rung.get("counters") or {}

    def count(*names):
        values = [seen[name] for name in names if seen.get(name) is not None]
        return text(sum(values) if values else None, "{:.3g}")
    if not ours:
        return [rung["title"], rung["error"] or "not run"] + ["-"] * 14
    static = rung["ptxas"] or {}
    spills = static.get("spill_stores", 0) + static.get("spill_loads", 0)
    registers = f"{rung['registers']} ({spills} B spilled)" if spills else rung["registers"]
    return [rung["title"], *(text(ours[key]) for key in ("mean_us", "p50_us", "p95_us", "tflops")),
            text(rung["gain"], "{:.2f}"), rung["threads"], registers, rung["shared_bytes"],
            text(rung["model"]["occupancy"], "{:.0f}"),
            text(seen.get("achieved_occupancy"), "{:.0f}"), count("conflicts_load", "conflicts_ldmatrix"),
            count("conflicts_store"), f"{count('load_requests')} / {count('load_sectors')}",
            f"{count('store_requests')} / {count('store_sectors')}", text(seen.get("tensor_pipe"), "{:.0f}")]


HEADER = ["rung", "mean (us)", "P50 (us)", "P95 (us)", "TFLOP/s", "gain", "threads", "registers", "shared (B)",
          "occupancy, model (%)", "achieved (%)", "bank conflicts, loads", "stores",
          "global loads, requests / sectors", "global stores", "tensor pipe (%)"]


def report(rungs, sets, torch_times):
    for name, title in sets.items():
        of_set = [rung for rung in rungs if rung["set"] == name]
        if of_set:
            print(f"\n### {title}\n\n{timing.table(HEADER, [cells(rung) for rung in of_set])}")
    print()
    for (m, n, k, kind, tf32), found in torch_times.items():
        print(f"torch.matmul, {m} x {n} x {k} {'tf32' if tf32 else kind}: mean {found['mean_us']:.1f} us, "
              f"P50 {found['p50_us']:.1f}, P95 {found['p95_us']:.1f}, {found['tflops']:.1f} TFLOP/s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ladder", metavar="LADDER", help="folder of make-ladder.py")
    parser.add_argument("--json", default="ladder.jsonl", metavar="FILE", help="rows (default: ladder.jsonl)")
    parser.add_argument("--only", default="", metavar="REGEX", help="rungs whose name matches")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no rung after this long, and say so")
    parser.add_argument("--no-ncu", action="store_true", help="count nothing")
    options = parser.parse_args()
    folder = pathlib.Path(options.ladder)
    try:
        made = json.loads((folder / "rungs.json").read_text())
        rungs = [r for r in made["rungs"] if re.search(options.only, r["name"])]
    except (OSError, ValueError, KeyError, TypeError) as error:
        parser.error(f"'{folder}' is no folder of make-ladder.py: {error!r}")
    except re.error as error:
        parser.error(f"--only: '{options.only}' is no regular expression: {error}")
    if not rungs:
        parser.error(f"no rung matches --only={options.only}")
    driver, nvml = timing.start()
    about, begin = timing.about(), time.time()
    sizes = Sizes(nvml)
    failed = []

    def late():
        return time.time() - begin > options.seconds

    def say(text):
        print(f"[{time.time() - begin:.0f} s] {text}", file=sys.stderr, flush=True)

    for index, rung in enumerate(rungs):
        rung["kind"] = "rung"
        rung["compiled"] = rung["error"] is None
        if not rung["compiled"] or late():
            continue
        try:
            product, rung["torch"] = sizes.get(rung)
            time_rung(rung, folder, driver, nvml, product)
        except RuntimeError as error:
            rung["error"] = str(error).splitlines()[0]
            if timing.is_lost(error):
                failed.append(rung["name"])
                say(f"{rung['name']}: {rung['error']}; the context is lost, stopping")
                break
        if rung["error"]:
            failed.append(rung["name"])
        told = rung["error"] or f"{rung['ours']['p50_us']:.1f} us, {rung['ours']['tflops']:.1f} TFLOP/s"
        say(f"{index + 1} of {len(rungs)} {rung['name']}: {told}")
    timed = [rung for rung in rungs if "ours" in rung]
    add_gains(rungs)

    def save():
        with open(options.json, "w") as file:
            for rung in rungs:
                file.write(json.dumps({**rung, **about}) + "\n")

    save()
    profiler, counted = counters.Profiler(), {}
    if profiler.problem and not options.no_ncu:
        say(profiler.problem)
    for rung in timed if not options.no_ncu else []:
        ptx, plan = (folder / (rung["name"] + suffix) for suffix in (".ptx", ".json"))
        key = ptx.read_bytes() + plan.read_bytes()  # sets share some rungs
        if key not in counted and not late():
            known = profiler.problem
            counted[key] = profiler.count(ptx, plan, rung["kernel"])
            if not known:
                say(f"{rung['name']}: {counted[key][1] or 'counted'}")
        rung["counters"], rung["counters_error"] = counted.get(key, (None, "out of time"))
        save()
    if profiler.unknown:
        print("ncu does not know here: " + ", ".join(sorted(profiler.unknown)))
    report(rungs, made["sets"], sizes.times)
    missing = sum(rung["compiled"] for rung in rungs) - len(timed) - len(failed)
    print(f"\n{len(timed)} of {len(rungs)} rungs timed on {about['device']}, "
          f"{sum(not rung['compiled'] for rung in rungs)} not compiled, {len(failed)} failed, {missing} not run, "
          f"PyTorch {about['torch_version']}, {time.time() - begin:.0f} s")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
