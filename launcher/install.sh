# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Installs missing packages with apt-get if this user may; otherwise unpacks them into .convkit/prefix
# (unpack.sh). If neither is possible, one sentence names the packages and the command.

setup_log() { echo "$root/build/setup.log"; }

am_root() { [[ $(id -u) == 0 ]]; }
as_root() { if am_root; then "$@"; else sudo -n "$@"; fi; }
can_be_root() { am_root || sudo -n true 2>/dev/null; }

# Copies stdin to a log; on a terminal also shows its latest line in place.
follow() {
  local log=$1 line
  if [[ ! -t 2 ]]; then
    cat >>"$log"
    return
  fi
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    printf '\r\033[K%.*s' "$((${COLUMNS:-80} - 1))" "$line" >&2
  done
  printf '\r\033[K' >&2
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 \
    -o Acquire::Retries=2 -o Acquire::http::Timeout=30 "$@" </dev/null 2>&1
}

server_unreachable() {
  grep -qsE 'Temporary failure resolving|Could not (resolve|connect)|Unable to connect|timed out' \
    "$(setup_log)"
}

known_to_apt() { [[ $(apt-cache policy "$1" 2>/dev/null) =~ Candidate:\ [^\(] ]]; }

# apt_install PACKAGE...: as root. If the package lists do not have a package, or the server no longer
# has the listed version, the lists are fetched again.
apt_install() {
  local package known=() unknown=()
  {
    # An installation that was interrupted is finished first.
    [[ -z $(dpkg --audit 2>/dev/null) ]] || as_root dpkg --configure -a </dev/null 2>&1
    for package in "$@"; do known_to_apt "$package" || { apt_get update && break; }; done
  } | follow "$(setup_log)"
  for package in "$@"; do
    if known_to_apt "$package"; then known+=("$package"); else unknown+=("$package"); fi
  done
  ((${#unknown[@]} == 0)) || server_unreachable || unpack_packages "${unknown[@]}" || true
  ((${#known[@]} > 0)) || return 0
  {
    apt_get install -y --no-install-recommends "${known[@]}" ||
      { ! server_unreachable && apt_get update &&
        apt_get install -y --no-install-recommends "${known[@]}"; }
  } | follow "$(setup_log)"
}

# install PACKAGE...: all at once; if that fails, one by one, so that one bad package stops no other.
install() {
  local package way wanted=()
  if can_be_root && command -v apt-get >/dev/null; then
    way=apt_install
    note "installing $(and_list "$@") (log: build/setup.log)"
  elif [[ " $* " == *' g++ '* ]]; then
    return 0 # a compiler cannot be unpacked elsewhere, and without it the rest is useless
  elif command -v apt-get >/dev/null; then
    way=unpack_packages
    for package in "$@"; do ! works_unpacked "$package" || wanted+=("$package"); done
    ((${#wanted[@]} > 0)) || return 0
    set -- "${wanted[@]}"
    note "unpacking into .convkit, as this user may not install: $(and_list "$@") (log: build/setup.log)"
  else
    return 0
  fi
  if "$way" "$@" || server_unreachable || (($# == 1)); then return; fi
  for package in "$@"; do "$way" "$package" || true; done
}

# why_not_installed PACKAGE...: the cause of a failed installation, as a part of a sentence.
why_not_installed() {
  if is_offline; then
    echo "which --offline forbids to fetch"
  elif ! may_install; then
    echo "which CONVKIT_NO_INSTALL forbids to install"
  elif ! command -v apt-get >/dev/null; then
    echo "and there is no apt-get here (the names are Debian's)"
  elif [[ " $* " == *' g++ '* ]] && ! can_be_root; then
    echo "and only an administrator can install a compiler"
  elif server_unreachable; then
    echo "and the package server could not be reached (see build/setup.log)"
  else
    echo "which could not be installed (see build/setup.log)"
  fi
}

# The words for a tool that is too old, or that the user named and that does not work.
too_old() {
  local version
  case $1 in
    g++)
      if [[ -n ${CXX-} ]]; then
        wrong_environment "the compiler CXX names, '$CXX', cannot compile C++20;" \
          "unset CXX or name g++ 11, clang 14 or newer."
      elif command -v g++ >/dev/null; then
        wrong_environment "g++ $(g++ -dumpfullversion 2>/dev/null) cannot compile C++20;" \
          "install g++ 11, clang 14 or newer: sudo apt-get install g++-11"
      fi ;;
    cmake)
      version=$(cmake_version) || true
      [[ -z $version ]] || wrong_environment "CMake $version ($(command -v cmake)) is too old;" \
        "install $minimum_cmake or newer: python3 -m pip install --user cmake" ;;
  esac
}

# set_up GROUP...: installs all packages of these groups that it can. If a required one is missing
# afterwards: one sentence, exit code 2.
set_up() {
  local package
  if [[ -n $named_python ]] && ! choose_python numpy; then
    wrong_environment "CONVKIT_PYTHON names '$named_python', which has no NumPy" \
      "(or, before Python 3.11, no tomli)."
  fi
  : >"$(setup_log)"
  drop_half_unpacked
  missing "$@"
  if ((${#lacking[@]} > 0)) && may_install; then
    install "${lacking[@]}"
    hash -r
    missing "$@"
  fi
  require required
  choose_python numpy || wrong_environment "no Python here has both NumPy and tomllib (or tomli);" \
    "set CONVKIT_PYTHON to one that has both."
  for package in ${lacking[@]+"${lacking[@]}"}; do
    [[ $(group_of "$package") == tests ]] || note "going on without $package: $(consequence "$package")"
  done
}

# require GROUP: prints the sentence and exits if a package of the group is in `lacking`.
require() {
  local package needed=()
  for package in ${lacking[@]+"${lacking[@]}"}; do
    [[ $(group_of "$package") != "$1" ]] || needed+=("$package")
  done
  ((${#needed[@]} > 0)) || return 0
  for package in "${needed[@]}"; do too_old "$package"; done
  wrong_environment "this needs $(and_list "${needed[@]}"), $(why_not_installed "${needed[@]}"); install with:" \
    "$(am_root || echo "sudo ")apt-get install -y --no-install-recommends ${needed[*]}"
}
