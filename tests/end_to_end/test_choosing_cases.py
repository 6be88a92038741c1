# SPDX-License-Identifier: MIT
"""`check` of some cases, and what has changed since the last check."""

import json
import re
import shutil

import pytest
from driver import FALLS_SHORT, PASSED, ROOT, SOLUTION, STAGE, USED_WRONGLY, changed

STARTER = ROOT / "starter" / STAGE
WRONG_DENSE = changed("dense.cpp", "dense_forward", "for (int i = 0; i < n * out; ++i) y[i] = 1;")


@pytest.fixture
def finished(convkit):
    """A student who has finished the stage."""
    shutil.copytree(SOLUTION, convkit.work / STAGE)
    return convkit


def write(convkit, files):
    for name, text in files.items():
        (convkit.work / STAGE / name).write_text(text)


def test_a_task_is_checked_alone(finished):
    for typed in ("01.4", "1.4", "4"):
        ran = finished.judge("check", 1, "--task", typed)
        assert ran.code == PASSED, ran.err
        assert {case["task"] for case in ran.stage["cases"]} == {"01.4"}
        assert len(ran.stage["cases"]) > 1
    assert "points" not in ran.out  # of which the other cases have a part


def test_a_group_is_checked_alone_by_its_name_or_its_title(finished):
    for typed in ("pooling", "Pooling"):
        ran = finished.judge("check", 1, "--group", typed)
        assert ran.code == PASSED, ran.err
        assert {case["group"] for case in ran.stage["cases"]} == {"pooling"}


def test_several_cases_are_checked(finished):
    ran = finished.judge("check", 1, "--case", "dense_batch", "--case", "one_channel_3x3")
    assert ran.code == PASSED
    assert {case["name"] for case in ran.stage["cases"]} == {"dense_batch", "one_channel_3x3"}


@pytest.mark.parametrize(
    "words, said",
    [
        (["--task", "01.9"], rf"{STAGE} has no task `01\.9`\. Tasks: 01\.1, 01\.2, .*\.\n"),
        (["--group", "poolin"], rf"{STAGE} has no group `poolin`\. Did you mean `pooling`\? .*\n"),
        (["--group", "xyz"], rf"{STAGE} has no group `xyz`\. Groups: conv, .*\.\n"),
        (
            ["--case", "dense_batch", "--case", "nothing_like_it"],
            rf"{STAGE} has no case `nothing_like_it`\. Cases: .*\.\n",
        ),
        (
            ["--task", "01.1", "--case", "dense_batch"],
            rf"No case of {STAGE} is dense_batch and of task 01\.1\.\n",
        ),
    ],
)
def test_a_name_that_is_not_there_is_answered_with_one_sentence(finished, words, said):
    ran = finished.run("check", 1, *words)
    assert ran.code == USED_WRONGLY
    assert re.fullmatch(said, ran.err), ran.err


def test_a_check_says_what_passes_since_the_last_one_and_what_does_not(finished):
    task = ("--task", "01.4")
    assert "since the last check" not in finished.run("check", 1, *task).out
    assert "since the last check" not in finished.run("check", 1, *task).out
    write(finished, WRONG_DENSE)
    lost = re.search(
        r"^No longer passing since the last check: (.*)\.$",
        finished.run("check", 1, *task).out,
        re.MULTILINE,
    )
    assert "dense_batch" in lost[1].split(", ")
    shutil.copy(SOLUTION / "dense.cpp", finished.work / STAGE)
    out = finished.run("check", 1, *task).out
    assert f"\nNewly passing since the last check: {lost[1]}.\n" in out
    assert "No longer passing" not in out


def test_what_a_check_did_not_run_is_remembered(finished):
    finished.run("check", 1, "--case", "dense_batch")
    finished.run("check", 1, "--case", "one_channel_3x3")
    write(finished, WRONG_DENSE)
    out = finished.run("check", 1, "--case", "dense_batch").out
    assert "No longer passing since the last check: dense_batch.\n" in out


def test_a_file_that_does_not_compile_says_nothing_of_its_cases(finished):
    finished.run("check", 1, "--task", "01.4")
    write(finished, {"dense.cpp": "no C++\n"})
    assert "since the last check" not in finished.run("check", 1, "--task", "01.4").out
    shutil.copy(SOLUTION / "dense.cpp", finished.work / STAGE)
    assert "since the last check" not in finished.run("check", 1, "--task", "01.4").out


def test_another_folder_is_another_work(finished, tmp_path):
    finished.run("check", 1, "--case", "dense_batch")
    shutil.copytree(STARTER, tmp_path / "other")
    out = finished.run("check", 1, "--case", "dense_batch", "--dir", tmp_path / "other").out
    assert "since the last check" not in out
    assert "since the last check" not in finished.run("check", 1, "--case", "dense_batch").out


def test_old_and_damaged_memories_of_cases_are_ignored(finished):
    memory = finished.work / ".progress" / f"{STAGE}.json"
    memory.parent.mkdir()
    for known in ("7", '{"cpu": 7}', '{"cpu": {"dense_batch": "yes", "gone": false}}', "[]"):
        memory.write_text(f'{{"cases": {known}, "check": 1}}')
        ran = finished.run("check", 1, "--case", "dense_batch")
        assert ran.code == PASSED, ran.err
        assert "since the last check" not in ran.out
        assert json.loads(memory.read_text())["cases"]["cpu"]["dense_batch"] is True


def test_a_hint_is_given_for_any_task(finished):
    out = finished.run("check", 1, "--hint").out
    assert "Nothing fails, so there is no hint to give. --task names a task.\n" in out
    out = finished.run("check", 1, "--hint", "--task", "01.3").out
    assert "Hint 1 of " in out and " for task 01.3 (" in out


def test_a_failing_case_begins_with_its_sizes(finished):
    wrong = changed("conv2d.cpp", "conv2d_forward", "y[0] = 1;")
    write(finished, wrong)
    ran = finished.judge("check", 1, "--task", "01.1")
    assert ran.code == FALLS_SHORT
    case = next(case for case in ran.stage["cases"] if case["status"] == "WRONG")
    assert re.match(r"n \d+, c \d+, h \d+, w \d+, m \d+, kernel \d+ x \d+", case["sizes"])
    assert f"WRONG  {STAGE} / {case['name']}  {case['sizes']}\n" in ran.out
    assert "groups 1" not in ran.out and "stride 1," not in ran.out


def test_a_warning_that_explains_is_told_with_the_function(finished):
    body = """
  for (int i = 0; i < n * out; ++i) {
    float sum;
    for (int k = 0; k < in; ++k) sum += x[i / out * in + k] * w[i % out * in + k];
    y[i] = sum;
  }"""
    write(finished, changed("dense.cpp", "dense_forward", body))
    ran = finished.judge("check", 1, "--task", "01.4")
    assert ran.code == FALLS_SHORT
    told = [case["warnings"] for case in ran.stage["cases"] if "warnings" in case]
    assert len(told) == 1 and 1 <= len(told[0]) <= 2, told
    assert re.match(r"dense\.cpp:\d+: .*sum.*uninitialized", told[0][0])
    assert f"    The compiler warns: {told[0][0]}\n" in ran.out


def test_warnings_of_what_passes_are_not_told(finished):
    unused = changed("dense.cpp", "softmax_forward", "int unused;\n  (void)x, (void)y;")
    text = unused["dense.cpp"]
    write(finished, {"dense.cpp": text})
    out = finished.run("check", 1, "--group", "pooling").out
    assert "warn" not in out
    out = finished.run("check", 1, "--case", "softmax").out
    assert "The compiler warns: dense.cpp:" in out and "unused" in out


def test_a_sanitizers_report_is_three_lines_and_a_file(finished):
    body = "int* gone = new int[4];\n  delete[] gone;\n  y[0] = static_cast<float>(gone[1]);"
    write(finished, changed("dense.cpp", "dense_forward", body))
    ran = finished.judge("check", 1, "--sanitize", "--case", "dense_batch")
    assert ran.code == FALLS_SHORT
    report = finished.work / "results" / f"{STAGE}-sanitizer.txt"
    assert f"The sanitizer's whole report is in {report}.\n" in ran.out
    shown = ran.out.split("It printed:\n")[1].split("    Reproduce:")[0].splitlines()
    assert len(shown) == 3
    assert "heap-use-after-free" in shown[0]
    assert "dense.cpp:" in shown[1]
    assert "is located" in shown[2]
    text = report.read_text()
    assert text.startswith("dense_batch\n") and len(text.splitlines()) > 10
