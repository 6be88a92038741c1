# SPDX-License-Identifier: MIT
"""Writes the pages of a class into a folder."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from ..book import Book, Student
from ..errors import UsageError
from ..grades import Grades
from ..policy import Policy
from .class_page import ClassData, class_page
from .stage_part import Course
from .student_page import student_page

_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")


def write_class(
    book: Book, policy: Policy, stages: dict[str, float], courses: dict[str, Course], out: Path
) -> int:
    """index.html, and students/NAME.html for each; how many students there are. Pages of students
    that the book no longer has are removed."""
    grades = Grades(book, policy)
    everyone = grades.all()
    files = page_names([grade.student for grade in everyone])
    folder = out / "students"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.html"):
            if old.name not in files.values() and is_ours(old):
                old.unlink()
        for grade in everyone:
            text = student_page(book, grades, grade, policy, stages, courses)
            (folder / files[grade.student.login]).write_text(text, encoding="utf-8")
            book.wrote(folder / files[grade.student.login], "page", grade.student.login)
        links = {login: f"students/{file}" for login, file in files.items()}
        data = ClassData(book, everyone, stages, policy)
        (out / "index.html").write_text(class_page(data, links, courses), encoding="utf-8")
        book.wrote(out / "index.html", "class page")
    except OSError as error:
        raise UsageError(f"{error.filename or out} cannot be written: {error.strerror}.") from None
    return len(everyone)


def is_ours(file: Path) -> bool:
    """Whether a command of this package has written it."""
    with file.open(encoding="utf-8", errors="replace") as text:
        return '<meta name="generator" content="convkit class ' in text.read(4096)


def page_names(students: list[Student]) -> dict[str, str]:
    """A file name for each login: the login where that is a name on every system, else what is left
    of it and a hash."""
    names: dict[str, str] = {}
    for student in sorted(students, key=lambda s: not _PLAIN.fullmatch(s.login)):
        stem = student.login
        if not _PLAIN.fullmatch(stem):
            kept = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:40]
            digest = hashlib.sha256(stem.encode("utf-8", "surrogatepass")).hexdigest()
            stem = f"{kept}-{digest[:12]}".lstrip("-")
        while f"{stem}.html" in names.values():
            stem += "-"
        names[student.login] = f"{stem}.html"
    return names
