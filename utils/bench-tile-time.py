#!/usr/bin/env python3
"""Times the pass top-tile against the number of tiles it writes out.

Prints a table; with --max-seconds fails if the largest case takes longer, and
always fails if the time per tile of the largest case is more than three times
that of the case with a sixteenth of its tiles (a quadratic pass would take
sixteen times as long).
"""

import argparse
import re
import shutil
import subprocess
import sys

IMAGE = 512  # rows and columns of the convolution's result

MODULE = """
func.func @f(%in: tensor<1x4x{0}x{0}xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x{0}x{0}xf32> {{
  %y = top.Conv2D %in, %w {{pads = array<i64: 1, 1, 1, 1>}} : (tensor<1x4x{0}x{0}xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x{0}x{0}xf32>
  return %y : tensor<1x4x{0}x{0}xf32>
}}
"""


def time_pass(top_opt, tile, runs):
    """Seconds in top-tile, the least of some runs."""
    command = [top_opt, f"--top-tile=height={tile} width={tile} form=unroll",
               "--mlir-timing", "-o", "/dev/null"]
    best = None
    for _ in range(runs):
        done = subprocess.run(command, input=MODULE.format(IMAGE), text=True,
                              capture_output=True, check=True)
        match = re.search(r"^\s*([0-9.]+) \(.*TopTilePass$", done.stderr, re.M)
        seconds = float(match.group(1))
        best = seconds if best is None else min(best, seconds)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--top-opt", default="build/bin/top-opt")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--max-seconds", type=float, help="limit for 16384 tiles")
    args = parser.parse_args()
    if not shutil.which(args.top_opt):
        sys.exit(f"bench-tile-time: no executable '{args.top_opt}'; use --top-opt")

    print("|  tiles | top-tile (s) | us a tile |")
    print("|-------:|-------------:|----------:|")
    seconds = {}
    for tile in (32, 16, 8, 4):
        tiles = (IMAGE // tile) ** 2
        seconds[tiles] = time_pass(args.top_opt, tile, args.runs)
        print(f"| {tiles:6} | {seconds[tiles]:12.4f} | {seconds[tiles] / tiles * 1e6:9.1f} |")
    if args.max_seconds and seconds[16384] > args.max_seconds:
        sys.exit(f"16384 tiles took {seconds[16384]} s, expected at most {args.max_seconds} s")
    if seconds[16384] / 16384 > 3 * seconds[1024] / 1024:
        sys.exit("time a tile grows with the number of tiles")


if __name__ == "__main__":
    main()
