# SPDX-License-Identifier: MIT
"""The book of a class: an SQLite file (schema.sql), safe against kill -9 and power cuts."""

from __future__ import annotations

import json
import re
import secrets
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import datetime, timezone
from pathlib import Path

from .errors import UsageError

_SCHEMA = Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")
# What each version has added, from the first.
_PARTS = re.split(r"^-- Version \d+:.*$", _SCHEMA, flags=re.M)[1:]
VERSION = len(_PARTS)


def now() -> str:
    return utc(datetime.now(timezone.utc))


def utc(time: datetime) -> str:
    return time.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def parsed(time: str) -> datetime:
    return datetime.strptime(time, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)


@dataclass(frozen=True)
class Student:
    login: str
    name: str = ""
    email: str = ""
    lms_id: str = ""
    github: str = ""
    team: str = ""
    nickname: str = ""
    listed: int = 0
    moodle_id: str = ""


@dataclass(frozen=True)
class Submission:
    id: int
    login: str | None  # None: nobody in the roster
    claimed: str
    source: str
    sha256: str
    handed_in: str


@dataclass(frozen=True)
class Grading:
    id: int
    submission: int
    state: str
    device: str
    stages: str
    depends: str
    started: str
    ended: str
    seconds: float
    timing_s: float
    exit_code: int | None
    document: str
    error: str

    def result(self) -> dict:
        return json.loads(self.document)


@dataclass(frozen=True)
class Repeat:
    """A grading that was repeated: schema.sql explains the fields."""

    id: int
    grading: int
    kind: str
    sample: str
    reason: str
    author: str
    machine: str
    at: str
    outcome: str
    differences: str
    document: str
    error: str


class Book:
    """Every method that changes something has changed it on the disk when it returns."""

    def __init__(self, file: Path, create: bool = False):
        if not file.exists() and not create:
            raise UsageError(f"There is no book {file}; `class grade` makes one.")
        self.file = file
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(file, isolation_level=None, timeout=60)
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0 and self._tables():
                raise UsageError(f"{file} is an SQLite file, but no book of a class.")
            if version > VERSION:
                raise UsageError(
                    f"{file} has version {version} of the book; this kit reads up to {VERSION}."
                )
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
                self._db.execute(f"PRAGMA {pragma}")
            if version < VERSION:
                self._db.executescript(
                    f"BEGIN IMMEDIATE;\n{''.join(_PARTS[version:])}\n"
                    f"PRAGMA user_version = {VERSION};\nCOMMIT;"
                )
        except sqlite3.DatabaseError as error:
            raise UsageError(f"{file} cannot be used as a book: {error}.") from None
        except OSError as error:
            raise UsageError(f"{file} cannot be made: {error.strerror}.") from None

    def close(self) -> None:
        self._db.close()

    def _tables(self) -> list[str]:
        return [name for (name,) in self._db.execute("SELECT name FROM sqlite_master")]

    def _rows(self, kind: type, where: str = "", values: Iterable = ()) -> list:
        names = ", ".join(field.name for field in fields(kind))
        rows = self._db.execute(
            f"SELECT {names} FROM {kind.__name__.lower()} {where}", tuple(values)
        )
        return [kind(*row) for row in rows]

    # Students

    def students(self) -> list[Student]:
        return self._rows(Student, "ORDER BY login")

    def student(self, login: str) -> Student:
        found = self._rows(Student, "WHERE login = ?", [login])
        if not found:
            raise UsageError(
                f"There is no student {login} in {self.file}; `class grade --roster` adds them."
            )
        return found[0]

    def put_student(self, student: Student) -> None:
        """Adds or replaces; what is '' keeps what the book has."""
        known = {s.login: s for s in self._rows(Student, "WHERE login = ?", [student.login])}
        old = known.get(student.login, Student(student.login))
        values = [getattr(student, f.name) or getattr(old, f.name) for f in fields(Student)]
        names = [f.name for f in fields(Student)]
        updates = ", ".join(f"{name} = excluded.{name}" for name in names[1:])
        self._db.execute(
            f"INSERT INTO student ({', '.join(names)}) VALUES ({', '.join('?' * len(names))}) "
            f"ON CONFLICT (login) DO UPDATE SET {updates}",
            values,
        )

    def set_nickname(self, login: str, nickname: str) -> None:
        self.student(login)
        self._db.execute("UPDATE student SET nickname = ? WHERE login = ?", [nickname, login])

    def forget(self, login: str) -> None:
        """Removes the student and all that belongs to them."""
        team = self.student(login).team
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute("DELETE FROM written WHERE login = ?", [login])
        self._db.execute("DELETE FROM student WHERE login = ?", [login])
        if not team or not self._rows(Student, "WHERE team = ?", [team]):
            self._db.execute("DELETE FROM extension WHERE who IN (?, ?)", [login, team])
        else:
            self._db.execute("DELETE FROM extension WHERE who = ?", [login])
        self._db.execute("COMMIT")
        self._db.execute("VACUUM")  # else the text stays in free pages
        self._db.execute("PRAGMA busy_timeout = 3000")
        if self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            raise UsageError(
                f"{login} is deleted, but another program reads {self.file}: until it has ended, "
                f"{self.file.name}-wal holds what was deleted."
            )

    # Submissions

    def submissions(self, login: str | None = None) -> list[Submission]:
        if login is None:
            return self._rows(Submission, "ORDER BY handed_in, id")
        return self._rows(Submission, "WHERE login = ? ORDER BY handed_in, id", [login])

    def unmatched(self) -> list[Submission]:
        return self._rows(Submission, "WHERE login IS NULL ORDER BY claimed, id")

    def add_submission(
        self, login: str | None, claimed: str, source: str, sha256: str, handed_in: str
    ) -> Submission:
        """The one that is there already, if this content was handed in before."""
        self._db.execute(
            "INSERT INTO submission (login, claimed, source, sha256, handed_in) "
            "VALUES (?, ?, ?, ?, ?) ON CONFLICT (claimed, sha256) DO UPDATE "
            "SET login = coalesce(login, excluded.login)",
            [login, claimed, source, sha256, handed_in],
        )
        return self._rows(Submission, "WHERE claimed = ? AND sha256 = ?", [claimed, sha256])[0]

    def match(self, claimed: str, login: str) -> int:
        """Says whose the unmatched submissions of this name are; how many there were."""
        self.student(login)
        return self._db.execute(
            "UPDATE submission SET login = ? WHERE claimed = ? AND login IS NULL", [login, claimed]
        ).rowcount

    # Gradings

    def gradings(self, submission: int | None = None) -> list[Grading]:
        if submission is None:
            return self._rows(Grading, "ORDER BY id")
        return self._rows(Grading, "WHERE submission = ? ORDER BY id", [submission])

    def runs(self, submission: int | None = None) -> list[Grading]:
        """As gradings(), without documents, which are most of what a book holds."""
        names = ", ".join(
            "'' AS document" if field.name == "document" else field.name
            for field in fields(Grading)
        )
        where = "" if submission is None else "WHERE submission = ?"
        values = [] if submission is None else [submission]
        rows = self._db.execute(f"SELECT {names} FROM grading {where} ORDER BY id", values)
        return [Grading(*row) for row in rows]

    def stage_results(self, grading: int) -> list[tuple[str, str, float, float, float]]:
        """(stage, status, points, max_points, pending_points)"""
        return self._db.execute(
            "SELECT stage, status, points, max_points, pending_points FROM stage_result "
            "WHERE grading = ? ORDER BY stage",
            [grading],
        ).fetchall()

    def graded_stages(self) -> list[str]:
        """The ids of all stages that a document has."""
        rows = self._db.execute("SELECT DISTINCT stage FROM stage_result ORDER BY stage")
        return [stage for (stage,) in rows]

    def grading(self, number: int) -> Grading:
        return self._rows(Grading, "WHERE id = ?", [number])[0]

    def begin(self, submission: int, device: str, stages: str) -> int:
        return self._db.execute(
            "INSERT INTO grading (submission, state, device, stages, started) "
            "VALUES (?, 'running', ?, ?, ?)",
            [submission, device, stages, now()],
        ).lastrowid

    def withdraw(self, grading: int) -> None:
        """Of a run that has only begun: nothing was started for it, so nothing is known."""
        self._db.execute("DELETE FROM grading WHERE id = ? AND state = 'running'", [grading])

    def end(
        self,
        grading: int,
        state: str,
        *,
        document: str = "",
        depends: str = "",
        exit_code: int | None = None,
        seconds: float = 0,
        timing_s: float = 0,
        error: str = "",
    ) -> None:
        """Keeps what a run has said. `seconds` and `timing_s` add to those of earlier runs."""
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute(
            "UPDATE grading SET state = ?, document = ?, depends = ?, exit_code = ?, ended = ?, "
            "seconds = seconds + ?, timing_s = timing_s + ?, error = ? WHERE id = ?",
            [state, document, depends, exit_code, now(), seconds, timing_s, error, grading],
        )
        self._db.execute("DELETE FROM stage_result WHERE grading = ?", [grading])
        for stage in json.loads(document)["stages"] if document else []:
            self._db.execute(
                "INSERT INTO stage_result VALUES (?, ?, ?, ?, ?, ?)",
                [
                    grading,
                    stage["id"],
                    stage["status"],
                    stage["points"],
                    stage["max_points"],
                    stage["pending_points"],
                ],
            )
        self._db.execute("COMMIT")

    # Repeated gradings

    def add_repeat(self, repeat: Repeat) -> int:
        """Its number; `repeat.id` is not looked at."""
        names = [f.name for f in fields(Repeat)][1:]
        return self._db.execute(
            f"INSERT INTO repeat ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
            [getattr(repeat, name) for name in names],
        ).lastrowid

    def repeats(self, grading: int | None = None) -> list[Repeat]:
        if grading is None:
            return self._rows(Repeat, "ORDER BY id")
        return self._rows(Repeat, "WHERE grading = ? ORDER BY id", [grading])

    # What leaves the book

    def secret(self, name: str) -> bytes:
        """Drawn once, and the same from then on."""
        self._db.execute(
            "INSERT OR IGNORE INTO secret VALUES (?, ?)", [name, secrets.token_hex(32)]
        )
        row = self._db.execute("SELECT value FROM secret WHERE name = ?", [name]).fetchone()
        return bytes.fromhex(row[0])

    def wrote(self, file: Path, kind: str, login: str = "") -> None:
        """Remembers a file that names students."""
        self._db.execute(
            "INSERT OR REPLACE INTO written VALUES (?, ?, ?)", [str(file.resolve()), kind, login]
        )

    def written(self) -> list[tuple[Path, str, str]]:
        """(file, kind, login), also of files that are gone."""
        rows = self._db.execute("SELECT file, kind, login FROM written ORDER BY file")
        return [(Path(file), kind, login) for file, kind, login in rows]

    def unwrote(self, file: Path) -> None:
        self._db.execute("DELETE FROM written WHERE file = ?", [str(file)])

    # What people add

    def add_manual(self, login: str, stage: str, points: float, reason: str, author: str) -> None:
        self.student(login)
        self._db.execute(
            "INSERT INTO manual (login, stage, points, reason, author, at) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            [login, stage, points, reason, author, now()],
        )

    def manual(self, login: str) -> list[tuple[str, float, str, str, str]]:
        """(stage, points, reason, author, at)"""
        return self._db.execute(
            "SELECT stage, points, reason, author, at FROM manual WHERE login = ? ORDER BY id",
            [login],
        ).fetchall()

    def extend(self, who: str, stage: str, until: str, reason: str) -> None:
        if not self._rows(Student, "WHERE login = ? OR team = ?", [who, who]):
            raise UsageError(f"There is no student or team {who} in {self.file}.")
        self._db.execute(
            "INSERT OR REPLACE INTO extension VALUES (?, ?, ?, ?)", [who, stage, until, reason]
        )

    def extension(self, student: Student, stage: str) -> str | None:
        """The later of the student's own and the team's; UTC."""
        row = self._db.execute(
            "SELECT max(until) FROM extension WHERE stage = ? AND who IN (?, ?) AND who != ''",
            [stage, student.login, student.team],
        ).fetchone()
        return row[0]
