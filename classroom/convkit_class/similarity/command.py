# SPDX-License-Identifier: MIT
"""`class similar`: the latest work of each student or group in each stage, compared."""

from __future__ import annotations

import re
from pathlib import Path

from ..batch import Files
from ..book import Book, Submission
from ..errors import UsageError
from ..kit import Kit
from ..live import plain_text
from .archives import Unreadable, read_sources
from .compare import Work, compare
from .page import page
from .sources import StageText
from .words import ABOUT, terminal

_OF_GRADESCOPE = re.compile(r"submission_[0-9]+")  # one folder for a group


def similar(kit: Kit, book: Book, stages: list[str], out: Path | None) -> str:
    """What the terminal shows. `stages`: ids; empty: all that somebody has handed in. The page is
    written to `out` if it is given."""
    texts = [StageText(kit.root, stage) for stage in stages or kit.points]
    works, notes = _works(book, texts)
    found = [compare(text, works[text.stage]) for text in texts if works[text.stage] or stages]
    lines = [terminal(comparison) for comparison in found]
    lines += [f"UNREAD  {plain_text(note)}" for note in notes]
    if not found:
        lines.append("Nobody has handed in a file of a stage.")
    if any(comparison.pairs for comparison in found):
        lines.append(f"\n{ABOUT[1]}")
    if out is None:
        lines.append("`--out similar.html` writes a page with the sources side by side.")
    else:
        try:
            out.write_text(page(found, notes), encoding="utf-8")
            book.wrote(out, "similarity")
        except OSError as error:
            raise UsageError(f"{out} cannot be written: {error.strerror}.") from None
        lines.append(f"{out} shows the sources side by side.")
    return "\n".join(lines)


def _works(book: Book, texts: list[StageText]) -> tuple[dict[str, list[Work]], list[str]]:
    """By stage; and a sentence for each submission that cannot be read."""
    files = Files(book.file)
    works: dict[str, list[Work]] = {text.stage: [] for text in texts}
    notes: list[str] = []
    for who, group, submissions in _people(book):
        wanted = list(texts)
        # A stage may have been handed in alone, so the latest submission need not have all.
        for submission in reversed(submissions):
            if not wanted:
                break
            try:
                sources = read_sources(files.submission(submission.id))
            except Unreadable as error:
                notes.append(f"{who}, {submission.source}: {error}")
                continue
            for text in list(wanted):
                if of_stage := text.of(sources):
                    wanted.remove(text)
                    works[text.stage].append(Work(who, of_stage, group))
    return works, notes


def _people(book: Book) -> list[tuple[str, str, list[Submission]]]:
    """(name, group, submissions, the latest last) of each student; of somebody whom nobody in the
    roster matches, the name that the submission has. What a group handed in at Gradescope, which
    the book has once for each member, is one person's, who has all their names."""
    teams = {student.login: student.team for student in book.students()}
    people: dict[str, list[Submission]] = {}
    for submission in book.submissions():
        people.setdefault(submission.login or submission.claimed, []).append(submission)
    members: dict[object, list[str]] = {}
    for who, submissions in people.items():
        together = all(_OF_GRADESCOPE.fullmatch(s.source) for s in submissions)
        key = tuple((s.source, s.sha256) for s in submissions) if together else who
        members.setdefault(key, []).append(who)
    return [
        (" + ".join(names), teams.get(names[0], ""), people[names[0]]) for names in members.values()
    ]
