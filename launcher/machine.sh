# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The requirements on the machine and the checkout before anything is changed, and the messages if
# they are not met.

note() { echo "convkit: $*" >&2; }

# Prints one sentence and exits with code 2: the environment is wrong, not the user's work.
wrong_environment() {
  note "$*"
  exit 2
}

# 'a', 'a and b', 'a, b and c'
and_list() {
  local text=$1
  shift
  while (($# > 1)); do text+=", $1" && shift; done
  (($# == 0)) || text+=" and $1"
  echo "$text"
}

is_offline() { [[ ${CONVKIT_OFFLINE:-0} != 0 ]]; }
may_install() { ! is_offline && [[ ${CONVKIT_NO_INSTALL:-0} == 0 ]]; }

# Megabytes that a preset's build and its packages need on a bare Debian 12, rounded up: 25 + 485 + 117
# of downloads, and with the tests 90 + 711 + 166; sanitizers and debugging information need more.
needed_mb() { [[ $1 == default ]] && echo 700 || echo 1500; }

# check_machine PRESET
check_machine() {
  local free_mb needed
  case $root in
    *[\;\"\\\$\`]* | *$'\n'*) # CMake and Ninja cannot quote these
      wrong_environment "the path '$root' holds one of the characters ; \" \\ \$ \`," \
        "which build tools cannot handle; move the checkout to another folder." ;;
  esac
  if ! mkdir -p "$root/build/$1" 2>/dev/null || [[ ! -w $root/build || ! -w $root/build/$1 ]]; then
    wrong_environment "cannot write to '$root/build'; copy the checkout to a folder of your own" \
      "and run it there."
  fi
  [[ ! -f $root/build/$1/build.ninja ]] || return 0 # built before: the space is already used
  needed=$(needed_mb "$1")
  free_mb=$(df -Pm -- "$root" 2>/dev/null | awk 'NR == 2 {print $4}') || free_mb=
  if [[ -n $free_mb ]] && ((free_mb < needed)); then
    wrong_environment "the disk that holds '$root' has $free_mb MB free; the build needs $needed MB."
  fi
}

# If two launchers run at once, the second waits for the first. The lock ends with its process.
lock_build() {
  command -v flock >/dev/null || return 0
  exec 9>"$1/launcher.lock"
  if ! flock -n 9; then
    note "another convkit is building here; waiting for it."
    flock 9
  fi
}
unlock_build() { exec 9>&-; }
