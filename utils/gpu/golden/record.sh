#!/usr/bin/env bash
# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs instructions on the GPU of this machine (sm_90a) and writes what they did
# into OUT, as the tests of the simulated GPU read it from test/Simulation/golden.
# With N, OUT/random-mma.txt gets N cases of each random class and type as well.
#
# usage: utils/gpu/golden/record.sh OUT [N]
#
# environment: NVCC, the compiler of the CUDA toolkit (nvcc, or that of /usr/local/cuda)

set -euo pipefail

die() { echo "record: error: $*" >&2; exit 2; }

[ $# -ge 1 ] && [ $# -le 2 ] || die "expected a folder to write to, and perhaps a count"
out="$1"
here="$(cd "$(dirname "$0")" && pwd)"
nvcc="${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}"
[ -x "$nvcc" ] || die "no nvcc on the path, nor in /usr/local/cuda; set NVCC"
mkdir -p "$out" || die "cannot make '$out'"
build="$(mktemp -d)"
trap 'rm -rf "$build"' EXIT
"$nvcc" -std=c++17 -O1 -arch=sm_90a -o "$build/record" "$here/record.cu"
"$build/record" "$out" "${@:2}"
