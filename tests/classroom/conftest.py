# SPDX-License-Identifier: MIT
"""A class of its own for each test, graded by a program that stands in for `convkit grade`."""

import json
import os
import sys
from datetime import datetime
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "classroom"), str(ROOT / "tests/end_to_end")]

from convkit_class.cli import main  # noqa: E402
from html_page import read_page  # noqa: E402


class ClassRoom:
    """A folder of submissions, a book, and the commands."""

    def __init__(self, folder: Path, monkeypatch):
        self.folder, self.submissions = folder, folder / "handed in"
        self.submissions.mkdir()
        self.book = folder / "course.db"
        self.calls_file = folder / "calls"
        program = folder / "convkit"
        program.write_text(
            f"#!{sys.executable}\n{Path(__file__).with_name('stand_in.py').read_text()}"
        )
        program.chmod(0o755)
        self.environment = {
            "CONVKIT_PROGRAM": str(program),
            "CONVKIT_ROOT": str(self.kit(folder / "kit")),
            "CALLS": str(self.calls_file),
        }
        self._monkeypatch = monkeypatch
        for name, value in self.environment.items():
            self.set(name, value)

    @staticmethod
    def kit(root: Path) -> Path:
        for stage in ("01_cpu_conv", "02_direct_conv"):
            (root / "assignments" / stage).mkdir(parents=True)
            (root / "assignments" / stage / "stage.toml").write_text(
                "[[group]]\npoints = 80\n[[speed]]\npoints = 20\n"
            )
        return root

    def set(self, name: str, value: str) -> None:
        self.environment[name] = value
        self._monkeypatch.setenv(name, value)

    def course(self, text: str) -> None:
        (self.folder / "kit/course.toml").write_text(text)

    def hand_in(self, name: str, at: str = "", **told) -> Path:
        """`at`: when, "2026-10-15T23:59:00+00:00"."""
        file = self.submissions / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"points": 80} | told))
        if at:
            seconds = datetime.fromisoformat(at).timestamp()
            os.utime(file, (seconds, seconds))
        return file

    def roster(self, text: str) -> Path:
        file = self.folder / "roster.csv"
        file.write_text(text)
        return file

    def run(self, *words: object) -> int:
        command, *rest = map(str, words)
        return main([command, "--book", str(self.book), *rest])

    def grade(self, *words: object) -> int:
        return self.run("grade", self.submissions, *words)

    def calls(self) -> list[list[str]]:
        """Of `grade`, since the last time this was asked."""
        text = self.calls_file.read_text() if self.calls_file.exists() else ""
        self.calls_file.write_text("")
        return [c for line in text.splitlines() if (c := json.loads(line))[0] == "grade"]


@pytest.fixture
def room(tmp_path, monkeypatch):
    return ClassRoom(tmp_path, monkeypatch)


STAGE_TOML = """
[[task]]
id = "01.1"
title = "Convolution, forward"
[[group]]
points = 80
[[speed]]
name = "fast"
points = 20
none = 1.0
full = 16.0
"""


@pytest.fixture
def report(room):
    """Of one document: its page."""
    (room.folder / "kit/assignments/01_cpu_conv/stage.toml").write_text(STAGE_TOML)

    def page_of(document):
        file, out = room.folder / "result.json", room.folder / "page.html"
        file.write_text(json.dumps(document))
        assert room.run("report", "--result", file, "--out", out) == 0
        return read_page(out.read_text(encoding="utf-8"))

    return page_of


@pytest.fixture
def pages(room):
    """Of the class: the page of staff, or that of a student."""
    (room.folder / "kit/assignments/01_cpu_conv/stage.toml").write_text(STAGE_TOML)

    def page_of(login=None):
        out = room.folder / "pages"
        assert room.run("report", "--out", out) == 0
        file = out / f"students/{login}.html" if login else out / "index.html"
        return read_page(file.read_text(encoding="utf-8"))

    return page_of
