#!/usr/bin/env bash
# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing, builds everything and runs every test. The tests are
# those that ctest knows; a group is a label, or a test without one. Each
# group's own closing counts are shown, then how long each took.
#
# --slow runs the large networks of test/Networks as well, where they are there.
#
# usage: utils/check.sh [--preset default|debug|asan] [--build-dir DIR] [--slow]

set -euo pipefail
# shellcheck source=utils/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

preset=default
build=""
slow=""
while [ $# -gt 0 ]; do
  case "$1" in
    --preset | --build-dir)
      [ $# -ge 2 ] || die "'$1' needs a value"
      if [ "$1" = --preset ]; then preset="$2"; else build="$2"; fi
      shift 2 ;;
    --preset=*) preset="${1#*=}"; shift ;;
    --build-dir=*) build="${1#*=}"; shift ;;
    --slow) slow=yes; shift ;;
    -h | --help) sed -n '/^# Installs/,/^$/s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) die "unknown option '$1'; see --help" ;;
  esac
done
if [ -z "$build" ]; then
  build="$TOP_SRC/build"
  [ "$preset" = default ] || build="$build-$preset"
fi

rows=()
# note NAME START VERDICT: a line of the closing table.
note() { rows+=("$(printf '%-28s %6d s   %s' "$1" $((SECONDS - $2)) "$3")"); }

# Prints "kind TAB name TAB tests" of each group, in the order of the tests.
list_groups() {
  ctest --test-dir "$build" --show-only=json-v1 | python3 -c '
import json, sys
groups = {}
for test in json.load(sys.stdin)["tests"]:
    props = {p["name"]: p["value"] for p in test.get("properties", [])}
    labels = props.get("LABELS", [])
    group = ("label", labels[0]) if labels else ("name", test["name"])
    groups.setdefault(group, []).append(test["name"])
for (kind, name), tests in groups.items():
    print(kind, name, len(tests), sep="\t")'
}

# run_group KIND NAME: with -V, for the counts that the tests print themselves;
# what ctest adds to every test is left out.
run_group() {
  local select=(-L "^$2\$")
  [ "$1" = label ] || select=(-R "^$2\$")
  # GTEST_BRIEF: failures and the closing counts only.
  GTEST_BRIEF=1 ctest --test-dir "$build" "${select[@]}" -V -j "$(nproc)" --no-tests=error |
    sed -E -e '/^The following tests passed:/,/^$/d' -e '/^([0-9]+:)? *$/d' \
      -e '/^(UpdateCTestConfiguration|Constructing a list|Done constructing|Checking test dep|Internal ctest|Updating test list|Added 0 tests|test [0-9]+$|Test project| *Start +[0-9]+:)/d' \
      -e '/^[0-9]+: (Test command:|Working Directory:|Test timeout computed|Testing:  ?0|Running main\(\))/d'
}

set_up "$preset" "$build"
note set-up 0 passed
start=$SECONDS
build "$build"
note build "$start" passed

groups="$(list_groups)" || die "ctest could not list the tests of $build"
[ -n "$groups" ] || die "no tests in $build"
result=passed
while IFS=$'\t' read -r kind name count; do
  say "$name, $count $([ "$count" -eq 1 ] && echo test || echo tests) of ctest"
  start=$SECONDS
  if run_group "$kind" "$name" </dev/null; then
    note "$name" "$start" passed
  else
    note "$name" "$start" FAILED
    result=FAILED
  fi
done <<<"$groups"

if [ -n "$slow" ]; then
  say "slow networks"
  start=$SECONDS
  # As cmake found it for the suite.
  lit="$(sed -n 's/^TOP_LIT:[A-Z]*=//p' "$build/CMakeCache.txt")"
  if "$lit" -sv --param slow=1 "$build/test/Networks" </dev/null; then
    note "slow networks" "$start" passed
  else
    note "slow networks" "$start" FAILED
    result=FAILED
  fi
fi

say "time of each group"
note total 0 "$result"
printf '%s\n' "${rows[@]}"
[ "$result" = passed ]
