#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the packages for arm64 on an x86-64 Debian 12 and runs them in an arm64 Debian 12, whose
# programs qemu-user emulates.
#   sudo tests/install/arm64.sh [OPTIONS] [STEP...]
#     --root DIR     the arm64 system, kept between runs; default: /var/tmp/convkit-arm64
#     --mirror URL   where its packages are; default: http://deb.debian.org/debian
#     --scale N      how much longer than usual everything may take (CONVKIT_TIME_SCALE); default: 30
# Steps; all of them by default:
#   packages  .ci/packages --arm64, and what is in the packages
#   install   the .deb: doctor, and stage 01 from `start` to `check`, compiled by arm64's own g++
#   grade     `grade solutions` with the CPU device: every case passes. No speed is measured: that of an
#             emulator says nothing.
#   suites    the CPU device's tests, with the programs of the step packages and a cross compiler:
#             unit_tests, conformance, check_mode and package, which can be named by themselves
# Needs root, mmdebstrap, arch-test, qemu-user-static, g++-aarch64-linux-gnu, what .ci/packages needs,
# about 5 GB of disk and the network; an hour or two on 2 cores. If the kernel does not know arm64
# programs yet (binfmt_misc), it learns to, until it is restarted.
# Prints a PASS or FAIL line for each command, and the counts.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
source=$(cd -- "$here/../.." && pwd -P)
root=/var/tmp/convkit-arm64 mirror=http://deb.debian.org/debian scale=30
steps=()
original=("$@")
while (($# > 0)); do
  case $1 in
    --root) root=$2 && shift 2 ;;
    --mirror) mirror=$2 && shift 2 ;;
    --scale) scale=$2 && shift 2 ;;
    -*) sed -n '3,21s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit 2 ;;
    *) steps+=("$1") && shift ;;
  esac
done
((${#steps[@]} > 0)) || steps=(packages install grade suites)

[[ $(id -u) == 0 ]] || { echo "arm64.sh: needs root, for mmdebstrap and chroot" >&2 && exit 2; }
for tool in mmdebstrap arch-test qemu-aarch64-static aarch64-linux-gnu-g++; do
  command -v "$tool" >/dev/null || { echo "arm64.sh: needs $tool" >&2 && exit 2; }
done

# The mounts are in this script's own namespace: however the script ends, they end with it.
if [[ ${CONVKIT_INSTALL_TEST_INSIDE-} != yes ]]; then
  export CONVKIT_INSTALL_TEST_INSIDE=yes
  exec unshare --mount --pid --fork --kill-child --mount-proc -- "${BASH_SOURCE[0]}" "${original[@]}"
fi

programs=/proc/sys/fs/binfmt_misc
[[ -e $programs/register ]] || mount -t binfmt_misc binfmt_misc "$programs"
[[ -e $programs/qemu-aarch64 ]] || cat /usr/lib/binfmt.d/qemu-aarch64.conf >"$programs/register"

libraries=(zlib1g-dev libarchive-dev nettle-dev liblzma-dev libzstd-dev libbz2-dev libseccomp-dev
  libcli11-dev libfmt-dev nlohmann-json3-dev libtomlplusplus-dev libstb-dev libboost-context-dev catch2
  libdnnl-dev libopenblas0-pthread)
tools=(g++ python3-numpy python3-pytest cmake ninja-build procps)

# The cross compiler, as this machine has it, is much faster than arm64's own under qemu. It is put
# where the latter does not find its tools.
put_cross_compiler() {
  local cross=$root/opt/cross compiler packages
  compiler=$(readlink -f "$(command -v aarch64-linux-gnu-g++)")
  mapfile -t packages < <(apt-cache depends --recurse --installed --no-recommends --no-suggests \
    --no-conflicts --no-breaks --no-replaces --no-enhances "$(dpkg -S "$compiler" | cut -d: -f1)" |
    grep '^[a-z]' | sort -u)
  mkdir -p "$cross" "$root/lib64"
  dpkg -L "${packages[@]}" | grep -E '^(/usr)?/(bin|lib[^/]*|aarch64-linux-gnu)/' | sort -u |
    tar -C / --no-recursion -T - -cf - 2>/dev/null | tar -C "$cross" --keep-directory-symlink -xf -
  ln -sfn ../opt/cross/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 "$root/lib64/ld-linux-x86-64.so.2"
  # libc.so is a text that names files by their paths.
  sed -i 's| /usr/aarch64-linux-gnu/| /opt/cross/usr/aarch64-linux-gnu/|g' \
    "$cross/usr/aarch64-linux-gnu/lib/libc.so"
  cat >"$cross/g++" <<END
#!/bin/sh
# A cross compiler does not know -march=native.
for word; do
  shift
  [ "\$word" = -march=native ] || set -- "\$@" "\$word"
done
export LD_LIBRARY_PATH=/opt/cross/usr/lib/x86_64-linux-gnu:/opt/cross/lib/x86_64-linux-gnu
exec /opt/cross$compiler "\$@"
END
  chmod +x "$cross/g++"
}

make_root() {
  [[ ! -e $root/opt/cross/g++ ]] || return 0
  local list
  list=$(IFS=, && echo "${libraries[*]},${tools[*]}")
  echo "== mmdebstrap --architectures=arm64 bookworm"
  rm -rf --one-file-system "$root"
  mmdebstrap --variant=minbase --architectures=arm64 --include="$list" bookworm "$root" "$mirror"
  chroot "$root" useradd -m student
  put_cross_compiler
}

# inside USER FOLDER COMMAND...: in the arm64 system with an empty environment.
inside() {
  local user=$1 folder=$2 home=/root
  shift 2
  # What one user leaves at home, such as a compile cache, another may not write.
  [[ $user == root ]] || home=/home/$user
  # shellcheck disable=SC2016  # the inner shell expands it
  chroot "--userspec=$user:$user" "$root" env -i "HOME=$home" "CONVKIT_TIME_SCALE=$scale" LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    sh -c 'cd "$1" && shift && exec "$@"' sh "$folder" "$@" </dev/null
}

transcript=$(mktemp)
trap 'rm -f "$transcript"' EXIT
passed=0 failed=0

# expect CODE WORDS COMMAND...: the exit code, and the words in what it prints.
expect() {
  local code=$1 words=$2 got=0 started=$SECONDS
  shift 2
  echo "[$step] $*"
  "$@" 2>&1 | tee "$transcript" | sed -u 's/^/    /' || got=${PIPESTATUS[0]}
  if [[ $got == "$code" ]] && { [[ -z $words ]] || grep -qE -- "$words" "$transcript"; }; then
    passed=$((passed + 1))
    echo "PASS $step: $* ($((SECONDS - started)) s)"
  else
    failed=$((failed + 1))
    echo "FAIL $step: $*: exit code $got, expected $code and '$words'"
  fi
}

packages() {
  expect 0 'convkit_.*_arm64\.deb' .ci/packages --arm64
  expect 0 ' passed in ' env CONVKIT_PACKAGES="$source/build/packages-arm64" \
    CONVKIT_BINARY="$source/build/package-arm64/bin/convkit" \
    "${CONVKIT_PYTHON:-python3}" -m pytest -q -p no:cacheprovider tests/packages/test_contents.py
}

install_debian() {
  rm -rf "$root"/tmp/convkit* "$root/home/student/work"
  cp build/packages-arm64/*.deb "$root/tmp/"
  expect 0 'Setting up convkit' inside root /tmp sh -c 'dpkg -i convkit_*.deb'
}

install() {
  install_debian
  expect 0 'on aarch64' inside student /home/student convkit doctor
  expect 0 'work/01_cpu_conv' inside student /home/student convkit start 1
  expect 1 '^NOT_STARTED' inside student /home/student convkit check 1
  cp solutions/01_cpu_conv/* "$root/home/student/work/01_cpu_conv/"
  expect 0 'Every visible case passes' inside student /home/student convkit check 1
}

grade() {
  install_debian
  expect 0 '^Total: 574 of 700 points, 126 pending' inside student /home/student \
    convkit grade /usr/lib/convkit/solutions --device cpu --no-speed
}

# The checkout is in the arm64 system under the path that it has here.
mount_source() {
  ! mountpoint -q "$root$source" || return 0
  mkdir -p "$root$source"
  mount --bind "$source" "$root$source"
}

unit_tests() {
  local build=$source/build/test-arm64 name
  local tests=(simt_engine_test simt_boost_fiber_test convkit_simt_check_tests simt_blas_product_test
    simt_blas_calls_test simt_dnn_passes_test simt_dnn_layers_test convkit_simt_header_tests rewrite_test
    cc_test runner_test)
  expect 0 'have been written' cmake --preset test --toolchain "$source/cmake/arm64.cmake" -B "$build"
  expect 0 '' cmake --build "$build" --target "${tests[@]}"
  mount_source
  for name in "${tests[@]}"; do
    # qemu has a thread of its own, which this test would count.
    expect 0 'All tests passed' inside root "$source" env CXX=/opt/cross/g++ "$build/bin/$name" \
      '~no thread is started for the library'
  done
  expect 0 'All tests passed' inside root "$source" env CONVKIT_SIMT_ONEDNN=0 "$build/bin/simt_dnn_passes_test"
  for name in headers messages; do
    expect 0 '' inside root "$source" "cpu_device/tests/headers/${name}_test.sh" /opt/cross/g++
  done
}

python_suite() {
  mount_source
  expect 0 ' passed' inside root "$source" env CXX=/opt/cross/g++ \
    "CONVKIT_BINARY=$source/build/package-arm64/bin/convkit" \
    python3 -m pytest -v --durations=20 -p no:cacheprovider "cpu_device/tests/$1"
}

conformance() { python_suite conformance; }
check_mode() { python_suite check_mode; }
package() { python_suite package; }

suites() {
  unit_tests
  conformance
  check_mode
  package
}

make_root
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
export CONVKIT_ARM64_ROOT=$root
cd -- "$source"
for step in "${steps[@]}"; do
  echo "== arm64: $step"
  "$step"
done
echo "$passed passed, $failed failed"
((failed == 0))
