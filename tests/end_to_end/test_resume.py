# SPDX-License-Identifier: MIT
"""A grading that is killed: what is on the disk says so, and `--resume` ends as if it had never
been killed.
"""

import fcntl
import json
import os
import shutil
import signal
from pathlib import Path

import pytest
from driver import FALLS_SHORT, USED_WRONGLY
from toy_training import STAGE, easy_data, hand_in, training_kit, write_cases

NONCE = "0123456789abcdef" * 4
# Cases know each other by their sizes. What floods is given up; what comes after it is skipped.
BEHAVIOURS = """
#include <cstdio>
#include <cstdlib>
static void behave(float* y, int64_t n) {
  if (n == 6) std::abort();
  if (n == 7) y[3] += 1;
  if (n == 8) for (int i = 0; i < 100000; ++i) std::printf("a flood of words\\n");
}
"""
SIZES = (5, 6, 7, 8, 9)


@pytest.fixture(scope="module")
def kit(tmp_path_factory) -> Path:
    runner = Path(os.environ["CONVKIT_BINARY"]).with_name(f"{STAGE}.runner")
    if not runner.exists():
        pytest.skip(f"{runner.name} was not built: only a developer's build has it")
    folder = training_kit(
        tmp_path_factory.mktemp("kit"), [("stage_s = 60", "stage_s = 60\noutput_kib = 64")]
    )
    shutil.rmtree(folder / "reference_data/visible" / STAGE)
    write_cases(folder / "reference_data/visible" / STAGE, visible=True, sizes=SIZES)
    write_cases(folder / "reference_data/hidden" / STAGE, visible=False)
    easy_data(folder / "data")
    return folder


@pytest.fixture
def grade(convkit, kit, tmp_path):
    """grade(...): one grading of the same submission; returns what ran, with its result."""
    doubling = "for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];"
    folder = hand_in(tmp_path / "ada", prelude=BEHAVIOURS)
    source = folder / STAGE / "train.cpp"
    text = source.read_text()
    assert doubling in text
    source.write_text(text.replace(doubling, doubling + "\n  behave(y, n);"))
    file = convkit.home / "result.json"

    def run(*arguments, **environment):
        environment = {
            "CONVKIT_ROOT": str(kit),
            "CONVKIT_DATA": str(kit / "data"),
        } | environment
        ran = convkit.run(
            "grade", folder, "--no-speed", "--json", file, *arguments, env=environment
        )
        ran.result = json.loads(file.read_text())
        return ran

    run.file, run.source = file, source
    run.journal = file.with_name("result.json.journal")
    return run


def verdicts(result: dict) -> dict:
    """The result without what differs from run to run: times."""
    stages = [s | {"build_s": 0, "run_s": 0} for s in result["stages"]]
    return result | {"started": "", "stages": stages}


def test_a_grading_killed_at_any_boundary_ends_as_one_that_was_not(grade, killer):
    unbroken = grade("--nonce", NONCE)
    assert unbroken.code == FALLS_SHORT, unbroken.out + unbroken.err
    assert not grade.journal.exists()
    cases = unbroken.stage["cases"]
    assert [case["status"] for case in cases] == [
        *("PASS", "CRASHED", "WRONG", "LIMIT", "SKIPPED", "SKIPPED"),  # stored, the last hidden
        *("PASS", "PASS", "PASS"),  # trainings
    ]
    assert unbroken.result["interrupted"] is False
    for boundary in range(1, len(cases) + 2):  # the head, and each case
        killed = grade("--nonce", NONCE, LD_PRELOAD=str(killer), KILL_AT=str(boundary))
        assert killed.code == -signal.SIGKILL, f"{boundary}: {killed.err}"
        assert killed.result["interrupted"] is True
        assert grade.journal.read_text().count("\n") == boundary
        resumed = grade("--resume")
        assert resumed.code == FALLS_SHORT, resumed.err
        assert verdicts(resumed.result) == verdicts(unbroken.result), boundary
        assert not grade.journal.exists()


def test_a_grading_killed_again_and_again_goes_on(grade, killer):
    unbroken = grade("--nonce", NONCE)
    kill = {"LD_PRELOAD": str(killer), "KILL_AT": "3"}
    runs = 0
    ran = grade("--nonce", NONCE, **kill)
    while ran.code == -signal.SIGKILL:
        ran = grade("--resume", **kill)
        runs += 1
    assert runs > 2
    assert verdicts(ran.result) == verdicts(unbroken.result)


def test_a_line_that_was_not_written_whole_does_not_count(grade, killer):
    unbroken = grade("--nonce", NONCE)
    grade("--nonce", NONCE, LD_PRELOAD=str(killer), KILL_AT="5")
    whole = grade.journal.read_bytes()
    for text in (whole[:-20], whole + b"\0" * 30 + b"\n", whole[:10]):
        grade.journal.write_bytes(text)
        resumed = grade("--resume", *([] if len(text) > 10 else ["--no-hidden"]))
        if len(text) > 10:
            assert verdicts(resumed.result) == verdicts(unbroken.result)
        else:  # not even the head is there: it begins anew
            assert resumed.result["nonce"] != NONCE


def test_without_resume_a_grading_begins_anew(grade, killer):
    grade("--nonce", NONCE, LD_PRELOAD=str(killer), KILL_AT="4")
    ran = grade()
    assert ran.result["nonce"] != NONCE
    assert not grade.journal.exists()


def test_a_journal_of_another_grading_is_refused_and_nothing_is_lost(grade, killer):
    killed = grade("--nonce", NONCE, LD_PRELOAD=str(killer), KILL_AT="4")
    kept = grade.journal.read_bytes()
    for arguments in (["--no-hidden"], []):
        if not arguments:
            grade.source.write_text(grade.source.read_text() + "// a word\n")
        ran = grade("--resume", *arguments)
        assert ran.code == USED_WRONGLY
        assert "cannot be resumed" in ran.err and ran.err.count("\n") == 1
        assert ran.result == killed.result
        assert grade.journal.read_bytes() == kept


def test_resume_without_a_journal_grades(grade):
    assert grade("--resume").code == FALLS_SHORT
    ran = grade("--resume", "--nonce", NONCE)
    assert ran.code == USED_WRONGLY and "--resume goes on with the nonce" in ran.err


def changed_kit(kit: Path, folder: Path, name: str) -> Path:
    """The kit with one more line in one file."""
    shutil.copytree(kit, folder, symlinks=True)
    with (folder / name).open("a") as file:
        file.write("\n# changed\n")
    return folder


@pytest.mark.parametrize(
    "name", [f"assignments/{STAGE}/stage.toml", f"assignments/{STAGE}/cases.toml", "course.toml"]
)
def test_a_stage_that_has_changed_is_not_gone_on_with(grade, killer, kit, tmp_path, name):
    if not (kit / name).exists():
        (kit / name).parent.mkdir(exist_ok=True)
        (kit / name).write_text("")
    grade("--nonce", NONCE, LD_PRELOAD=str(killer), KILL_AT="4")
    ran = grade("--resume", CONVKIT_ROOT=str(changed_kit(kit, tmp_path / "changed", name)))
    assert ran.code == USED_WRONGLY, ran.out + ran.err
    what = name.removeprefix("assignments/")
    assert f"was started with another {what}, so it cannot be resumed." in ran.err


def test_what_differs_is_named(grade, killer):
    grade("--nonce", NONCE, LD_PRELOAD=str(killer), KILL_AT="4")
    ran = grade("--resume", "--no-check", CONVKIT_TIME_SCALE="3")
    assert ran.code == USED_WRONGLY
    assert "another CONVKIT_TIME_SCALE and another choice of --no-check, so it" in ran.err
    ran = grade("--resume", CONVKIT_SANDBOX="limits")
    assert "was started with another sandbox, so it cannot be resumed." in ran.err


def test_a_result_that_another_grading_writes_is_left_alone(grade, convkit):
    grade.journal.write_text("")
    with grade.journal.open() as journal:
        fcntl.flock(journal, fcntl.LOCK_EX)
        grade.file.write_text('{"schema": "convkit-result-1"}')
        for resume in ([], ["--resume"]):
            ran = grade(*resume)
            assert ran.code == USED_WRONGLY
            assert ran.err == f"{grade.journal} is in use by another grading.\n"
        assert grade.file.read_text() == '{"schema": "convkit-result-1"}'
    assert grade().code == FALLS_SHORT
    assert not grade.journal.exists()


def test_a_folder_in_the_place_of_the_journal_is_named(grade):
    grade.file.write_text('{"schema": "convkit-result-1"}')
    grade.journal.mkdir()
    ran = grade()
    assert ran.code == USED_WRONGLY
    assert ran.err == f"{grade.journal} cannot be written: Is a directory.\n"
