# SPDX-License-Identifier: MIT
"""Failing cases by what is wrong: a cause is told once, with the cases that it explains."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .document import Case


@dataclass
class Cause:
    """`first` is the simplest case that shows it: stages list simple cases first."""

    first: Case
    cases: list[Case] = field(default_factory=list)


@dataclass
class Failing:
    """Of one stage."""

    # Known mistakes, and the first case of each function that fails for no known reason.
    causes: list[Cause]
    # The other cases of such functions, each with numbers of its own.
    more: dict[str, list[Cause]]
    hidden: dict[tuple[str, str], list[Case]]  # by function and status
    not_started: list[str]  # functions
    unjudged: list[Cause]  # SKIPPED, PENDING and GRADER_ERROR, by their reason


def failing(cases: list[Case]) -> Failing:
    visible = [c for c in cases if c.fails and not c.hidden]
    cases = _without_secrets(cases)
    causes, more, functions = [], {}, set()
    for cause in _grouped((c, _cause_of(c)) for c in visible):
        first = cause.first
        if not first.mistake and (first.op, first.status) in functions:
            more.setdefault(first.op, []).append(cause)
            continue
        if not first.mistake:
            functions.add((first.op, first.status))
        causes.append(cause)
    hidden: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        if case.fails and case.hidden:
            hidden.setdefault((case.op, case.status), []).append(case)
    return Failing(
        causes,
        more,
        hidden,
        list(dict.fromkeys(c.op for c in cases if c.status == "NOT_STARTED")),
        _grouped(
            (c, (c.status, c.hidden, "" if c.hidden else c.message))
            for c in cases
            if c.status in ("SKIPPED", "PENDING", "GRADER_ERROR")
        ),
    )


def _without_secrets(cases: list[Case]) -> list[Case]:
    """What a student may know of hidden cases: their public sentence, or of a result that was made
    with --reveal-hidden, which does not hold it, nothing. Such a result says nothing of a hidden
    case that passed; others say its sentence."""
    hidden = [c for c in cases if c.hidden]
    revealed = any(
        c.mistake or c.hint or c.map or c.printed or (c.status == "PASS" and not c.message)
        for c in hidden
    )
    return [
        Case(c.name, c.status, c.group, c.task, c.op, "" if revealed else c.message, hidden=True)
        if c.hidden
        else c
        for c in cases
    ]


def _cause_of(case: Case) -> tuple:
    """As the terminal's report groups them (grader/report/report_terminal.cpp); without a known
    mistake, cases that say the same. What does not build is one cause, whoever needs it."""
    if case.status == "BUILD_FAILED":
        return case.status, case.message
    same = case.message if not case.mistake else explanation(case) if _is_formula(case) else ""
    return case.op, case.status, case.mistake, case.hint, same


def explanation(case: Case) -> str:
    """What a known mistake is, in words: the last line of its message."""
    return case.message.strip().rsplit("\n", 1)[-1] if case.mistake else ""


def _is_formula(case: Case) -> bool:
    """The output is that of another formula, which the explanation names."""
    return case.mistake == "formula"


def short_name(case: Case) -> str:
    """Of a known mistake, else ''."""
    if not _is_formula(case):
        return case.mistake.replace("_", " ")
    head = explanation(case).split(": `")[0]
    return head if len(head) < 80 else "another formula"


def _grouped(cases: Iterable[tuple[Case, tuple]]) -> list[Cause]:
    found: dict[tuple, Cause] = {}
    for case, key in cases:
        found.setdefault(key, Cause(case)).cases.append(case)
    return list(found.values())
