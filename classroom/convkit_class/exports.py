# SPDX-License-Identifier: MIT
"""Grades as files that spreadsheets and other systems read."""

from __future__ import annotations

import base64
import csv
import hashlib
import hmac
import io
import json
from collections.abc import Callable

from .book import Book, Student
from .errors import UsageError
from .grades import StudentGrade, weighted_percent
from .judged_by import judged_by
from .policy import Policy


class Exported:
    """What an export is made of. `stages`: the points of each, by id."""

    def __init__(
        self,
        book: Book,
        grades: list[StudentGrade],
        stages: dict[str, float],
        policy: Policy,
        anonymous: bool = False,
    ):
        self.book, self.grades, self.stages, self.policy = book, grades, stages, policy
        self.anonymous = anonymous
        if anonymous:
            names = pseudonyms(book, [grade.student.login for grade in grades])
            for grade in grades:
                grade.student = Student(names[grade.student.login])
            # The order of logins would tell who is who.
            grades.sort(key=lambda grade: grade.student.login)

    def pending(self, grade: StudentGrade) -> float:
        return round(sum(g.score.pending for s, g in grade.stages.items() if s in self.stages), 2)


def _table(rows: list[list[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _text(value: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return "'" + value if value[:1] in ("=", "+", "-", "@", "\t") else value


def to_csv(data: Exported) -> str:
    rows: list[list[object]] = [["login", "name", "team", *data.stages, "pending", "percent"]]
    for grade in data.grades:
        student = grade.student
        rows.append(
            [
                _text(student.login),
                _text(student.name),
                _text(student.team),
                *(f"{grade.points(stage):g}" for stage in data.stages),
                f"{data.pending(grade):g}",
                f"{weighted_percent(grade, data.policy, data.stages):g}",
            ]
        )
    return _table(rows)


def to_canvas(data: Exported) -> str:
    """Canvas: Grades, Import. A stage's column becomes the assignment of that name."""
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *data.stages]
    rows: list[list[object]] = [
        head,
        ["    Points Possible", "", "", "", "", *(f"{p:g}" for p in data.stages.values())],
    ]
    for grade in data.grades:
        student = grade.student
        names = student.name.split()
        name = f"{names[-1]}, {' '.join(names[:-1])}" if len(names) > 1 else student.name
        points = [f"{grade.points(stage):g}" for stage in data.stages]
        rows.append([name or student.login, student.lms_id, "", student.login, "", *points])
    return _table(rows)


def to_moodle(data: Exported) -> str:
    """Moodle: Upload grading worksheet, of one assignment."""
    if len(data.stages) != 1:
        raise UsageError("Moodle takes one assignment at a time: name it with --stage.")
    ((stage, most),) = data.stages.items()
    head = ["Identifier", "Full name", "Email address", "Grade", "Maximum Grade"]
    rows: list[list[object]] = [[*head, "Feedback comments"]]
    for grade in data.grades:
        student = grade.student
        counts = grade.stages.get(stage)
        number = student.moodle_id or student.lms_id
        words = (
            f"{counts.score.status}, attempt {counts.attempt}" if counts else "nothing handed in"
        )
        rows.append(
            [
                f"Participant {number}" if number else "",
                student.name,
                student.email,
                f"{grade.points(stage):.2f}",
                f"{most:.2f}",
                words,
            ]
        )
    return _table(rows)


def to_gradescope(data: Exported) -> str:
    """As Gradescope exports the grades of an assignment: by name, number and e-mail address."""
    rows: list[list[object]] = [
        ["First Name", "Last Name", "SID", "Email", *data.stages, "Total Score", "Max Points"]
    ]
    for grade in data.grades:
        names = grade.student.name.split()
        points = [grade.points(stage) for stage in data.stages]
        rows.append(
            [
                " ".join(names[:-1]),
                names[-1] if names else grade.student.login,
                grade.student.login,
                grade.student.email,
                *(f"{p:g}" for p in points),
                f"{sum(points):g}",
                f"{sum(data.stages.values()):g}",
            ]
        )
    return _table(rows)


def to_json(data: Exported) -> str:
    students = [
        {
            "login": grade.student.login,
            "name": grade.student.name,
            "team": grade.student.team,
            "percent": weighted_percent(grade, data.policy, data.stages),
            "stages": {stage: _stage(data, grade, stage) for stage in data.stages},
        }
        for grade in data.grades
    ]
    return json.dumps({"schema": "convkit-grades-1", "students": students}, indent=2) + "\n"


def _stage(data: Exported, grade: StudentGrade, stage: str) -> dict:
    counts = grade.stages.get(stage)
    # Free text, and what leads to a submission, could say whose it is.
    manual = [
        {"points": points, "reason": reason, "author": author, "at": at}
        for of_stage, points, reason, author, at in data.book.manual(grade.student.login)
        if of_stage == stage and not data.anonymous
    ]
    by_hand = counts.manual if counts else grade.unattempted.get(stage, 0)
    told = {"points": grade.points(stage), "status": "", "by_hand": by_hand}
    if not data.anonymous:
        told["manual"] = manual
    if counts is None:
        return told
    told |= {
        "max_points": counts.score.max_points,
        "status": counts.score.status,
        "pending_points": counts.score.pending,
        "pending": list(counts.score.parts),
        "late_factor": counts.factor,
        "attempt": counts.attempt,
        "attempts": counts.attempts,
        "judged_by": [
            judged_by(data.book.grading(number).result(), [stage])
            for number in counts.score.gradings
        ],
    }
    if not data.anonymous:
        told["submission"] = counts.submission.sha256
        told["gradings"] = list(counts.score.gradings)
    return told


# Those that are read by people who need no names.
ANONYMOUS = ("csv", "json")

FORMATS: dict[str, Callable[[Exported], str]] = {
    "csv": to_csv,
    "canvas": to_canvas,
    "moodle": to_moodle,
    "gradescope": to_gradescope,
    "json": to_json,
}


_LETTERS = 8  # of 5 bits


def pseudonyms(book: Book, logins: list[str]) -> dict[str, str]:
    """By login: "s-" and letters. They follow from the login and from a key that is drawn once and
    never leaves the book."""
    key = book.secret("pseudonyms")
    found: dict[str, str] = {}
    for login in sorted(logins):
        digest = hmac.new(key, login.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
        text = base64.b32encode(digest).decode().lower()
        length = _LETTERS
        while f"s-{text[:length]}" in found.values():
            length += 1
        found[login] = f"s-{text[:length]}"
    return found
