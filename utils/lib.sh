# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# shellcheck shell=bash
#
# The set-up that demo.sh and check.sh share: install what is missing, configure,
# build. Sourced, not run. Every step does nothing when there is nothing to do,
# and every failure ends in one line on stderr and a non-zero exit.
#
# MLIR_DIR  the folder of MLIRConfig.cmake of another build of MLIR 22.1;
#           no LLVM package is installed then
# CXX, CC   the compilers, as for CMake

TOP_SRC="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
readonly TOP_SRC
readonly TOP_DEBIAN_MLIR_DIR=/usr/lib/llvm-22/lib/cmake/mlir
# lit and FileCheck are in llvm-22-tools.
readonly TOP_LLVM_PACKAGES=(libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools)

die() {
  printf '%s: error: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

say() { printf '== %s\n' "$*"; }

have() { command -v "$1" >/dev/null 2>&1; }

# Which of the given Debian packages are not installed, one a line.
missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      printf '%s\n' "$package"
  done
}

# Prints the packages that this machine lacks. A program that is there in
# whatever way (self-built, from pip) needs no package.
needed_packages() {
  have cmake || echo cmake
  have ninja || echo ninja-build
  have python3 || echo python3
  if [ -z "${CXX:-}" ] && ! have c++; then
    echo g++
  fi
  # lit is a Debian script on Debian's python3; psutil lets it stop a test that
  # hangs. The simulated GPU runs on Boost's fibers.
  missing_packages libgtest-dev libboost-context-dev python3-psutil
  if [ -z "${MLIR_DIR:-}" ]; then
    missing_packages "${TOP_LLVM_PACKAGES[@]}"
  fi
}

# The first error, or else warning, in the output of apt-get.
first_error() {
  { grep -m1 '^E:' "$1" || grep -m1 '^W:' "$1" || tail -n 1 "$1"; } | cut -c 1-200
}

install_missing() {
  if ! have apt-get || ! have dpkg-query; then
    local program
    for program in cmake ninja python3; do
      have "$program" || die "'$program' is missing, and there is no apt-get to install it with"
    done
    [ -n "${MLIR_DIR:-}" ] ||
      die "no apt-get here: install MLIR and LLVM 22.1 with headers, lit and FileCheck, and set MLIR_DIR to the folder of its MLIRConfig.cmake"
    return 0
  fi

  local needed packages
  needed="$(needed_packages)"
  [ -n "$needed" ] || return 0
  mapfile -t packages <<<"$needed"

  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    have sudo || die "not root and no sudo; as root run: apt-get install ${packages[*]}"
    as_root=(sudo)
    # Without a terminal a question for the password would hang or fail oddly.
    [ -t 0 ] || as_root=(sudo -n)
    "${as_root[@]}" true 2>/dev/null ||
      die "sudo is not allowed here; as root run: apt-get install ${packages[*]}"
  fi
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=2 -o Acquire::http::Timeout=30)
  local log
  log="$(mktemp)"

  say "installing ${packages[*]}"
  # One broken source of many is no reason to stop: what counts is whether the
  # packages can be had.
  "${apt[@]}" update >"$log" 2>&1 || true
  local package trouble=""
  if grep -qE '^(Err|E|W):' "$log"; then
    trouble=" (a package list could not be fetched: $(first_error "$log"))"
  fi
  for package in "${packages[@]}"; do
    [[ "$(LC_ALL=C apt-cache policy "$package")" != *"Candidate: "[!\(]* ]] || continue
    case " ${TOP_LLVM_PACKAGES[*]} " in
      *" $package "*)
        die "this system's package lists have no ${TOP_LLVM_PACKAGES[*]}: enable bookworm-security (Debian 12) or LLVM's own apt archive, or set MLIR_DIR to the folder of MLIRConfig.cmake of any MLIR 22.1 build$trouble" ;;
      *) die "this system's package lists have no '$package'$trouble" ;;
    esac
  done
  "${apt[@]}" install -y --no-install-recommends "${packages[@]}" >"$log" 2>&1 ||
    die "apt-get could not install ${packages[*]} ($(first_error "$log")); its output is in $log"
  rm -f "$log"
}

# Fails, in one line, for what CMake would report in twenty.
check_tools() {
  local version
  version="$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')"
  [ "$(printf '%s\n' 3.25 "$version" | sort -V | head -n 1)" = 3.25 ] ||
    die "CMake 3.25 or later is needed, but $(command -v cmake) is $version"

  local compiler="${CXX:-c++}" probe errors
  probe="$(mktemp -d)"
  printf '#include <optional>\nint main() { return *std::optional<int>(0); }\n' >"$probe/a.cpp"
  # CXX may hold a launcher or flags, as CMake allows.
  # shellcheck disable=SC2086
  if ! errors="$($compiler -std=c++17 "$probe/a.cpp" -o "$probe/a" 2>&1)"; then
    rm -rf "$probe"
    die "the compiler '$compiler' cannot build a C++17 program: $(sed 1q <<<"${errors##*: line [0-9]*: }")"
  fi
  rm -rf "$probe"

}

# The value of a variable in a CMake cache, empty where it is not there.
cached() { sed -n "s|^$2:[A-Z]*=||p" "$1/CMakeCache.txt" 2>/dev/null || true; }

# configure PRESET BUILD_DIR
configure() {
  local preset="$1" build="$2" mlir="${MLIR_DIR:-$TOP_DEBIAN_MLIR_DIR}" fresh=()
  grep -q "\"name\": \"$preset\"" "$TOP_SRC/CMakePresets.json" ||
    die "no preset '$preset' in CMakePresets.json"
  mkdir -p "$build" 2>/dev/null || die "cannot create the build folder '$build'"
  build="$(cd "$build" && pwd -P)"
  mlir="$(cd "$mlir" && pwd -P)"
  # A cache of another generator, of a tree that was moved or copied, or of
  # another MLIR or compiler cannot be updated in place.
  if [ -f "$build/CMakeCache.txt" ]; then
    local reason=""
    [ "$(cached "$build" CMAKE_GENERATOR)" = Ninja ] || reason="another generator"
    [ "$(cached "$build" CMAKE_HOME_DIRECTORY)" = "$TOP_SRC" ] || reason="another source folder"
    [ "$(cached "$build" CMAKE_CACHEFILE_DIR)" = "$build" ] || reason="another place"
    [ "$(cached "$build" MLIR_DIR)" = "$mlir" ] || reason="another MLIR"
    [ -x "$(cached "$build" CMAKE_CXX_COMPILER)" ] || reason="a compiler that is gone"
    if [ -n "$reason" ]; then
      say "$build was configured for $reason; starting afresh"
      fresh=(--fresh)
    fi
  fi
  say "configuring $build (preset $preset, MLIR of $mlir)"
  (cd "$TOP_SRC" && cmake "${fresh[@]}" --preset "$preset" -B "$build" -DMLIR_DIR="$mlir") \
    >"$build/configure.log" 2>&1 || {
    grep -A4 -m1 'CMake Error' "$build/configure.log" >&2 || true
    die "CMake failed; its output is in $build/configure.log"
  }
}

# How many compilers to run at once: one a core, each with 2 GiB of memory.
build_jobs() {
  local cores memory
  cores="$(nproc)"
  memory="$(awk '/^MemAvailable:/ { print int($2 / 2097152) }' /proc/meminfo)"
  [ "${memory:-1}" -ge 1 ] || memory=1
  echo $((cores < memory ? cores : memory))
}

# build BUILD_DIR [TARGET...]
build() {
  local build="$1"
  shift
  say "building ${*:-everything}"
  ninja -C "$build" -j "$(build_jobs)" "$@" || die "the build failed; the compiler's output is above"
}

# set_up PRESET BUILD_DIR
set_up() {
  # What no package can mend comes first.
  [ -z "${MLIR_DIR:-}" ] || [ -f "$MLIR_DIR/MLIRConfig.cmake" ] ||
    die "there is no MLIRConfig.cmake in MLIR_DIR, '$MLIR_DIR'"
  install_missing
  check_tools
  configure "$1" "$2"
}
