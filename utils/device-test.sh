#!/usr/bin/env bash
# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs every public function of every .mlir file of a folder on a GPU, on a
# machine that has neither MLIR nor this project's build: one line a function,
# then a summary. DEBS is a folder with a stripped top-run and the Debian
# packages of what it is linked with (libllvm22, libmlir-22, libz3-4, libboost-context1.74.0).
#
# usage: utils/device-test.sh DEBS FILES [FLAGS of top-run, instead of --verify --guard=nan]
#
# environment: TIMEOUT, seconds a function (60); JOBS, functions at once (4)
# exit status: 0 all right; 1 some are not; 2 usage, or top-run does not start

set -uo pipefail

die() { echo "device-test: error: $*" >&2; exit 2; }

[ $# -ge 2 ] || die "expected a folder of packages and a folder of files"
debs="$1" files="$2"
shift 2
[ $# -gt 0 ] || set -- --verify --guard=nan
[ -f "$debs/top-run" ] || die "no top-run in '$debs'"
[ -d "$files" ] || die "no folder '$files'"

work="$(mktemp -d)" || die "cannot make a temporary folder"
trap 'rm -rf "$work"' EXIT
for deb in "$debs"/*.deb; do
  [ -f "$deb" ] || continue
  dpkg -x "$deb" "$work/root" || die "cannot unpack '$deb'"
done
# Libraries of LLVM lie in a folder of its own or in the machine's.
folders="$(find "$work/root" -name '*.so*' -printf '%h\n' 2>/dev/null | sort -u | paste -sd:)"
export LD_LIBRARY_PATH="$folders${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
install -m 755 "$debs/top-run" "$work/top-run" || die "cannot copy top-run"
missing="$(ldd "$work/top-run" | grep 'not found' | awk '{print $1}' | sort -u | paste -sd' ')"
[ -z "$missing" ] || die "top-run lacks $missing"
"$work/top-run" --help >/dev/null || die "top-run does not start"

# run_one FILE FUNCTION FLAGS...: one line, `VERDICT file function seconds text`.
run_one() {
  local file="$1" function="$2" start=$EPOCHREALTIME output status verdict
  shift 2
  output="$(timeout -k 5 "$TIMEOUT" "$TOP_RUN" "$file" --function="$function" --target=gpu "$@" 2>&1 </dev/null)"
  status=$?
  case $status in
    0) verdict=ok ;;
    3) verdict=NODEVICE ;;
    124 | 137) verdict=TIMEOUT ;;
    1 | 2) verdict=FAIL ;;
    *) verdict="CRASH($status)" ;;
  esac
  printf '%s %s %s %.1fs %s\n' "$verdict" "$(basename "$file")" "$function" \
    "$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')" \
    "$(tail -n 3 <<<"$output" | cut -c1-300 | paste -sd'|')"
}
export -f run_one
export TOP_RUN="$work/top-run" TIMEOUT="${TIMEOUT:-60}"

# "file NUL function NUL" of every public function.
for file in "$files"/*.mlir; do
  [ -f "$file" ] || die "no .mlir files in '$files'"
  sed -nE 's/^ *func\.func +(public +)?@([A-Za-z0-9_.$-]+).*/\2/p' "$file" |
    while read -r function; do printf '%s\0%s\0' "$file" "$function"; done
done >"$work/list"
[ -s "$work/list" ] || die "no functions in the files of '$files'"

# xargs puts file and function behind the flags.
# shellcheck disable=SC2016
xargs -0 -n 2 -P "${JOBS:-4}" \
  bash -c 'run_one "${@:$#-1:1}" "${@:$#}" "${@:1:$#-2}"' run "$@" \
  <"$work/list" | tee "$work/lines"

total=$(($(tr -cd '\0' <"$work/list" | wc -c) / 2))
right=$(grep -c '^ok ' "$work/lines")
echo "device-test: $right of $total functions right"
[ "$right" -eq "$total" ]
