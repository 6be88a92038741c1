# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The packages that convkit needs, and how each is recognised. A package counts as installed if the
# tool, header or Python module exists: your own build in /usr/local or CMAKE_PREFIX_PATH works,
# too.

# group     package              recognised by
package_table='
required    g++                  compiler
required    cmake                cmake
required    ninja-build          tool ninja
required    libcli11-dev         header CLI/CLI.hpp
required    libfmt-dev           header fmt/format.h
required    nlohmann-json3-dev   header nlohmann/json.hpp
required    libtomlplusplus-dev  header toml++/toml.h
required    libstb-dev           header stb/stb_image.h
required    zlib1g-dev           header zlib.h
required    libboost-context-dev fiber_switch
required    python3              python sys
required    python3-numpy        python numpy
required    python3-tomli        toml_module
optional    libarchive-dev       header archive.h
optional    libseccomp-dev       header seccomp.h
optional    bubblewrap           tool bwrap
optional    libdnnl-dev          header dnnl.hpp
optional    libopenblas0         library libopenblas.so.0
optional    mold                 tool mold
tests       catch2               header catch2/catch.hpp catch2/catch_all.hpp
tests       python3-pytest       python pytest
tests       python3-pytest-xdist python xdist
tests       zip                  tool zip
tests       unzip                tool unzip
tests       xz-utils             tool xz
linters     clang-format         tool clang-format
linters     shellcheck           tool shellcheck
linters     python3-venv         python ensurepip
'

minimum_cmake=3.22

# The words that a user sees when an optional package is missing.
consequence() {
  case $1 in
    libarchive-dev) echo "only folders can be graded, archives cannot" ;;
    libseccomp-dev) echo "submissions run without a system-call filter" ;;
    bubblewrap) echo "submissions run without the outermost sandbox" ;;
    libdnnl-dev) echo "cuDNN on the CPU device convolves several times slower, and bench does not compare with oneDNN" ;;
    libopenblas0) echo "cuBLAS on the CPU device multiplies several times slower" ;;
    mold) echo "checks link a little slower" ;;
    python3-pytest-xdist) echo "Python's tests run one after the other" ;;
    *) echo "its checks are skipped" ;;
  esac
}

# Student code is compiled, linked and run in a sandbox that has only the system's folders: a package
# that is only used there cannot be used from a prefix.
works_unpacked() { [[ $1 != libdnnl-dev && $1 != libopenblas0 && $1 != mold ]]; }

prefixes() {
  echo "$private/prefix/usr"
  tr ':' '\n' <<<"${CMAKE_PREFIX_PATH-}"
  printf '%s\n' /usr/local /usr
}

has_header() {
  local prefix header
  while read -r prefix; do
    [[ -n $prefix ]] || continue
    for header in "$@"; do [[ ! -f $prefix/include/$header ]] || return 0; done
  done < <(prefixes)
  return 1
}

# has_library FILE: looks in a prefix's folder of libraries, and in that of one architecture.
has_library() {
  local prefix
  while read -r prefix; do
    [[ -n $prefix ]] || continue
    ! compgen -G "$prefix/lib*/$1" >/dev/null || return 0
    ! compgen -G "$prefix/lib/*-linux-gnu*/$1" >/dev/null || return 0
  done < <(prefixes)
  return 1
}

at_least() { printf '%s\n%s\n' "$2" "$1" | sort -V -C; }

cmake_version() { cmake --version 2>/dev/null | awk 'NR == 1 {print $3}'; }

has_cmake() {
  local version
  version=$(cmake_version) && [[ -n $version ]] && at_least "$version" "$minimum_cmake"
}

# knows_cxx20 COMPILER: g++ 11 or clang 14 and newer, with a standard library.
knows_cxx20() {
  local macros gnu clang
  command -v "$1" >/dev/null || return 1
  macros=$(echo '#include <version>' | "$1" -std=c++20 -x c++ -dM -E - 2>/dev/null) || return 1
  clang=$(awk '$2 == "__clang_major__" {print $3}' <<<"$macros")
  gnu=$(awk '$2 == "__GNUC__" {print $3}' <<<"$macros")
  if [[ -n $clang ]]; then ((clang >= 14)); else ((${gnu:-0} >= 11)); fi
}

compiler=

# Sets `compiler` to the first one that is new enough. The user's choice in CXX is never replaced.
has_compiler() {
  local candidates=(c++ g++ clang++ g++-{14,13,12,11} clang++-{18,17,16,15,14})
  [[ -z $compiler ]] || return 0
  [[ -z ${CXX-} ]] || candidates=("$CXX")
  for compiler in "${candidates[@]}"; do
    ! knows_cxx20 "$compiler" || return 0
  done
  compiler=
  return 1
}

# The CPU device has its own fiber switch for x86-64; on other processors it uses Boost.Context.
has_fiber_switch() { [[ $(uname -m) == x86_64 ]] || has_header boost/context/detail/fcontext.hpp; }

# is_there KIND WHAT...
is_there() {
  local kind=$1
  shift
  case $kind in
    compiler) has_compiler ;;
    cmake) has_cmake ;;
    tool) command -v "$1" >/dev/null ;;
    header) has_header "$@" ;;
    library) has_library "$1" ;;
    python) some_python_imports "$1" ;;
    toml_module) has_toml_module ;;
    fiber_switch) has_fiber_switch ;;
  esac
}

# missing GROUP...: sets the array `lacking` to the missing packages of these groups.
missing() {
  local group package recognised
  lacking=()
  while read -r group package recognised; do
    [[ " $* " == *" $group "* && -n $group ]] || continue
    # shellcheck disable=SC2086  # the words of the third column are arguments
    is_there $recognised || lacking+=("$package")
  done <<<"$package_table"
}

group_of() { awk -v package="$1" '$2 == package {print $1}' <<<"$package_table"; }
