# SPDX-License-Identifier: MIT
"""`class forget`: deletes what the book, its files and the written pages have of a student."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from .batch import Files, locked
from .book import Book
from .errors import UsageError
from .pages.write import is_ours

_PAGES = ("page", "class page", "similarity")
_AGAIN = {"class page": "class report", "similarity": "class similar"}


def declare(command) -> None:
    """`command(name, run, about)` makes the parser."""
    forget = command("forget", _forget, "Delete a student's data: book, files, results and pages.")
    forget.add_argument("login")
    forget.add_argument(
        "--with-team-work",
        action="store_true",
        help="also what counts for the others of the team, who lose it",
    )


def _forget(options: argparse.Namespace) -> int:
    book = Book(options.book)
    lock = locked(book.file)
    try:
        _of_a_team(book, options.login, options.with_team_work)
        removed, others = _pages_with(book, options.login)
        submissions = [s.id for s in book.submissions(options.login)]
        gradings = [g.id for number in submissions for g in book.runs(number)]
        # The rows last: what a power cut leaves can be forgotten once more.
        Files(book.file).forget(submissions, gradings)
        book.forget(options.login)
    finally:
        os.close(lock)
    print(f"All that {options.book} and its files had of {options.login} is deleted.")
    for file, command in removed:
        print(f"Deleted {file}" + (f"; `{command}` writes it anew." if command else "."))
    for file in others:
        print(f"{file} may still name {options.login}: export it anew, or delete it.")
    return 0


def _of_a_team(book: Book, login: str, agreed: bool) -> None:
    team = book.student(login).team
    others = [s.login for s in book.students() if team and s.team == team and s.login != login]
    if others and book.submissions(login) and not agreed:
        raise UsageError(
            f"What {login} has handed in counts for {', '.join(others)} of team {team}, too. Let "
            "one of them hand it in again, or delete it for all with --with-team-work."
        )


def _pages_with(book: Book, login: str) -> tuple[list[tuple[Path, str]], list[Path]]:
    """(removed pages and the commands that write them anew, exports that are there)."""
    removed: list[tuple[Path, str]] = []
    exports: list[Path] = []
    for file, kind, of in book.written():
        if not file.is_file():
            book.unwrote(file)
        elif kind == "export":
            exports.append(file)
        elif kind in _PAGES and of in ("", login) and is_ours(file):
            file.unlink()
            book.unwrote(file)
            removed.append((file, _AGAIN.get(kind, "")))
    return removed, exports
