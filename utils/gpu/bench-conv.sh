#!/usr/bin/env bash
# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles the convolutions of the benchmark suite on a machine with a GPU and
# without MLIR, one process a core, and times them beside cuDNN. TOOLS is a folder
# with a stripped top-compile and the Debian packages of what it is linked with
# (libllvm22, libmlir-22, libz3-4). Writes conv.md, conv.jsonl, conv.csv and what
# was said (make.log, time.log) into OUT.
#
# usage: utils/gpu/bench-conv.sh TOOLS OUT [FLAGS of make-bench.py] [-- FLAGS of time-conv.py]
#
#   utils/gpu/bench-conv.sh .device out --core
#   utils/gpu/bench-conv.sh .device out --schedules=variants.json -- --no-torch
#
# exit status: 0 all right; 1 a case is wrong, failed or was not reached; 2 usage, or top-compile does not start

set -uo pipefail

die() { echo "bench-conv: error: $*" >&2; exit 2; }

[ $# -ge 2 ] || die "expected a folder of tools and one to write to"
tools="$1" out="$2"
shift 2
make=() time=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do make+=("$1"); shift; done
[ $# -eq 0 ] || shift
time=("$@")
[ -f "$tools/top-compile" ] || die "no top-compile in '$tools'"
mkdir -p "$out" || die "cannot make '$out'"
here="$(cd "$(dirname "$0")" && pwd)"
work="$(mktemp -d)" || die "cannot make a temporary folder"
trap 'rm -rf "$work"' EXIT
"$here/unpack-tools.sh" "$tools" "$work/tools" || exit 2

python3 "$here/make-bench.py" "$work/bench" --kind=conv --chip=sm_90a --card=h200 --compiler="$work/tools/top-compile" \
  "${make[@]}" >"$out/make.log" 2>&1
tail -n 5 "$out/make.log"
[ -f "$work/bench/cases.json" ] || die "nothing was compiled"
python3 "$here/time-conv.py" "$work/bench" --json="$out/conv.jsonl" --csv="$out/conv.csv" "${time[@]}" \
  >"$out/conv.md" 2>"$out/time.log"
status=$?
grep -v '^\[' "$out/time.log" | tail -n 5
cat "$out/conv.md"
exit $status
