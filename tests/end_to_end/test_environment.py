# SPDX-License-Identifier: MIT
"""Variables of the environment: what a slip there costs is never a student's points."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from driver import GRADER_FAILED, INTERRUPTED, PASSED, ROOT, STAGE, USED_WRONGLY, changed


@pytest.mark.parametrize("name", ["CONVKIT_CACHE", "CONVKIT_WORK", "TMPDIR"])
def test_a_relative_folder_is_that_below_the_current_one(convkit, solved, name):
    (convkit.home / "near").mkdir(mode=0o700)
    ran = convkit.grade(solved, "--no-hidden", env={name: "near"})
    assert (ran.code, ran.result["points"]) == (PASSED, 80), ran.out + ran.err


def test_relative_hidden_cases_are_those_below_the_current_folder(convkit, solved):
    made = convkit.run("refgen", "--stage", 1, "--seed", "a word", "--out", convkit.home / "near")
    assert made.code == PASSED, made.err
    ran = convkit.grade(solved, env={"CONVKIT_HIDDEN": "near"})
    assert ran.code == PASSED, ran.out + ran.err
    assert any(case["hidden"] for case in ran.stage["cases"])


@pytest.mark.parametrize("copied", [False, True])
def test_the_visible_cases_are_no_hidden_ones(convkit, solved, tmp_path, copied):
    visible = ROOT / "reference_data/visible"
    if copied:
        shutil.copytree(visible / STAGE, tmp_path / "copy" / STAGE)
    folder = tmp_path / "copy" if copied else visible
    ran = convkit.grade(solved, env={"CONVKIT_HIDDEN": str(folder)})
    assert ran.code == GRADER_FAILED
    assert "holds the visible cases of 01_cpu_conv, not hidden cases." in ran.out + ran.err


@pytest.mark.parametrize(
    "folder, said",
    [
        ("", "TMPDIR is set but empty. Unset it, or set it to a folder"),
        ("/nowhere/at/all", "TMPDIR is /nowhere/at/all, which is not a folder."),
        ("nope", "/nope, which is not a folder."),
    ],
)
def test_a_folder_for_temporary_files_that_is_none_is_named(convkit, solved, folder, said):
    ran = convkit.run("grade", solved, env={"TMPDIR": folder})
    assert (ran.code, ran.out) == (USED_WRONGLY, "")
    assert said in ran.err and ran.err.count("\n") == 1


def test_a_sandbox_that_nothing_is_is_a_wrong_use(convkit, solved):
    ran = convkit.run("grade", solved, env={"CONVKIT_SANDBOX": "foo"})
    assert (ran.code, ran.out) == (USED_WRONGLY, "")
    assert ran.err.startswith("CONVKIT_SANDBOX is 'none', ") and ran.err.endswith("not 'foo'.\n")


@pytest.mark.parametrize("value", ["0", "63", "1e3", "-5", "512 ", "much"])
def test_a_limit_of_memory_that_is_none_is_a_wrong_use(convkit, solved, value):
    ran = convkit.run("grade", solved, env={"CONVKIT_MEMORY_MIB": value})
    says = f'CONVKIT_MEMORY_MIB must be an integer of at least 64, not "{value}".\n'
    assert (ran.code, ran.out, ran.err) == (USED_WRONGLY, "", says)


def test_a_submission_may_ask_for_the_locale_of_the_environment(convkit, handed_in):
    body = (
        'std::printf("%s %s\\n", std::setlocale(LC_ALL, ""), std::locale("").name().c_str());\n'
        'std::setlocale(LC_ALL, "C");'
    )
    prelude = "#include <clocale>\n#include <cstdio>\n#include <locale>\n"
    files = changed("dense.cpp", "softmax_forward", body, prelude)
    folder = handed_in(files)
    for name in ("C.UTF-8", "de_XX.UTF-8"):  # the second is installed nowhere
        ran = convkit.grade(folder, env={"LC_ALL": name, "LANG": name})
        (case,) = [c for c in ran.cases_of("softmax_forward") if c["name"] == "softmax"]
        assert case["status"] == "WRONG", case["message"]  # it wrote nothing
        assert re.fullmatch(r"(C.UTF-8|C) \1\n", case["printed"])


def test_a_compiler_that_compiles_nothing_costs_no_points(convkit, solved):
    ran = convkit.grade(solved, env={"CXX": "/bin/false"})
    assert ran.code == GRADER_FAILED
    assert ran.stage["status"] == "GRADER_ERROR"
    assert ran.stage["pending_points"] == ran.stage["max_points"]
    assert "/bin/false cannot compile an empty program" in ran.stage["message"]


def stand_in(folder: Path, name: str, script: str) -> str:
    """PATH with a program that runs `script` before the real one."""
    real = shutil.which(name)
    if not real:
        pytest.skip(f"{name} is not installed")
    folder.mkdir(mode=0o755)
    (folder / name).write_text(f'#!/bin/sh\n{script}\nexec {real} "$@"\n')
    (folder / name).chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def test_an_interruption_while_the_sandbox_is_tried_names_no_sandbox(convkit, solved, tmp_path):
    path = stand_in(tmp_path / "bin", "bwrap", "kill -INT $PPID; sleep 1")
    ran = convkit.grade(solved, env={"PATH": path})
    assert ran.code == INTERRUPTED
    assert ran.result["interrupted"] is True and ran.result["sandbox"] == ""
    assert ran.result["stages"] == []
    file = convkit.home / "result.json"
    again = convkit.run("grade", solved, "--no-speed", "--resume", "--json", file)
    assert again.code == PASSED, again.err
    assert json.loads(file.read_text())["points"] == 80


def test_a_trial_of_the_sandbox_that_is_killed_is_repeated(convkit, solved, tmp_path):
    whole = convkit.grade(solved).result["sandbox"]
    marks = tmp_path / "marks"
    path = stand_in(
        tmp_path / "bin", "bwrap", f"[ -e {marks} ] || {{ touch {marks}; kill -9 $$; }}"
    )
    assert convkit.grade(solved, env={"PATH": path}).result["sandbox"] == whole
    path = stand_in(tmp_path / "always", "bwrap", "kill -9 $$")
    ran = convkit.run("grade", solved, env={"PATH": path})
    assert ran.code == GRADER_FAILED
    assert "The sandbox cannot be measured: its trial program was ended by signal 9" in ran.err
