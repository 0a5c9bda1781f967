#!/usr/bin/env bash
# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes tools of this project start on a machine without MLIR. TOOLS is a folder
# with stripped tools (top-compile, top-run) and the Debian packages of what they
# are linked with (libllvm22, libmlir-22, libz3-4, for top-run libboost-context1.74.0).
# Unpacks these into OUT, with a script of the same name for each tool.
#
# usage: utils/gpu/unpack-tools.sh TOOLS OUT
#
#   utils/gpu/unpack-tools.sh .device tools
#   utils/gpu/make-cases.py cases --kind=conv --compiler=tools/top-compile
#
# exit status: 0 all start; 2 usage, or one does not

set -uo pipefail

die() { echo "unpack-tools: error: $*" >&2; exit 2; }

[ $# -eq 2 ] || die "expected a folder of tools and one to write to"
tools="$1"
mkdir -p "$2" || die "cannot make '$2'"
out="$(cd "$2" && pwd)"
for deb in "$tools"/*.deb; do
  [ -f "$deb" ] || continue
  dpkg -x "$deb" "$out/root" || die "cannot unpack '$deb'"
done
folders="$(find "$out" -name '*.so*' -printf '%h\n' 2>/dev/null | sort -u | paste -sd:)"
count=0
for tool in "$tools"/top-*; do
  [ -f "$tool" ] || continue
  name="$(basename "$tool")"
  install -m 755 "$tool" "$out/$name.bin" || die "cannot copy $name"
  # The packages' libraries are for this program alone.
  printf '#!/bin/sh\nLD_LIBRARY_PATH="%s${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" exec "%s/%s.bin" "$@"\n' \
    "$folders" "$out" "$name" >"$out/$name"
  chmod 755 "$out/$name"
  "$out/$name" --help >/dev/null || die "$name does not start"
  count=$((count + 1))
done
[ $count -gt 0 ] || die "no tool in '$tools'"
