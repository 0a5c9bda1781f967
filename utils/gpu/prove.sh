#!/usr/bin/env bash
# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Proves the kernels of make-cases.py on a GPU: every case is compared with
# PyTorch and repeated, its results equal bit by bit, in several processes at
# once; a covering set runs under compute-sanitizer, for accesses and for races.
# Writes what each process says into OUT.
#
# usage: utils/gpu/prove.sh CASES OUT
#
# environment: JOBS, processes at once (8); REPEATS of each case (100); SECONDS_EACH, begin no case after
#              so long (240); COVER, a regular expression for the cases under compute-sanitizer;
#              MEMCHECK_JOBS and RACECHECK_JOBS, processes of each of its tools (1; racecheck is the slow one)
# exit status: 0 all right and silent; 1 not; 2 usage

set -uo pipefail

die() { echo "prove: error: $*" >&2; exit 2; }

[ $# -eq 2 ] || die "expected a folder of cases and one to write to"
cases="$1" out="$2"
[ -f "$cases/cases.json" ] || die "no cases.json in '$cases'; make-cases.py writes it"
mkdir -p "$out" || die "cannot make '$out'"
here="$(cd "$(dirname "$0")" && pwd)"
jobs="${JOBS:-8}" seconds="${SECONDS_EACH:-240}"
cover="${COVER:-^mma-(layout|stages|steps|shared)-|^split-f16-2|^copy-f16|^layout-f32|^conv-(stages|parts|to|last|direct|default)-}"

# check LOG WORDS...: a process of check-on-device.py, perhaps below another program.
check() {
  local log="$1"
  shift
  timeout $((seconds + 60)) "$@" >"$out/$log" 2>&1
  echo $? >"$out/$log.status"
}

run=(python3 "$here/check-on-device.py" "$cases" --seconds="$seconds")
for ((i = 0; i < jobs; ++i)); do
  check "shard-$i" "${run[@]}" --repeats="${REPEATS:-100}" --shard="$i/$jobs" &
done
sanitizers=()
if command -v compute-sanitizer >/dev/null; then
  sanitizers=(memcheck racecheck)
  declare -A processes=([memcheck]="${MEMCHECK_JOBS:-1}" [racecheck]="${RACECHECK_JOBS:-1}")
  for tool in "${sanitizers[@]}"; do
    for ((i = 0; i < processes[$tool]; ++i)); do
      check "$tool-$i" compute-sanitizer --tool "$tool" --error-exitcode 9 \
        "${run[@]}" --repeats=1 --only="$cover" --shard="$i/${processes[$tool]}" &
    done
  done
else
  echo "prove: compute-sanitizer is not on the path: not run"
fi
wait

status=0
for ((i = 0; i < jobs; ++i)); do
  grep -h '^FAIL' "$out/shard-$i"
  tail -n 1 "$out/shard-$i"
  [ "$(cat "$out/shard-$i.status")" -eq 0 ] || status=1
done
for tool in "${sanitizers[@]}"; do
  for ((i = 0; i < processes[$tool]; ++i)); do
    log="$out/$tool-$i"
    echo "$tool: $(grep -h 'ERROR SUMMARY\|RACECHECK SUMMARY' "$log" | tail -n 1), $(grep -h ' cases run on ' "$log")"
    [ "$(cat "$log.status")" -eq 0 ] || status=1
  done
done
exit $status
