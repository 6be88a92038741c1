# SPDX-License-Identifier: MIT
"""Who is in the class: a CSV file, and whom the name of a submission means."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import defaultdict
from dataclasses import fields
from pathlib import Path

from .book import Student
from .errors import UsageError

# Columns by what exports of other systems call them, in lower case.
_COLUMNS = {
    "login": "login",
    "user": "login",
    "username": "login",
    "sis login id": "login",
    "login id": "login",
    "name": "name",
    "student": "name",
    "full name": "name",
    "email": "email",
    "email address": "email",
    "lms_id": "lms_id",
    "id": "lms_id",
    "canvas_id": "lms_id",
    "moodle_id": "moodle_id",
    "github": "github",
    "github_username": "github",
    "team": "team",
    "group": "team",
    "nickname": "nickname",
}
_FIRST, _LAST = ("first name", "firstname", "given name"), ("last name", "surname", "lastname")


def read_roster(file: Path) -> list[Student]:
    """The students of a CSV file with a header line. It must have a column `login`, or `email`,
    whose part before the @ is the login then."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"The roster {file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"The roster {file} is not UTF-8.") from None
    separator = (
        ";" if text.split("\n", 1)[0].count(";") > text.split("\n", 1)[0].count(",") else ","
    )
    rows = csv.DictReader(text.splitlines(), delimiter=separator)
    students: dict[str, Student] = {}
    for row in rows:
        student = _student(row)
        if not any(value and str(value).strip() for value in row.values()):
            continue
        if not student.login:
            raise UsageError(
                f"{file}:{rows.line_num}: there is no login; a roster needs a column `login` or "
                "`email`."
            )
        if student.login in students:
            raise UsageError(f"{file}:{rows.line_num}: the login {student.login} is there twice.")
        students[student.login] = student
    if not students:
        raise UsageError(f"The roster {file} names no students.")
    return list(students.values())


def _student(row: dict[str, str]) -> Student:
    cells = {str(key).strip().lower(): str(value or "").strip() for key, value in row.items()}
    values = {field.name: "" for field in fields(Student)} | {"listed": 1}
    for column, name in _COLUMNS.items():
        if cells.get(column) and not values[name]:
            values[name] = cells[column]
    first = next((cells[c] for c in _FIRST if cells.get(c)), "")
    last = next((cells[c] for c in _LAST if cells.get(c)), "")
    if not values["name"]:
        values["name"] = f"{first} {last}".strip()
    if not values["login"]:
        values["login"] = values["email"].split("@")[0]
    return Student(**values)


def plain(text: str) -> str:
    """Letters and digits alone, without accents, in lower case: as Canvas writes names."""
    bare = unicodedata.normalize("NFKD", text)
    return re.sub(r"[\W_]", "", "".join(c for c in bare if not unicodedata.combining(c))).casefold()


class Roster:
    """Finds the one student whom a name, a number or an address means."""

    def __init__(self, students: list[Student]):
        self.students = students
        self._by: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for student in students:
            for kind in ("login", "email", "lms_id", "moodle_id", "github"):
                if value := getattr(student, kind):
                    self._by[kind][value.casefold()].add(student.login)
            if student.email:
                self._by["login"][student.email.split("@")[0].casefold()].add(student.login)
            words = [w for w in re.split(r"[\s,]+", student.name) if w]
            # Canvas puts the last name first; where a first name ends nobody knows.
            for at in range(len(words)):
                self._by["name"][plain("".join(words[at:] + words[:at]))].add(student.login)

    def __bool__(self) -> bool:
        return bool(self.students)

    def find(self, ids: dict[str, str]) -> str | None:
        """`ids`: what is known, by kind (login, email, lms_id, moodle_id, github, name). None:
        nobody, or several."""
        for kind in ("moodle_id", "lms_id", "email", "login", "github", "name"):
            value = ids.get(kind, "")
            key = plain(value) if kind == "name" else value.casefold()
            found = self._by[kind].get(key, set()) if key else set()
            if len(found) == 1:
                return next(iter(found))
        return None

    def login_at_the_front(self, name: str) -> str | None:
        """Of "jdoe-second_try": the longest login that a separator follows."""
        parts = re.split(r"([-_. ])", name)
        for end in range(len(parts), 0, -2):
            if login := self.find({"login": "".join(parts[:end])}):
                return login
        return None
