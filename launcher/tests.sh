# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# ./convkit test: builds a preset with tests and runs CTest and the pytest suites (the format checks
# are one of them). The last line is always 'N passed, N failed[, N skipped]'.

passed=0 failed=0 skipped=0
# Tests often wait: for limits, for programs that sleep, for the last compiler of a few.
at_a_time=$((2 * $(nproc)))

finish_tests() {
  local code=$?
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
  mkdir -p "$root/build/$preset/results"
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
  # First the suite that compiles most: end_to_end takes its objects instead of compiling them again.
  export CONVKIT_TEST_CACHE=$root/build/$preset/results/cache
  rm -rf "$CONVKIT_TEST_CACHE"
  local kit=$root/tests/kit/
  run_suite "$preset" "$kit"
  for suite in "$root"/reference_data/tests "$root"/cpu_device/tests/*/ "$root"/tests/*/; do
    [[ $suite == "$kit" ]] || run_suite "$preset" "$suite"
  done
}

run_ctest() {
  local preset=$1 report=$root/build/$1/results/ctest.xml code=0
  shift
  rm -f "$report"
  (cd -- "$root" && ctest --preset "$preset" -j "$at_a_time" --output-junit "$report" "$@" \
    </dev/null) || code=$?
  count CTest "$report" "$code"
}

# A folder without tests is no suite.
run_suite() { ! compgen -G "$2/test_*.py" >/dev/null || run_pytest "$1" "${2%/}"; }

run_pytest() {
  local suite=${2#"$root/"} side_by_side=() report code=0
  report=$root/build/$1/results/${suite//\//_}.xml
  rm -f "$report"
  echo "== $suite"
  # The tests of a file share fixtures, and so a process.
  ! "$CONVKIT_PYTHON" -c 'import xdist' 2>/dev/null || side_by_side=(-n "$at_a_time" --dist loadfile)
  (cd -- "$root" && "$CONVKIT_PYTHON" -B -m pytest -q --tb=short -p no:cacheprovider \
    ${side_by_side[@]+"${side_by_side[@]}"} --junitxml="$report" "$2" </dev/null) || code=$?
  count "$suite" "$report" "$code"
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
