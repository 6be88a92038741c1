# SPDX-License-Identifier: MIT
"""A small class with the real program: a solution, a starter, and what is no submission."""

import os
import shutil
import subprocess
import zipfile

import pytest
from conftest import ROOT
from convkit_class.book import Book
from driver import Convkit


@pytest.fixture
def handed_in(tmp_path):
    folder = tmp_path / "download"
    for name, source in (("Ann Bell_1", "solutions"), ("Bob Coe_2", "starter")):
        archive = folder / f"{name}_assignsubmission_file_" / "work.zip"
        archive.parent.mkdir(parents=True)
        with zipfile.ZipFile(archive, "w") as packed:
            for file in sorted((ROOT / source / "01_cpu_conv").iterdir()):
                packed.write(file, f"01_cpu_conv/{file.name}")
    broken = folder / "Eve Day_3_assignsubmission_file_" / "essay.zip"
    broken.parent.mkdir()
    broken.write_bytes(b"PK\3\4 and no more")
    return folder


def test_a_download_of_moodle_becomes_grades(tmp_path, handed_in):
    user = Convkit(tmp_path, tmp_path / "cache")
    if kept := os.environ.get("CONVKIT_TEST_CACHE"):  # objects that another suite has compiled
        shutil.copytree(kept, tmp_path / "cache", dirs_exist_ok=True)
    roster = tmp_path / "roster.csv"
    roster.write_text("login,name\nann,Ann Bell\nbob,Bob Coe\neve,Eve Day\n")
    book = tmp_path / "course.db"
    words = ("class", "grade", handed_in, "--book", book, "--roster", roster, "--no-speed")
    ran = user.run(*words, timeout=300)
    assert ran.code == 0, ran.out + ran.err
    assert "3 submissions: 3 graded, 0 failed, 0 open." in ran.out
    shown = user.run("class", "show", "--book", book)
    assert [line.split() for line in shown.out.splitlines()] == [
        ["login", "01", "pending", "percent"],
        ["ann", "80", "20", "80"],
        ["bob", "0", "0"],
        ["eve", "-", "0"],
    ]
    results = [g.result() for g in Book(book).gradings()]
    assert results[2]["error"].startswith("`essay.zip` is a zip whose end is missing")
    assert results[0]["depends"]["device"] == "cpu"
    assert user.run("class", "report", "--book", book, "--out", "pages").code == 0
    assert sorted(file.name for file in tmp_path.glob("pages/**/*.html")) == [
        "ann.html",
        "bob.html",
        "eve.html",
        "index.html",
    ]
    again = user.run(*words, "--regrade-changed", timeout=300)
    assert again.code == 0
    assert len(Book(book).gradings()) == 3


def test_speed_can_be_measured_later(tmp_path):
    user = Convkit(tmp_path, tmp_path / "cache")
    submission = ROOT / "solutions/01_cpu_conv"
    ran = user.judge("grade", submission, "--speed-later", timeout=300)
    assert (ran.result["points"], ran.result["pending_points"]) == (80, 20)
    assert (tmp_path / "result.json.journal").exists()
    resumed = user.run("grade", submission, "--json", "result.json", "--resume", timeout=300)
    assert "20 of 20" in resumed.out or "20.0" in resumed.out, resumed.out
    assert not (tmp_path / "result.json.journal").exists()


def test_the_commands_of_a_class_are_explained_and_mistakes_are_said(tmp_path):
    user = Convkit(tmp_path, tmp_path / "cache")
    assert "grade" in user.run("class", "--help").out
    assert user.run("class").code == 2
    ran = user.run("class", "show")
    assert (ran.code, ran.err) == (2, "There is no book course.db; `class grade` makes one.\n")


def test_a_copy_for_students_cannot_grade_a_class(tmp_path):
    user = Convkit(tmp_path, tmp_path / "cache")
    kit = tmp_path / "kit"
    kit.mkdir()
    for part in ("assignments", "starter", "reference_data", "course.toml", "VERSION", "datasets"):
        if (ROOT / part).exists():
            (kit / part).symlink_to(ROOT / part)
    ran = user.run("class", "show", env={"CONVKIT_ROOT": str(kit)})
    assert ran.code == 2, subprocess.list2cmdline([ran.out, ran.err])
    assert "This copy of the kit is for students" in ran.err
