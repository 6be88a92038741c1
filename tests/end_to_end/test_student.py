# SPDX-License-Identifier: MIT
"""A student works through a stage: list, start, check, submit."""

import json
import re
import shutil
import time
import zipfile

import pytest
from driver import (
    FALLS_SHORT,
    INTERRUPTED,
    PASSED,
    ROOT,
    SOLUTION,
    STAGE,
    USED_WRONGLY,
    Terminal,
    changed,
)

STARTER = ROOT / "starter" / STAGE


@pytest.fixture
def finished(convkit):
    """A student who has finished the stage."""
    shutil.copytree(SOLUTION, convkit.work / STAGE)
    return convkit


def test_start_copies_the_starter_and_says_what_comes_next(convkit):
    ran = convkit.run("start", 1)
    assert ran.code == PASSED
    assert f"Your files are in {convkit.work / STAGE}\n" in ran.out
    assert "then run ./convkit check 1\n" in ran.out
    for file in STARTER.iterdir():
        assert (convkit.work / STAGE / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize("stage", sorted(folder.name for folder in (ROOT / "starter").iterdir()))
def test_start_names_the_file_that_the_handout_begins_with(convkit, stage):
    out = convkit.run("start", stage).out
    named = re.search(r"^Next: +edit (\S+), then run ./convkit check", out, re.MULTILINE)[1]
    handout = (ROOT / "assignments" / stage / "README.md").read_text()
    first = handout[handout.index("everything is NOT_STARTED") :].split("```")[0]
    sources = re.findall(r"`(?:work/\w+/)?(\w+\.(?:cpp|cuh?))`", first)
    assert named == sources[0]
    assert "TODO(" in (convkit.work / stage / named).read_text()


def test_start_never_overwrites_work(convkit):
    convkit.run("start", 1)
    (convkit.work / STAGE / "dense.cpp").write_text("// my work\n")
    (convkit.work / STAGE / "layout.cpp").unlink()
    ran = convkit.run("start", 1)
    assert ran.code == PASSED
    assert "6 of your files in" in ran.out
    assert "were left as they are; a missing one was added." in ran.out
    assert (convkit.work / STAGE / "dense.cpp").read_text() == "// my work\n"
    assert (convkit.work / STAGE / "layout.cpp").exists()


def test_list_follows_the_progress(convkit):
    def state():
        line = next(row for row in convkit.run("list").out.splitlines() if row.startswith(STAGE))
        return re.split(r"\s{2,}", line)[-1]

    assert state() == "not started"
    convkit.run("start", 1)
    assert state() == "started, not checked yet"
    convkit.run("check", 1)
    assert re.fullmatch(r"0 of \d+ cases pass", state())
    shutil.copytree(SOLUTION, convkit.work / STAGE, dirs_exist_ok=True)
    convkit.run("check", 1)
    assert re.fullmatch(r"(\d+) of \1 cases pass", state())


def test_check_before_start_says_to_start(convkit):
    ran = convkit.run("check", 1)
    assert ran.code == USED_WRONGLY
    assert ran.err == f"{convkit.work / STAGE} does not exist. Begin with: ./convkit start 1\n"


def test_a_starter_is_not_started_rather_than_wrong(convkit):
    convkit.run("start", 1)
    ran = convkit.judge("check", 1)
    assert ran.code == FALLS_SHORT
    assert ran.statuses() == {"NOT_STARTED"}
    assert ran.stage["status"] == "NOT_STARTED"
    assert (ran.result["points"], ran.result["pending_points"]) == (0, 0)
    assert re.search(r"  0 of \d+ points; \d+ more are for speed\.\n", ran.out)


def test_a_stage_of_which_some_passes_is_unfinished(finished):
    shutil.copy(STARTER / "dense.cpp", finished.work / STAGE)
    ran = finished.judge("check", 1, "-v")
    assert ran.code == FALLS_SHORT
    assert ran.statuses() == {"PASS", "NOT_STARTED"}
    assert ran.stage["status"] == "UNFINISHED"
    assert ran.out.split()[0] == "UNFINISHED"
    assert re.search(r"^  NOT_STARTED  dense_batch: Task 01\.\d is not started", ran.out, re.M)


def test_a_finished_stage_passes_every_visible_case(finished):
    ran = finished.judge("check", 1)
    assert ran.code == PASSED, ran.out
    assert ran.statuses() == {"PASS"}
    assert ran.result["points"] == ran.result["max_points"] == 80
    assert ran.result["pending_points"] == 0
    assert "Every visible case passes. Next: ./convkit bench 1" in ran.out


def test_check_of_one_case_runs_that_case_only(finished):
    ran = finished.judge("check", "01", "--case", "one_channel_3x3")
    assert ran.code == PASSED
    assert [case["name"] for case in ran.stage["cases"]] == ["one_channel_3x3"]


def test_a_misspelt_case_is_answered_with_the_nearest(finished):
    ran = finished.run("check", 1, "--case", "one_chanel_3x3")
    assert ran.code == USED_WRONGLY
    assert ran.err == f"{STAGE} has no case `one_chanel_3x3`. Did you mean `one_channel_3x3`?\n"


def test_the_beginning_of_a_case_is_enough_to_find_it(finished):
    ran = finished.run("check", 1, "--case", "one_chanel")
    assert ran.code == USED_WRONGLY
    assert "one_channel_3x3" in ran.err and "Cases: " not in ran.err


def test_a_missing_file_is_not_mistaken_for_another_file_of_the_stage(finished):
    folder = finished.work / STAGE
    (folder / "dense.cpp").unlink()
    assert finished.run("check", 1).err == f"dense.cpp is missing in {folder}.\n"


def test_a_misnamed_file_is_answered_with_the_nearest(finished):
    folder = finished.work / STAGE
    (folder / "dense.cpp").rename(folder / "Dense.cpp")
    ran = finished.run("check", 1)
    assert ran.code == USED_WRONGLY
    assert ran.err == f"dense.cpp is missing in {folder}. Is it Dense.cpp?\n"


def test_hints_come_one_step_at_a_time(convkit):
    convkit.run("start", 1)
    steps = []
    for _ in range(4):
        out = convkit.run("check", 1, "--hint").out
        steps.append(re.search(r"Hint (\d) of 3 for task 01\.1 .*:\n  (.+)", out).groups())
    assert [number for number, _ in steps] == ["1", "2", "3", "3"]
    assert len({text for _, text in steps}) == 3


def test_a_hint_begins_where_something_still_fails(finished):
    wrong = changed("activations.cpp", "tanh_forward", "for (int i = 0; i < size; ++i) y[i] = 2;")
    (finished.work / STAGE / "activations.cpp").write_text(wrong["activations.cpp"])
    out = finished.run("check", 1, "--task", "01.3", "--hint").out
    assert re.search(r"Hint 3 of 3 for task 01\.3 .*:\n  tanh: ", out)
    assert (
        "The failing cases are not shown." in out and "First: y[0]" not in out
    )  # the hint is not behind pages


def test_a_check_ends_with_what_comes_next(convkit, finished):
    task = finished.run("check", 1, "--task", "01.1").out
    assert task.endswith(
        "Next: task 01.2 (Pooling), TODO(01.2) in pooling.cpp; then ./convkit check 1 --task 01.2\n"
    )
    shutil.copy(STARTER / "conv2d.cpp", finished.work / STAGE)
    begin = finished.run("check", 1, "--task", "01.1").out
    assert begin.endswith(
        "Next: task 01.1 (Convolution, forward), TODO(01.1) in conv2d.cpp; "
        "then ./convkit check 1 --case one_channel_3x3\n"
    )


def test_a_wrong_case_says_where_and_how_to_reproduce(finished):
    wrong = changed("dense.cpp", "dense_forward", "for (int i = 0; i < n * out; ++i) y[i] = 1;")
    (finished.work / STAGE / "dense.cpp").write_text(wrong["dense.cpp"])
    ran = finished.run("check", 1)
    assert ran.code == FALLS_SHORT
    assert re.search(rf"WRONG  {STAGE} / dense_whole_numbers  n \d+, in \d+, out \d+\n", ran.out)
    assert re.search(r"First: y\[0,0\] expected \S+, got 1", ran.out)
    assert "Reproduce: ./convkit check 1 --case dense_whole_numbers\n" in ran.out


def test_sanitizers_turn_a_crash_into_the_students_line(finished):
    body = "int* gone = new int[4];\n  delete[] gone;\n  y[0] = static_cast<float>(gone[1]);"
    source = changed("dense.cpp", "dense_forward", body)["dense.cpp"]
    line = next(i for i, text in enumerate(source.splitlines(), 1) if "gone[1]" in text)
    (finished.work / STAGE / "dense.cpp").write_text(source)
    ran = finished.judge("check", 1, "--sanitize", "--case", "dense_batch")
    assert ran.code == FALLS_SHORT
    case = ran.case("dense_batch")
    assert case["status"] == "CRASHED"
    assert case["message"] == f"heap-use-after-free at dense.cpp:{line} in dense_forward()."


def test_sanitizers_name_the_line_of_an_access_past_the_end(finished):
    source = changed("dense.cpp", "softmax_forward", "y[n * k] = x[0];")["dense.cpp"]
    line = next(i for i, text in enumerate(source.splitlines(), 1) if "y[n * k]" in text)
    (finished.work / STAGE / "dense.cpp").write_text(source)
    ran = finished.judge("check", 1, "--sanitize", "--case", "softmax")
    message = ran.case("softmax")["message"]
    assert message == f"heap-buffer-overflow at dense.cpp:{line} in softmax_forward()."


def test_watch_checks_again_on_every_save(convkit):
    convkit.run("start", 1)
    terminal = Terminal(convkit, "check", 1, "--watch", "--case", "dense_batch")
    terminal.wait_for(r"NOT_STARTED.*Watching .*\(Ctrl-C ends\)")
    file = convkit.work / STAGE / "dense.cpp"
    file.write_text((SOLUTION / "dense.cpp").read_text())
    terminal.wait_for(r"PASS.*Watching")
    file.rename(file.with_suffix(".old"))
    terminal.wait_for(r"dense\.cpp is missing in .*Watching")
    file.write_text("this is no C++\n")
    terminal.wait_for(r"BUILD_FAILED.*dense\.cpp:1:1: .*Watching")
    terminal.press_ctrl_c()
    assert terminal.end() == INTERRUPTED


def test_watch_puts_first_what_the_saved_file_concerns(finished):
    folder = finished.work / STAGE
    wrong = {"conv2d.cpp": "conv2d_forward", "dense.cpp": "dense_forward"}
    for file, function in wrong.items():
        (folder / file).write_text(changed(file, function, "y[0] = 1;")[file])
    terminal = Terminal(finished, "check", 1, "--watch")
    shown = terminal.wait_for(r"Watching .*\(Ctrl-C ends\)")
    first = re.compile(rf"WRONG(?:\x1b\[0m)?  {STAGE} / (\w+)")
    assert "dense" not in first.search(shown)[1]
    (folder / "dense.cpp").write_text((folder / "dense.cpp").read_text() + "\n")
    shown = terminal.wait_for(r"Watching .*\(Ctrl-C ends\)")
    assert "You saved dense.cpp: its cases come first.\r\n" in shown
    assert first.search(shown)[1].startswith("dense")
    terminal.press_ctrl_c()
    assert terminal.end() == INTERRUPTED


def test_watch_does_not_miss_a_save_made_while_it_checks(convkit):
    convkit.run("start", 1)
    slow = changed("dense.cpp", "dense_forward", "usleep(900000);", "#include <unistd.h>\n")
    file = convkit.work / STAGE / "dense.cpp"
    file.write_text(slow["dense.cpp"])
    terminal = Terminal(convkit, "check", 1, "--watch", "--case", "dense_batch")
    terminal.wait_for(r"case dense_batch")
    time.sleep(0.1)
    file.write_text((SOLUTION / "dense.cpp").read_text())
    terminal.wait_for(r"WRONG.*Watching.*PASS.*Watching")
    terminal.press_ctrl_c()
    assert terminal.end() == INTERRUPTED


def test_a_grader_finds_what_submit_packed(finished):
    (finished.work / STAGE / "notes.txt").write_text("mine\n")
    ran = finished.run("submit", 1)
    assert ran.code == PASSED, ran.out
    archive = finished.work / f"submission-{STAGE}.zip"
    names = zipfile.ZipFile(archive).namelist()
    assert f"{STAGE}/conv2d.cpp" in names and f"{STAGE}/notes.txt" in names
    for file in (finished.work / STAGE).iterdir():
        assert f"{file.stat().st_size:>8} bytes  {STAGE}/{file.name}\n" in ran.out
    assert f"A grader finds in it: {STAGE}.\n" in ran.out
    assert f"{STAGE}: PASS on the visible cases." in ran.out

    graded = finished.grade(archive)
    assert graded.code == PASSED
    assert graded.result["points"] == 80


def test_submit_warns_of_failing_checks_and_packs_anyway(convkit):
    convkit.run("start", 1)
    ran = convkit.run("submit", 1, "--out", convkit.home / "mine.zip")
    assert ran.code == FALLS_SHORT
    assert "NOT_STARTED on the visible cases" in ran.out
    assert "The archive was written anyway." in ran.out
    assert zipfile.is_zipfile(convkit.home / "mine.zip")


def test_what_is_remembered_of_a_check_is_what_it_said(finished):
    ran = finished.judge("check", 1)
    memory = json.loads((finished.work / ".progress" / f"{STAGE}.json").read_text())["check"]
    said = (memory["passed"], memory["total"], memory["points"], memory["max_points"])
    cases = len(ran.stage["cases"])
    assert said == (cases, cases, ran.result["points"], ran.result["max_points"])


def test_the_progress_of_an_older_kit_is_not_that_of_this_one(finished):
    finished.run("check", 1)
    memory = finished.work / ".progress" / f"{STAGE}.json"
    memory.write_text(memory.read_text().replace('"kit": "', '"kit": "0.0.'))
    line = next(row for row in finished.run("list").out.splitlines() if row.startswith(STAGE))
    assert line.endswith("  checked with another version of the kit")
    assert "Go on with: ./convkit check 1\n" in finished.run("list").out
    finished.run("check", 1)
    assert "cases pass" in finished.run("list").out


def test_doctor_counts_the_cases_that_check_has(finished):
    cases = len(finished.judge("check", 1).stage["cases"])
    out = finished.run("doctor").out
    assert re.search(rf"^{STAGE} +{cases} visible cases, 100 points", out, re.M), out


def test_doctor_names_the_archives_that_grade_reads(finished):
    out = finished.run("doctor").out
    finished.run("submit", 1, "--no-check")
    graded = finished.grade(finished.work / f"submission-{STAGE}.zip")
    reads = graded.code == PASSED
    assert re.search(r"^archives +(.*)$", out, re.M)[1].startswith("zip" if reads else "only")


def test_a_damaged_progress_file_is_ignored(finished):
    finished.run("check", 1)
    memory = finished.work / ".progress" / f"{STAGE}.json"
    assert json.loads(memory.read_text())["check"]["passed"] > 0
    for text in ("{", '{"check": 7, "hints": [1]}', '{"check": {"passed": "many"}}'):
        memory.write_text(text)
        for command in (["list"], ["check", 1, "--case", "dense_batch", "--hint"]):
            ran = finished.run(*command)
            assert ran.code == PASSED, ran.err
