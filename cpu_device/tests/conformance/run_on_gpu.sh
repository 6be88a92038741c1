#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The conformance programs on a real GPU: compiled by nvcc, run one after another, their output
# compared with what is expected. One line each, then the counts.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
: "${NVCC:=nvcc}" "${ARCH:=native}" "${JOBS:=$(nproc)}" "${LIMIT_S:=60}"
json='' build='' compile_only=false names=()

usage() {
  cat <<'HELP'
Usage: run_on_gpu.sh [--json FILE] [--build DIR] [--compile-only] [NAME...]
  --json FILE     writes the results there, too
  --build DIR     keeps programs and their output (NAME.out, NAME.err, NAME.log) in DIR
  --compile-only  needs no GPU: compiles everything, the faulty programs as well, and stops
  NAME...         only these programs
Environment: NVCC (nvcc), ARCH (native; or sm_90, ...), JOBS (compilers at a time), LIMIT_S (seconds
a program may run).
Exit code: 0 all passed, 1 something failed, 2 it could not be tried.
HELP
}

give_up() {
  echo "run_on_gpu.sh: $*" >&2
  exit 2
}

while (($# > 0)); do
  case $1 in
    --json) json=${2:?--json needs a file} && shift ;;
    --build) build=${2:?--build needs a folder} && shift ;;
    --compile-only) compile_only=true ;;
    -h | --help) usage && exit 0 ;;
    -*) usage >&2 && exit 2 ;;
    *) names+=("$1") ;;
  esac
  shift
done

command -v "$NVCC" >/dev/null || give_up "$NVCC is not on PATH; name it with NVCC."
device=none driver=none
if ! $compile_only; then
  device=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1) || true
  driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1) || true
  [[ -n $device ]] || give_up "no GPU answers nvidia-smi; --compile-only works without one."
fi
cuda=$("$NVCC" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
if [[ -z $build ]]; then
  build=$(mktemp -d)
  trap 'rm -rf -- "$build"' EXIT
fi
mkdir -p "$build"

folders=(programs tricky)
if $compile_only; then folders+=(faulty); fi
sources=()
for folder in "${folders[@]}"; do
  for source in "$here/$folder"/*.cu; do
    name=$(basename "$source" .cu)
    [[ $name == *.part ]] && continue
    ((${#names[@]} == 0)) || [[ " ${names[*]} " == *" $name "* ]] || continue
    sources+=("$source")
  done
done
((${#sources[@]} > 0)) || give_up "there is no program of that name."

# NAME.part.cu is a second source of NAME.cu; "Link with -lcublas." in its text asks for a library.
compile() {
  local source=$1 name parts=() libraries=()
  name=$(basename "$source" .cu)
  mapfile -t libraries < <(sed -n 's|^// .*\bwith \(-l[A-Za-z]*\)\.$|\1|p' "$source")
  [[ ! -e ${source%.cu}.part.cu ]] || parts=("${source%.cu}.part.cu")
  rm -f "$build/$name"
  "$NVCC" "-arch=$ARCH" -std=c++17 --Werror all-warnings "$source" "${parts[@]}" \
    "${libraries[@]}" -o "$build/$name" >"$build/$name.log" 2>&1 || true
}

run() {
  local source=$1 name=$2 code=0
  timeout "$LIMIT_S" "$build/$name" >"$build/$name.out" 2>"$build/$name.err" </dev/null || code=$?
  if ((code == 124)); then
    status=TIMED_OUT
  elif ((code != 0)); then
    status=CRASHED
  elif ! diff -u --label expected --label got - "$build/$name.out" \
    < <(sed -n '/^\/\* Prints:$/,/^\*\/$/p' "$source" | sed '1d;$d') >"$build/$name.log"; then
    status=WRONG
  fi
}

echo "== $device, driver $driver, CUDA $cuda, $ARCH: ${#sources[@]} programs"
for source in "${sources[@]}"; do
  compile "$source" &
  while (($(jobs -rp | wc -l) >= JOBS)); do wait -n || true; done
done
wait

passed=0 failed=0 rows=()
for source in "${sources[@]}"; do
  name=$(basename "$source" .cu) folder=$(basename "$(dirname "$source")") status=PASS
  if [[ ! -x $build/$name ]]; then
    status=BUILD_FAILED
  elif ! $compile_only; then
    run "$source" "$name"
  fi
  rows+=("    \"$folder/$name\": \"$status\"")
  if [[ $status == PASS ]]; then
    passed=$((passed + 1))
    echo "PASS $folder/$name"
    continue
  fi
  failed=$((failed + 1))
  echo "FAIL $folder/$name ($status)"
  if [[ $status == CRASHED ]]; then cat "$build/$name.out" "$build/$name.err"; fi
  if [[ $status == WRONG || $status == BUILD_FAILED ]]; then cat "$build/$name.log"; fi
done
echo "$passed passed, $failed failed"

if [[ -n $json ]]; then
  {
    printf '{\n  "device": "%s",\n  "driver": "%s",\n  "cuda": "%s",\n  "arch": "%s",\n' \
      "$device" "$driver" "$cuda" "$ARCH"
    printf '  "compiled_only": %s,\n  "passed": %d,\n  "failed": %d,\n  "programs": {\n' \
      "$compile_only" "$passed" "$failed"
    (
      IFS=$'\n'
      echo "${rows[*]}"
    ) | sed '$!s/$/,/'
    printf '  }\n}\n'
  } >"$json"
fi
((failed == 0))
