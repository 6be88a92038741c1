# SPDX-License-Identifier: MIT
"""`./convkit test` always ends with one line of counts, and the counts are right."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

# As CTest writes it: attributes on lines of their own.
CTEST = r"""
while [ $# -gt 0 ]; do [ "$1" = --output-junit ] && report=$2; shift; done
printf '<testsuite name="a"\n\ttests="5"\n\tfailures="%s"\n\tdisabled="0"\n\tskipped="1">\n' \
  "${FAKE_FAILURES:-0}" >"$report"
exit "${FAKE_EXIT:-0}"
"""


@pytest.fixture
def tested(machine):
    machine.fake("ctest", CTEST)
    suite = machine.checkout / "reference_data" / "tests"
    suite.mkdir(parents=True)
    (suite / "test_suite.py").write_text(
        "import os, pytest\n"
        "def test_good(): pass\n"
        "def test_skipped(): pytest.skip('why')\n"
        "def test_perhaps(): assert 'FAKE_BAD' not in os.environ\n"
    )
    machine.environment["CONVKIT_NO_INSTALL"] = "1"
    real = "*xdist* | *pytest*--junitxml*"
    machine.fake("python3", f'case $* in {real}) exec {sys.executable} "$@";; esac')
    return machine


def last_line(result) -> str:
    return result.stdout.splitlines()[-1]


def test_help_works_before_anything_is_built(tested):
    result = tested.run("test", "--help")
    assert result.returncode == 0
    assert "--sanitize" in result.stdout and "--offline" in result.stdout
    assert tested.calls("cmake") == []


def test_counts_of_both_are_added(tested):
    result = tested.run("test")
    assert last_line(result) == "6 passed, 0 failed, 2 skipped", result.stdout + result.stderr
    assert result.returncode == 0


def test_a_failure_of_ctest_fails_the_run(tested):
    result = tested.run("test", FAKE_FAILURES="2")
    assert last_line(result) == "4 passed, 2 failed, 2 skipped"
    assert result.returncode == 1


def test_a_failure_of_pytest_fails_the_run(tested):
    result = tested.run("test", FAKE_BAD="1")
    assert last_line(result) == "5 passed, 1 failed, 2 skipped"
    assert result.returncode == 1


def test_a_ctest_that_dies_is_a_failure(tested):
    tested.fake("ctest", "exit 1")
    result = tested.run("test")
    assert last_line(result) == "2 passed, 1 failed, 1 skipped"
    assert result.returncode == 1


def test_an_exit_code_counts_as_a_failure_when_the_report_has_none(tested):
    result = tested.run("test", FAKE_EXIT="8")  # a test that could not be started
    assert last_line(result) == "6 passed, 1 failed, 2 skipped"
    assert result.returncode == 1


def test_a_suite_that_cannot_be_collected_is_a_failure(tested):
    suite = tested.checkout / "reference_data" / "tests"
    (suite / "test_broken.py").write_text("import nothing_of_this_name\n")
    result = tested.run("test")
    assert result.returncode == 1
    assert ", 1 failed, " in last_line(result)  # with pytest-xdist the other files still run


def test_a_build_that_fails_is_the_one_failure(tested):
    result = tested.run("test", FAKE_BUILD_ERROR="no")
    assert last_line(result) == "0 passed, 1 failed"
    assert result.returncode == 1


def test_a_wrong_environment_still_ends_with_the_counts(tested):
    tested.lose("zip")
    result = tested.run("test")
    assert last_line(result) == "0 passed, 1 failed"
    assert result.returncode == 2
    assert "needs zip, which CONVKIT_NO_INSTALL forbids" in result.stderr


def test_end_to_end_finds_what_tests_kit_has_compiled_in_the_same_run(tested):
    compiles = "def test_first():\n    (cache / 'kept').mkdir(parents=True)\n"
    finds = "def test_later():\n    assert (cache / 'kept').is_dir()\n"
    for suite, text in (("kit", compiles), ("end_to_end", finds)):
        folder = tested.checkout / "tests" / suite
        folder.mkdir(parents=True)
        cache = "import os, pathlib\ncache = pathlib.Path(os.environ['CONVKIT_TEST_CACHE'])\n"
        (folder / "test_suite.py").write_text(cache + text)
    for _ in range(2):  # mkdir() would fail in what an earlier run has left
        result = tested.run("test")
        assert last_line(result) == "8 passed, 0 failed, 2 skipped", result.stdout


def add_suite(tested, name: str, text: str) -> None:
    folder = tested.checkout / "tests" / name
    folder.mkdir(parents=True)
    (folder / "test_suite.py").write_text(text)


WAITS = """
import os, pathlib, time
def test_both_are_there():
    place = pathlib.Path({place!r})
    (place / str(os.getpid())).touch()
    end = time.monotonic() + 30
    while len(list(place.iterdir())) < 2:
        assert time.monotonic() < end
        time.sleep(0.05)
"""


def test_two_suites_run_side_by_side(tested, tmp_path):
    place = tmp_path / "place"
    place.mkdir()
    for name in ("kit", "other"):
        add_suite(tested, name, WAITS.format(place=str(place)))
    result = tested.run("test")
    assert last_line(result) == "8 passed, 0 failed, 2 skipped", result.stdout


def test_the_corpus_runs_when_all_others_have_ended(tested, tmp_path):
    place = str(tmp_path / "place")
    ends = "import pathlib, time\ndef test_it():\n    time.sleep(2)\n"
    add_suite(tested, "other", f"{ends}    pathlib.Path({place!r}).touch()\n")
    sees = f"import os\ndef test_it(): assert os.path.exists({place!r})\n"
    add_suite(tested, "corpus", sees)
    assert last_line(tested.run("test")) == "8 passed, 0 failed, 2 skipped"


def test_what_a_suite_prints_stays_together(tested):
    for name in ("a", "b"):
        add_suite(tested, name, f"def test_it(): assert '{name}' == 'one'\n")
    result = tested.run("test")
    assert last_line(result) == "6 passed, 2 failed, 2 skipped"
    for name in ("a", "b"):
        printed = result.stdout.split(f"== tests/{name}\n")[1].split("\n== ")[0]
        assert f"AssertionError: assert '{name}' == 'one'" in printed


def test_a_suite_whose_process_dies_is_a_failure(tested):
    add_suite(tested, "dies", "import os\ndef test_it(): os.kill(os.getppid(), 9)\n")
    add_suite(tested, "good", "def test_it(): pass\n")
    result = tested.run("test")
    assert ", 1 failed, " in last_line(result), result.stdout + result.stderr
    assert result.returncode == 1


def test_an_interrupt_ends_the_suites_of_both_lanes(tested, tmp_path):
    place = tmp_path / "place"
    place.mkdir()
    sleeps = f"""
import os, pathlib, time
def test_it():
    (pathlib.Path({str(place)!r}) / str(os.getpid())).touch()
    time.sleep(50)
"""
    for name in ("kit", "other"):
        add_suite(tested, name, sleeps)
    process = tested.start("test")
    wait_for(lambda: len(list(place.iterdir())) == 2)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(timeout=20) == 130
    for file in place.iterdir():
        wait_for(lambda file=file: not alive(int(file.name)))


def alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_for(condition) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_arguments_go_to_ctest_alone(tested):
    result = tested.run("test", "-R", "shape")
    assert last_line(result) == "4 passed, 0 failed, 1 skipped"
    assert tested.calls("ctest")[0].endswith("-R shape")
