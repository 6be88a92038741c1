#!/bin/bash
# SPDX-License-Identifier: MIT
# messages_test.sh COMPILER: what the CPU device does not support is refused at the program's own
# line, in the words that unsupported.cu gives for it.
set -u
compiler=$1
here=$(cd "$(dirname "$0")" && pwd)
source=$here/unsupported.cu
all=()
case $("$compiler" --version) in *clang*) all=(-ferror-limit=0) ;; esac
output=$("$compiler" -x c++ -std=gnu++17 -fsyntax-only "${all[@]}" -D__CUDACC__ \
  -isystem "$here/../../include" -include cuda_runtime.h "$source" 2>&1)
failures=0
count=0
while IFS=: read -r line text; do
  words=${text##*ERROR: }
  ((count++))
  if [[ $text == *"// INCLUDE ERROR: "* ]]; then
    found=$(grep -F "unsupported.cu:$line" <<<"$output" | grep -F 'included from')
    [[ -n $found ]] && found=$(grep -F 'error' <<<"$output" | grep -F "$words")
  else
    found=$(grep -F "unsupported.cu:$line:" <<<"$output" | grep -F 'error' | grep -F "$words")
  fi
  if [[ -z $found ]]; then
    echo "line $line is not refused with: $words"
    grep -F "unsupported.cu:$line:" <<<"$output"
    ((failures++))
  fi
done < <(grep -n '// \(INCLUDE \)\?ERROR: ' "$source")
# And nothing else is refused.
refused=$(grep -oE "unsupported.cu:[0-9]+:[0-9]+: error" <<<"$output" | cut -d: -f2 | sort -un)
for line in $refused; do
  if ! sed -n "${line}p" "$source" | grep -q 'ERROR: '; then
    echo "line $line is refused, and should not be"
    ((failures++))
  fi
done
echo "$count refusals expected, $failures failures"
((failures == 0 && count > 0))
