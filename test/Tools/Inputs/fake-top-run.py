#!/usr/bin/env python3
"""top-run on a GPU that is not there, for utils/bench-suite.py: f16 takes 20 us,
cuBLAS 40 for 2048 and 10 for 1024; bf16 comes out wrong."""

import json
import re
import sys

flags = dict(arg[2:].split("=", 1) for arg in sys.argv[2:] if "=" in arg)
assert {"--bench", "--verify", "--target=gpu", "--baseline=cublas"} <= set(sys.argv), sys.argv
text = open(sys.argv[1]).read()
name = re.search("@([a-z0-9_]+)", text).group(1)
size = int(re.search("tensor<([0-9]+)x", text).group(1))
report = {"status": "FAIL" if "bf16" in name else "PASS", "device": "a fake"}
if "bf16" not in name:
    seconds, theirs = 20e-6, 40e-6 if size == 2048 else 10e-6
    flop = 2 * size**3
    report["bench"] = {"mean_seconds": 21e-6, "p50_seconds": seconds, "p95_seconds": 25e-6, "min_seconds": 19e-6,
                       "flop_per_second": flop / seconds, "bytes_per_second": 6 * size**2 / seconds,
                       "roofline_share": 0.87, "sm_mhz": 1755, "ratio": theirs / seconds,
                       "baseline": {"p50_seconds": theirs, "flop_per_second": flop / theirs}}
    print("top-run: block 1 of 10: ours 20 us a call, 1755 MHz", file=sys.stderr)
with open(flags["json"], "w") as file:
    json.dump(report, file)
print(f"FAIL {name} result 0" if "bf16" in name else f"PASS {name}")
sys.exit("bf16" in name)
