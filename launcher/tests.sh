# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# ./convkit test: builds a preset with tests and runs CTest and the pytest suites (the format checks
# are one of them). The last line is always 'N passed, N failed[, N skipped]'.

passed=0 failed=0 skipped=0
# Tests often wait: for limits, for programs that sleep, for the last compiler of a few. So CTest has
# two processes for each processor, and so do the two lanes of suites together.
processors=$(nproc)
lanes=()   # their process groups
results='' # the folder of reports

finish_tests() {
  local code=$? lane
  for lane in ${lanes[@]+"${lanes[@]}"}; do kill -INT -- "-$lane" 2>/dev/null || true; done
  unlock_build
  # An early exit (a wrong environment, Ctrl-C) is a failure, too, even if no test ran.
  ((code == 0 || failed > 0)) || failed=1
  echo "$passed passed, $failed failed$( ((skipped == 0)) || echo ", $skipped skipped")"
  if ((code == 0 && failed > 0)); then exit 1; fi
  exit "$code"
}

test_help() {
  cat <<'HELP'
The kit's own tests: builds them, runs CTest and pytest, and ends with one line of counts.
Usage: ./convkit [--offline] test [--sanitize] [CTEST ARGUMENTS]
  --sanitize       with address and undefined-behaviour sanitizers
  CTEST ARGUMENTS  only CTest runs, and gets them: -R NAME, -L LABEL, --rerun-failed
  --offline        never use the network
Example:
  ./convkit test -R conv2d
HELP
}

# run_tests [--sanitize] [CTEST ARGUMENTS]: with arguments for CTest, only CTest runs.
run_tests() {
  local preset=test suite
  if [[ ${1-} == -h || ${1-} == --help ]]; then test_help && return; fi
  trap finish_tests EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  if [[ ${1-} == --sanitize ]]; then preset=sanitize && shift; fi
  check_machine "$preset"
  results=$root/build/$preset/results
  mkdir -p "$results"
  lock_build "$root/build"
  set_up required optional tests linters
  require tests
  choose_python numpy pytest || wrong_environment "no Python here has both NumPy and pytest;" \
    "set CONVKIT_PYTHON to one that has both."
  install_ruff
  export CONVKIT_ROOT=$root CONVKIT_BINARY=$root/build/$preset/bin/convkit
  # Tests of a kit that does not build would only hide the error.
  build "$preset" || { failed=1 && return; }
  unlock_build # tests may start other launchers
  run_ctest "$preset" "$@"
  (($# == 0)) || return 0
  run_suites
}

run_ctest() {
  local preset=$1 report=$results/ctest.xml code=0
  shift
  rm -f "$report"
  (cd -- "$root" && ctest --preset "$preset" -j $((2 * processors)) --output-junit "$report" "$@" \
    </dev/null) || code=$?
  count CTest "$report" "$code"
}

# Runs the suites in two lanes side by side: a suite alone leaves processors idle where it waits, or
# where its last file of tests runs.
run_suites() {
  local suite lane suites=()
  # Long suites come first: what begins last ends last.
  for suite in "$root"/tests/{kit,end_to_end,corpus,mistakes} "$root"/cpu_device/tests/*/ \
    "$root"/reference_data/tests "$root"/tests/*/; do
    # A folder without tests is no suite.
    compgen -G "$suite/test_*.py" >/dev/null || continue
    suite=${suite#"$root/"}
    suite=${suite%/}
    [[ " ${suites[*]-} " == *" $suite "* ]] || suites+=("$suite")
  done
  # tests/kit compiles most; suites that name CONVKIT_TEST_CACHE take its objects instead of compiling
  # the same sources again.
  export CONVKIT_TEST_CACHE=$results/cache
  rm -rf "$CONVKIT_TEST_CACHE" "$results/suites"
  mkdir "$results/suites"
  set -m # each lane is a process group, so that Ctrl-C can end all of it
  for lane in 1 2; do
    run_lane "${suites[@]}" &
    lanes+=("$!")
  done
  set +m
  wait "${lanes[@]}" || true
  lanes=()
  for suite in ${suites[@]+"${suites[@]}"}; do
    count "$suite" "$(report_of "$suite")" "$(cat "$(folder_of "$suite")/code" 2>/dev/null || echo 1)"
  done
}

report_of() { echo "$results/${1//\//_}.xml"; }

# Where a suite that has begun has its log and, when it has ended, its exit code.
folder_of() { echo "$results/suites/${1//\//_}"; }

# run_lane SUITE...: runs those that the other lane has not begun until none is left.
run_lane() {
  local suite left=yes
  trap - EXIT INT TERM # they are of the whole run
  while [[ -n $left ]]; do
    left=
    for suite in "$@"; do
      [[ ! -e $(folder_of "$suite") ]] || continue
      left=yes
      ! must_wait "$suite" "$@" || continue
      if mkdir "$(folder_of "$suite")" 2>/dev/null; then # only one lane can make it
        run_pytest "$suite"
        continue 2
      fi
    done
    [[ -z $left ]] || sleep 0.2
  done
}

# must_wait SUITE ALL_SUITES...: takes the objects of tests/kit, which has not ended; or is the corpus,
# which runs by itself in the end: on a busy machine the grader gives no verdict on what reaches a limit.
must_wait() {
  local suite=$1 kit=tests/kit other
  shift
  if [[ $suite == tests/corpus ]]; then
    for other in "$@"; do
      [[ $other == "$suite" || -e $(folder_of "$other")/code ]] || return 0
    done
    return 1
  fi
  [[ $suite != "$kit" && " $* " == *" $kit "* && ! -e $(folder_of "$kit")/code ]] &&
    grep -qs CONVKIT_TEST_CACHE "$root/$suite"/*.py
}

run_pytest() {
  local suite=$1 folder report side_by_side=() code=0
  folder=$(folder_of "$suite")
  report=$(report_of "$suite")
  rm -f "$report"
  note "testing $suite"
  # The tests of a file share fixtures, and so a process.
  ! "$CONVKIT_PYTHON" -c 'import xdist' 2>/dev/null || side_by_side=(-n "$processors" --dist loadfile)
  echo "== $suite" >"$folder/log"
  (cd -- "$root" && "$CONVKIT_PYTHON" -B -m pytest -q --tb=short -p no:cacheprovider \
    ${side_by_side[@]+"${side_by_side[@]}"} --junitxml="$report" "$suite" </dev/null) \
    >>"$folder/log" 2>&1 || code=$?
  echo "$code" >"$folder/code"
  cat "$folder/log"
}

# count NAME REPORT EXIT_CODE: adds the counts of a JUnit report. It counts one failure if there is no
# report, or if the exit code says failure and the report does not (no test found, or a test that could
# not be started).
count() {
  local suite tests bad unrun
  suite=$(tr '\n' ' ' 2>/dev/null <"$2" | grep -o '<testsuite [^>]*>' | head -n 1) || true
  tests=$(attribute tests "$suite")
  bad=$(($(attribute failures "$suite") + $(attribute errors "$suite")))
  unrun=$(($(attribute skipped "$suite") + $(attribute disabled "$suite")))
  passed=$((passed + tests - bad - unrun))
  skipped=$((skipped + unrun))
  if [[ -z $suite ]] || ((bad == 0 && $3 != 0)); then
    note "$1 failed with exit code $3"
    bad=1
  fi
  failed=$((failed + bad))
}

attribute() {
  [[ $2 =~ [[:space:]]$1=\"([0-9]+)\" ]] && echo "${BASH_REMATCH[1]}" || echo 0
}

# ruff is not a Debian package, so it comes from pip, in a fixed version because formatters differ.
# Without it (no network) its check is counted as skipped.
install_ruff() {
  local version=0.17.5 tools=$root/build/tools python
  export CONVKIT_RUFF=$tools/bin/ruff
  [[ $("$CONVKIT_RUFF" --version 2>/dev/null) != "ruff $version" ]] && may_install || return 0
  for python in python3 /usr/bin/python3; do
    "$python" -m venv --clear "$tools" && break
  done >>"$(setup_log)" 2>&1
  "$tools/bin/python3" -m pip install --quiet "ruff==$version" >>"$(setup_log)" 2>&1 ||
    note "going on without ruff: its check is skipped (see build/setup.log)"
}
