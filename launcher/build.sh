# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Configures and builds one CMake preset with progress; the whole output goes to build/<preset>/build.log.

# build PRESET [what=everything]: returns 1 after the first error when it fails. `program`: convkit,
# and again the parts that were built before. A part that does not build, such as the runner of a stage
# that somebody is writing, stops no other command: it is built again when it is used.
build() {
  local preset=$1 folder=$root/build/$1 what=${2-everything} targets=() log started
  log=$folder/build.log
  started=$folder/launcher.stamp.part
  # Dated before the first file is read: an edit during the build is then newer than the stamp.
  printf '%s\n%s\n' "$(setup_line)" "${CONVKIT_PYTHON:-$stamped_python}" >"$started"
  : >"$log"
  forget_other_place "$folder"
  note "configuring and building preset '$preset' (log: build/$preset/build.log)"
  if ! configure "$preset" >>"$log" 2>&1; then
    build_failed "$log" 'CMake could not configure the build'
    return 1
  fi
  [[ $what == everything ]] || mapfile -t targets < <(targets_in_use "$preset")
  if ! compile "$folder" ${targets[@]+"${targets[@]}"}; then
    ((${#targets[@]} > 1)) || return 1
    note "going on without the parts of the kit; each is built when it is used"
    forget_parts "$preset"
    compile "$folder" convkit_cli || return 1
  fi
  mv "$started" "$folder/launcher.stamp"
  stamped_python=${CONVKIT_PYTHON:-$stamped_python}
}

# compile FOLDER [TARGET...]
compile() {
  local folder=$1 log=$1/build.log
  shift
  (($# == 0)) || set -- --target "$@"
  if ! cmake --build "$folder" -j "$(jobs_that_fit)" "$@" 2>&1 | show_progress "$log"; then
    build_failed "$log" 'the build failed'
    return 1
  fi
}

# The program, and those parts that were built before: bin/parts.txt has a line "FILE TARGET" for each.
# A first build makes the first runner, too: `demo` and most people begin with its stage, and beside
# the program it costs less than a build of its own.
targets_in_use() {
  local file target bin=$root/build/$1/bin first_runner=
  echo convkit_cli
  [[ -r $bin/parts.txt ]] || return 0
  [[ -e $program ]] || first_runner=$(awk '$1 ~ /\.runner$/ {print $1; exit}' "$bin/parts.txt")
  while read -r file target; do
    if [[ -e $bin/$file || $file == "$first_runner" ]]; then echo "$target"; fi
  done <"$bin/parts.txt"
}

forget_parts() {
  local file target bin=$root/build/$1/bin
  while read -r file target; do rm -f "$bin/$file"; done <"$bin/parts.txt"
}

# build_part PRESET TARGET: a part of the kit that is used for the first time.
build_part() {
  note "building $2, which is used for the first time (log: build/$1/build.log)"
  compile "$root/build/$1" "$2"
}

configure() {
  local options=()
  if [[ -d $private/prefix ]]; then
    # A library of the prefix needs others of the prefix: of the two kinds of search path in a
    # program only the old one, RPATH, is also used for those.
    options+=("-DCONVKIT_PREFIX=$private/prefix" -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags
      "-DCMAKE_BUILD_RPATH=$private/prefix/usr/lib/$(library_folder)")
  fi
  if [[ ! -f $root/build/$1/CMakeCache.txt ]] && has_compiler; then
    options+=("-DCMAKE_CXX_COMPILER=$compiler")
  fi
  (cd -- "$root" && cmake --preset "$1" ${options[@]+"${options[@]}"} </dev/null)
}

# CMake refuses a cache made elsewhere (a moved or copied checkout) or by a compiler that is gone.
forget_other_place() {
  local cache=$1/CMakeCache.txt compiler
  [[ -f $cache ]] || return 0
  compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$cache")
  if ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache" || [[ ! -x $compiler ]]; then
    rm -rf "$cache" "$1/CMakeFiles"
  fi
}

# One compiler per core, but no more than memory holds: about 1 GB each for the heavy headers.
jobs_that_fit() {
  local cores gigabytes
  [[ -z ${CMAKE_BUILD_PARALLEL_LEVEL-} ]] || { echo "$CMAKE_BUILD_PARALLEL_LEVEL" && return; }
  cores=$(nproc)
  gigabytes=$(awk '/^MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo 2>/dev/null) || gigabytes=
  ((${gigabytes:-$cores} < cores)) && cores=$gigabytes
  echo $((cores > 0 ? cores : 1))
}

# Reads Ninja's lines: all to the log; '[12/80]' as one line in place on a terminal, else every tenth part.
show_progress() {
  local log=$1 line tenth last_tenth=0
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (.*)$ ]] || continue
    if [[ -t 2 ]]; then
      printf '\r\033[K%.*s' "$((${COLUMNS:-80} - 1))" "[${BASH_REMATCH[1]}/${BASH_REMATCH[2]}] ${BASH_REMATCH[3]##*/}" >&2
    else
      tenth=$((10 * BASH_REMATCH[1] / BASH_REMATCH[2]))
      ((tenth == last_tenth)) || note "built ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
      last_tenth=$tenth
    fi
  done
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

# The first error with what follows it, then the log's name.
build_failed() {
  local first
  first=$(grep -nm1 -E '(^|[ :])(fatal )?error:|CMake Error|undefined reference|^ninja: error' "$1" |
    cut -d: -f1) || true
  if [[ -n $first ]]; then
    sed -n "$first,$((first + 6))p" "$1" >&2
  else
    tail -n 8 "$1" >&2
  fi
  note "$2; everything it said is in ${1#"$root/"}"
}
