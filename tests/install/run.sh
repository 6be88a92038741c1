#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the README's commands in clean roots made by debootstrap, where nothing is installed.
#   sudo tests/install/run.sh [OPTIONS] [SCENARIO...]
#     --suite NAME    bookworm (default), or jammy or noble with --mirror
#     --mirror URL    where its packages are; default: the server of this machine's packages
#     --cache DIR     keeps the clean root between runs; default: /var/tmp/convkit-install-test
#     --source DIR    the checkout to test; default: this one
#     --packages DIR  what .ci/packages has made, for the scenarios package_*; default: build/packages
#     --data DIR      has mnist/ with MNIST's four files: `demo` then also uses those digits
# Needs root, debootstrap, about 4 GB of disk and the network; 5 to 15 minutes.
# Prints every command's transcript, a PASS or FAIL line for each, and the counts.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
source=$here/../.. suite=bookworm mirror='' data='' packages='' cache=/var/tmp/convkit-install-test
scenarios=()
original=("$@")
while (($# > 0)); do
  case $1 in
    --suite) suite=$2 && shift 2 ;;
    --mirror) mirror=$2 && shift 2 ;;
    --cache) cache=$2 && shift 2 ;;
    --source) source=$2 && shift 2 ;;
    --packages) packages=$2 && shift 2 ;;
    --data) data=$2 && shift 2 ;;
    -*) sed -n '3,12s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit 2 ;;
    *) scenarios+=("$1") && shift ;;
  esac
done
((${#scenarios[@]} > 0)) || scenarios=(no_network no_compiler root root_test user no_cuda)

[[ $(id -u) == 0 ]] || { echo "run.sh: needs root, for debootstrap and chroot" >&2 && exit 2; }
command -v debootstrap >/dev/null || { echo "run.sh: needs debootstrap" >&2 && exit 2; }

# The mounts are in this script's own namespace: however the script ends, they end with it.
if [[ ${CONVKIT_INSTALL_TEST_INSIDE-} != yes ]]; then
  export CONVKIT_INSTALL_TEST_INSIDE=yes
  exec unshare --mount --pid --fork --kill-child --mount-proc -- "${BASH_SOURCE[0]}" "${original[@]}"
fi

mkdir -p "$cache"
clean_root=$cache/$suite.tar
folder=$(mktemp -d "$cache/run.XXXXXX")
trap 'leave_root; rm -rf --one-file-system "$folder"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0

host_mirror() {
  # shellcheck disable=SC2016  # apt expands $(REPO_URI)
  apt-get indextargets --format '$(REPO_URI)' "Codename: $suite" 2>/dev/null |
    awk 'NR == 1'
}

make_clean_root() {
  [[ ! -f $clean_root ]] || return 0
  [[ -n $mirror ]] || mirror=$(host_mirror)
  [[ -n $mirror ]] || { echo "run.sh: no mirror for $suite; name one with --mirror" >&2 && exit 2; }
  echo "== debootstrap --variant=minbase $suite"
  local components=main
  [[ $suite == bookworm ]] || components=main,universe
  # Debian 12's debootstrap has no script for noble; the script of gutsy makes every Ubuntu.
  local scripts=${DEBOOTSTRAP_DIR:-/usr/share/debootstrap}/scripts recipe=()
  [[ -e $scripts/$suite || $suite == bookworm ]] || recipe=("$scripts/gutsy")
  debootstrap --variant=minbase --components="$components" "$suite" "$folder/new" "$mirror" \
    ${recipe[@]+"${recipe[@]}"} >"$cache/debootstrap.log" || { tail -n 5 "$cache/debootstrap.log" && exit 2; }
  tar -C "$folder/new" -cf "$clean_root.part" .
  mv "$clean_root.part" "$clean_root"
  rm -rf --one-file-system "$folder/new"
}

# A fresh root.
enter_bare_root() {
  mkdir "$folder/root"
  tar -C "$folder/root" -xf "$clean_root"
  cp /etc/resolv.conf /etc/hosts "$folder/root/etc/"
  # How this machine reaches the network: a proxy, for example.
  apt-config dump | grep -E '^Acquire::(http|https)::' >"$folder/root/etc/apt/apt.conf.d/99host" || true
  mount -t proc proc "$folder/root/proc"
  mount --rbind /dev "$folder/root/dev"
  chroot "$folder/root" useradd -m student
  [[ -z $data ]] || { mkdir "$folder/root/data" && cp -r "$data/mnist" "$folder/root/data/"; }
}

# A fresh root with the checkout in a folder of it.
enter_root() {
  local checkout=$folder/root$1
  enter_bare_root
  mkdir -p "$checkout"
  if [[ -e $source/.git ]]; then
    git -C "$source" ls-files -z --cached --others --exclude-standard |
      (cd -- "$source" && tar --null --ignore-failed-read -T - -cf -)
  else
    tar -C "$source" --exclude=./build --exclude=./.convkit --exclude=./work -cf - .
  fi | tar -C "$checkout" -xf -
}

leave_root() {
  [[ -d $folder/root ]] || return 0
  umount -R "$folder/root/dev" 2>/dev/null || true
  umount "$folder/root/proc" 2>/dev/null || true
  rm -rf --one-file-system "$folder/root"
}

# inside USER NETWORK CHECKOUT COMMAND...: in the clean root with an empty environment.
inside() {
  local user=$1 network=$2 checkout=$3
  shift 3
  # shellcheck disable=SC2016  # the inner shell expands it
  local wrapper=(chroot "--userspec=$user:$user" "$folder/root" env -i "HOME=/tmp" ${CXX:+"CXX=$CXX"}
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
    sh -c 'cd "$1" && shift && exec "$@"' sh "$checkout")
  [[ $network == yes ]] || wrapper=(unshare --net -- "${wrapper[@]}")
  "${wrapper[@]}" "$@" </dev/null
}

# expect CODE WORDS USER NETWORK CHECKOUT COMMAND...: the exit code, and the words in what it prints.
expect() {
  local code=$1 words=$2 user=$3 got=0 started=$SECONDS
  shift 2
  echo "[$scenario] $user\$ ${*:4}"
  inside "$@" >"$folder/transcript" 2>&1 || got=$?
  sed 's/^/    /' "$folder/transcript"
  if [[ $got == "$code" ]] && grep -qE -- "$words" "$folder/transcript"; then
    passed=$((passed + 1))
    echo "PASS $scenario: ${*:4} ($((SECONDS - started)) s)"
  else
    failed=$((failed + 1))
    echo "FAIL $scenario: ${*:4}: exit code $got, expected $code and '$words'"
    [[ ! -f $folder/root$3/build/setup.log ]] || tail -n 5 "$folder/root$3/build/setup.log"
  fi
}

version_words=$(<"$source/VERSION")
version_words=${version_words//./\\.}

no_network() { # as root, with no network at all
  enter_root /convkit
  expect 2 'this needs g\+\+.*apt-get install' root no /convkit ./convkit --version
  expect 2 'forbids to fetch.*apt-get install' root no /convkit ./convkit --offline --version
  expect 2 '^0 passed, 1 failed$' root no /convkit ./convkit test
}

no_compiler() { # as a user without root, on a machine with no compiler
  enter_root /convkit
  chroot "$folder/root" chown -R student:student /convkit
  expect 2 'needs g\+\+.*only an administrator.*sudo apt-get install' student yes /convkit ./convkit --version
}

# demo USER CHECKOUT: without the network, on the built-in digits and, where --data names them, MNIST's.
demo() {
  expect 0 'synthetic digits' "$1" no "$2" ./convkit demo
  [[ -z $data ]] || expect 0 'MNIST test set' "$1" no "$2" env CONVKIT_DATA=/data ./convkit demo
}

root() { # as root, nothing installed
  enter_root /convkit
  expect 0 'synthetic digits' root yes /convkit ./convkit demo
  expect 0 "$version_words" root no /convkit ./convkit --version
  demo root /convkit
  expect 0 'work/02_direct_conv' root no /convkit ./convkit start 2
  expect 1 '^NOT_STARTED' root no /convkit ./convkit check 2
}

root_test() { # the kit's own tests, nothing installed
  enter_root /convkit
  expect 0 '^[0-9]+ passed, 0 failed' root yes /convkit ./convkit test
}

user() { # as a user without root, where the administrator installed a compiler and Python, no more
  local checkout="/home/student/câmera kit"
  enter_root "$checkout"
  inside root yes / sh -c 'apt-get -qq update && apt-get install -qqy --no-install-recommends g++' \
    >"$folder/transcript" 2>&1 || tail -n 5 "$folder/transcript"
  chroot "$folder/root" chown -R student:student /home/student
  expect 0 "$version_words" student yes "$checkout" ./convkit --version
  expect 0 "$version_words" student no "$checkout" ./convkit --version
  demo student "$checkout"
  # Each of these needs a part of the prefix: the libraries, NumPy, and both.
  expect 0 'archives +zip, tar' student no "$checkout" ./convkit doctor
  expect 0 'every case is reproduced' student no "$checkout" ./convkit refgen --stage 1 --check
  expect 0 'proofs hold' student no "$checkout" ./convkit verify --no-speed
}

no_cuda() { # a student's way through the GPU stages where there is no CUDA and no GPU
  local checkout=/home/student/convkit stage
  enter_root "$checkout"
  inside root yes / sh -c 'apt-get -qq update && apt-get install -qqy --no-install-recommends g++' \
    >"$folder/transcript" 2>&1 || tail -n 5 "$folder/transcript"
  chroot "$folder/root" chown -R student:student /home/student
  expect 0 "$version_words" student yes "$checkout" ./convkit --version
  expect 0 'CPU device' student no "$checkout" ./convkit doctor
  for stage in 02_direct_conv 03_tiled_conv; do
    local number=$((10#${stage%%_*}))
    expect 0 "work/$stage" student no "$checkout" ./convkit start "$number"
    expect 1 '^NOT_STARTED' student no "$checkout" ./convkit check "$number"
    expect 0 '->' student no "$checkout" sh -c "cp -v solutions/$stage/* work/$stage/"
    expect 0 'Every visible case passes' student no "$checkout" ./convkit check "$number"
    expect 0 'does not predict' student no "$checkout" ./convkit bench "$number"
    expect 0 'PASS on the visible cases' student no "$checkout" ./convkit submit "$number"
    expect 0 'pending' student no "$checkout" \
      ./convkit grade "work/submission-$stage.zip" --stage "$number"
  done
}

# Packages: in a root where an administrator has installed a compiler, no more.

# as_administrator PACKAGE...: what the distribution does not know is left out.
as_administrator() {
  # shellcheck disable=SC2016  # the inner shell expands it
  inside root yes / sh -c 'apt-get -qq update
    for name; do apt-cache show "$name" >/dev/null 2>&1 && known="$known $name"; done
    DEBIAN_FRONTEND=noninteractive apt-get install -qqy --no-install-recommends $known' sh "$@" \
    >"$folder/transcript" 2>&1 || tail -n 5 "$folder/transcript"
}

# put_package ENDING: the one package of this kind lies in the student's home; `file` is its name.
put_package() {
  local found=("${packages:-$source/build/packages}"/*"$1")
  [[ -f ${found[0]} && ${#found[@]} == 1 ]] || { echo "run.sh: no single *$1; see .ci/packages" >&2 && exit 2; }
  file=${found[0]##*/}
  cp "${found[0]}" "$folder/root/home/student/"
}

# first_verdict COMMAND: `start` and `check`; prints the seconds since `started`.
first_verdict() {
  local home=/home/student
  expect 0 'work/01_cpu_conv' student no "$home" "$1" start 1
  expect 1 '^NOT_STARTED' student no "$home" "$1" check 1
  echo "SECONDS $suite $scenario: $((SECONDS - started)) from the file to the first verdict"
}

# solve COMMAND WORK: the whole of stage 01, and one case of the CPU device.
solve() {
  mkdir -p "$folder/root$2"
  cp -r "$source"/solutions/{01_cpu_conv,02_direct_conv} "$folder/root$2/"
  chroot "$folder/root" chown -R student:student /home/student
  expect 0 'Every visible case passes' student no /home/student "$1" check 1
  expect 0 'Every visible case passes' student no /home/student "$1" check 1 --sanitize
  expect 0 'Every visible case passes' student no /home/student "$1" check 2 --device cpu
}

package_archive() { # without root, in a path with a space and an accent
  local started kit="/home/student/câmera kit"
  enter_bare_root
  as_administrator g++
  put_package .tar.gz
  inside student no /home/student mkdir "$kit"
  started=$SECONDS
  expect 0 'convkit/VERSION' student no /home/student tar -C "$kit" -xvf "$file"
  first_verdict "$kit/convkit/convkit"
  demo student "$kit/convkit"
  solve "$kit/convkit/convkit" "$kit/convkit/work"
}

package_debian() { # the .deb, whose installation a user may only read
  local started
  enter_bare_root
  as_administrator g++
  put_package .deb
  started=$SECONDS
  expect 0 'Setting up convkit' root yes /home/student apt-get install -y --no-install-recommends "./$file"
  first_verdict convkit
  expect 0 'synthetic digits' student no /home/student convkit demo
  solve convkit /home/student/work
  # A submission reads nothing of the kit: what is in it gives the solutions away.
  echo '#include "/usr/lib/convkit/solutions/01_cpu_conv/conv2d.cpp"' \
    >"$folder/root/home/student/work/01_cpu_conv/conv2d.cpp"
  expect 1 'solutions/01_cpu_conv/conv2d.cpp: (No such file|Permission denied)' student no /home/student \
    convkit check 1
  expect 0 'Removing convkit' root no / apt-get remove -y convkit
}

package_wheel() { # the wheel, with pip in a virtual environment, and the distribution's NumPy
  local started
  enter_bare_root
  as_administrator g++ python3-venv python3-numpy python3-tomli
  put_package .whl
  inside student no /home/student python3 -m venv --system-site-packages tools
  started=$SECONDS
  expect 0 'Successfully installed convkit' student no /home/student \
    tools/bin/pip install --no-index "./$file"
  first_verdict /home/student/tools/bin/convkit
  solve /home/student/tools/bin/convkit /home/student/work
}

package_compilers() { # submissions by every compiler that the distribution has
  local compiler version
  enter_bare_root
  as_administrator g++
  # One after the other, as some exclude each other.
  for version in {11..14}; do as_administrator "g++-$version"; done
  for version in {14..19}; do as_administrator "clang-$version" "libclang-rt-$version-dev"; done
  put_package .tar.gz
  inside student no /home/student tar -xf "$file"
  for compiler in g++-{11..14} clang++-{14..19}; do
    [[ -e $folder/root/usr/bin/$compiler ]] || continue
    echo "== $suite: submissions by $compiler"
    CXX=$compiler solve /home/student/convkit/convkit /home/student/convkit/work
  done
}

make_clean_root
for scenario in "${scenarios[@]}"; do
  echo "== $suite: $scenario"
  "$scenario"
  leave_root
done
echo "$passed passed, $failed failed"
((failed == 0))
