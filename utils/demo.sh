#!/usr/bin/env bash
# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing, builds top-opt and top-run, and does the main job in
# front of you: cuts convolutions into tiles, shows the IR before and after, runs
# the tiles on the CPU and compares the numbers with an independent reference;
# then runs a kernel on the GPU, or on a simulated one where there is none.
#
# usage: utils/demo.sh [--build-dir DIR]

set -euo pipefail
# shellcheck source=utils/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

build="$TOP_SRC/build"
while [ $# -gt 0 ]; do
  case "$1" in
    --build-dir)
      [ $# -ge 2 ] || die "'$1' needs a value"
      build="$2"
      shift 2 ;;
    --build-dir=*) build="${1#*=}"; shift ;;
    -h | --help) sed -n '/^# Installs/,/^$/s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) die "unknown option '$1'; see --help" ;;
  esac
done

# show COMMAND...: prints a command as one would type it, then runs it.
show() {
  local word line="\$"
  for word in "$@"; do
    case "$word" in
      *[!a-zA-Z0-9_./=,:-]*) line+=" '$word'" ;;
      *) line+=" $word" ;;
    esac
  done
  printf '\n%s\n' "$line"
  "$@" || die "the command above failed"
}

set_up default "$build"
build "$build" top-opt top-run

# Short names in what follows; the tiles of the demo stay there to look at.
cd "$TOP_SRC"
build="$(realpath --relative-base="$TOP_SRC" "$build")"
out="$build/demo"
mkdir -p "$out"
top_opt="$build/bin/top-opt"
top_run="$build/bin/top-run"
remarks=(--remark-format=emitRemark "--remarks-filter=top-.*")

say "1. two images, cut along the batch: slices share nothing"
show cat docs/examples/batch.mlir
show "$top_opt" docs/examples/batch.mlir "--top-tile=batch=1 form=unroll" "${remarks[@]}" -o "$out/batch.mlir"
show cat "$out/batch.mlir"

say "2. one image, cut into 8 rows a tile: a loop over the interior, border tiles with their own pads"
show cat docs/examples/rows.mlir
show "$top_opt" docs/examples/rows.mlir --top-tile=height=8 "${remarks[@]}" -o "$out/rows.mlir"
show cat "$out/rows.mlir"

say "3. run on the CPU with seeded random inputs; the reference is plain loops in double"
show "$top_run" docs/examples/rows.mlir --target=cpu --verify
show "$top_run" "$out/batch.mlir" --reference=docs/examples/batch.mlir --target=cpu --verify
show "$top_run" "$out/rows.mlir" --reference=docs/examples/rows.mlir --target=cpu --verify

say "4. a kernel of the tensor cores; without a GPU on a simulated one, which checks every access and barrier"
show cat docs/examples/tensor-cores.mlir
gpu=0
"$top_run" docs/examples/tensor-cores.mlir --target=gpu >"$out/gpu.log" 2>&1 || gpu=$?
# 3: there is no device that could run it.
if [ "$gpu" -eq 3 ]; then
  show "$top_run" docs/examples/tensor-cores.mlir --target=sim --verify --sim-report
else
  show "$top_run" docs/examples/tensor-cores.mlir --target=gpu --verify
fi

say "the tiles are right; they are in $out. Next: docs/Tiling.md, utils/check.sh"
