#!/bin/bash
# SPDX-License-Identifier: MIT
# headers_test.sh COMPILER: the headers compile without a warning, together as gnu++20 and with g++ each
# alone as gnu++17; so does a program; and those that only say that something is not supported say so.
# (clang++ has the same standard library here: what is not included is missing with both.)
set -u
compiler=$1
include=$(cd "$(dirname "$0")/../../include" && pwd)
failures=0
together=
cd "$include" || exit 1

compile() {  # STANDARD PROGRAM
  "$compiler" -x c++ -std="$1" -fsyntax-only -Wall -Wextra -Wshadow -Werror -I "$include" - \
    <<<"$2" 2>&1
}

# Whether it does nothing but include another header.
forwards() { ! grep -qvE '^(//.*|#pragma once|#include .*|)$' "$1"; }

for header in *.h simt/*.h simt/*/*.h cooperative_groups/*.h cuda/* cuda/std/* thrust/device_vector.h \
  cub/cub.cuh; do
  [[ -d $header ]] && continue
  if grep -q '^#error' "$header"; then
    if compile gnu++17 "#include \"$header\"" | grep -q 'not supported on the CPU device'; then
      continue
    fi
    echo "$header does not say what is not supported"
    ((failures++))
  else
    together+="#include \"$header\""$'\n'
    if [[ $compiler == *clang++ ]] || forwards "$header"; then continue; fi
    if ! output=$(compile gnu++17 "#include \"$header\""); then
      echo "$header does not compile alone:"
      echo "$output"
      ((failures++))
    fi
  fi
done
if ! output=$(compile gnu++20 "$together"); then
  echo "the headers do not compile together as gnu++20:"
  echo "$output"
  ((failures++))
fi

# What programs write, as the rewriter leaves it, with and without optimisation.
for flags in '-std=gnu++17 -O0' '-std=gnu++20 -O2'; do
  # shellcheck disable=SC2086
  if ! output=$("$compiler" -x c++ $flags -Wall -Wextra -Wshadow -Werror -Wno-unknown-pragmas \
    -D__CUDACC__ -isystem . -include cuda_runtime.h -c ../tests/headers/language.cu -o /dev/null 2>&1); then
    echo "language.cu does not compile with $flags:"
    echo "$output"
    ((failures++))
  fi
done
((failures == 0))
