# SPDX-License-Identifier: MIT
"""The loops of docs/course.md that grade a class, run with a stand-in for convkit."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOOPS = re.findall(
    r"```sh\n((?:mkdir[^\n]*\n)?for file in .*?done\n)```",
    (ROOT / "docs/course.md").read_text(),
    re.DOTALL,
)
STAND_IN = """#!/bin/sh
while [ "$1" != --json ]; do [ "$1" = grade ] && file=$2; shift; done
echo "{\\"interrupted\\": false, \\"submission\\": \\"$file\\"}" > "$2"
"""
HANDED_IN = ["anna.jones.zip", "anna.smith.zip", "bo.tar.gz", "c.v2.tar.xz", "d.txz", "a folder.b"]
NAMES = ["anna.jones", "anna.smith", "bo", "c.v2", "d", "a folder.b"]


def test_course_md_has_both_loops():
    assert ["--resume" in loop for loop in LOOPS] == [False, True]


@pytest.mark.parametrize("loop", LOOPS, ids=["grade", "resume"])
def test_every_student_has_a_result_of_their_own(tmp_path, loop):
    (tmp_path / "submissions").mkdir()
    (tmp_path / "results").mkdir()
    for name in HANDED_IN:
        (tmp_path / "submissions" / name).write_text("")
    (tmp_path / "convkit").write_text(STAND_IN)
    (tmp_path / "convkit").chmod(0o755)
    ran = subprocess.run(["bash", "-eu"], input=loop, text=True, cwd=tmp_path, capture_output=True)
    assert ran.returncode == 0, ran.stderr
    results = {file.stem: file.read_text() for file in (tmp_path / "results").glob("*.json")}
    assert sorted(results) == sorted(NAMES)
    for name, handed_in in zip(NAMES, HANDED_IN, strict=True):
        assert f"submissions/{handed_in}" in results[name]
