# SPDX-License-Identifier: MIT
"""The mistakes that many of a class make: what to teach again, and to whom."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..book import Student
from .bars import parts_bar
from .causes import explanation, failing, short_name
from .document import Stage
from .frame import count, folded, name, words
from .markup import Markup, joined, tag

_FEW = 8  # students who are named at once; the others are folded
_MOST_MISTAKES = 12  # of a stage, before the others are folded
_STATUSES = {
    "WRONG": "wrong, for no known reason",
    "CRASHED": "crashes",
    "TIMED_OUT": "takes too long",
    "LIMIT": "goes over a limit",
    "POLICY": "calls what is not allowed",
    "BUILD_FAILED": "does not build",
}


@dataclass
class Mistake:
    """Students whose attempt that counts makes it."""

    function: str
    what: str  # its name, or how the function fails where no mistake is known
    explanation: str  # '' where no mistake is known
    message: str  # as the first of them reads it
    hint: str
    students: list[Student] = field(default_factory=list)

    @property
    def key(self) -> tuple[str, str]:
        return self.function, self.what


def mistakes_of(judged: dict[str, Stage], students: dict[str, Student]) -> list[Mistake]:
    """What went wrong in a stage, what most students made first. A student counts once."""
    found: dict[tuple[str, str], Mistake] = {}
    for login, stage in judged.items():
        for mistake in {m.key: m for m in _mistakes_in(stage)}.values():
            found.setdefault(mistake.key, mistake).students.append(students[login])
    return sorted(found.values(), key=lambda m: (-len(m.students), not m.explanation, *m.key))


def _mistakes_in(stage: Stage) -> list[Mistake]:
    mistakes = []
    for cause in failing(stage.cases).causes:
        case = cause.first
        # Whoever calls what does not build makes no mistake.
        function = case.op if case.status != "BUILD_FAILED" else ""
        what = short_name(case) or _STATUSES.get(case.status, case.status)
        mistakes.append(Mistake(function, what, explanation(case), case.message, case.hint))
    if not mistakes and stage.status in _STATUSES:
        mistakes.append(Mistake("", _STATUSES[stage.status], "", stage.message, ""))
    return mistakes


def mistakes_part(
    judged: dict[str, dict[str, Stage]], students: list[Student], links: dict[str, str], named: int
) -> Markup | None:
    """`judged`: by stage and login. `links`: from login to the address of the student's page.
    `named`: of how many students a mistake tells the names."""
    by_login = {student.login: student for student in students}
    parts = []
    for stage, of_stage in judged.items():
        mistakes = mistakes_of(of_stage, by_login)
        if not mistakes:
            continue
        items = [_mistake(mistake, len(of_stage), links, named) for mistake in mistakes]
        first, rest = items[:_MOST_MISTAKES], items[_MOST_MISTAKES:]
        parts.append(tag("h3", stage))
        parts.append(tag("ol", first, class_="mistakes"))
        if rest:
            more = tag("ol", rest, class_="mistakes", start=len(first) + 1)
            parts.append(folded(count(len(rest), "more mistake"), more))
    if not parts:
        return None
    about = "What most students get wrong comes first; of each student, the attempt that counts."
    return joined(tag("p", about, class_="aside"), parts)


def _mistake(mistake: Mistake, of: int, links: dict[str, str], named: int) -> Markup:
    students = mistake.students
    more = _listed(students[_FEW:named], links)
    if len(students) > max(named, _FEW):
        more += [f" and {len(students) - max(named, _FEW)} more"]
    message = tag("p", words(mistake.message), class_="message", dir="auto")
    hint = [tag("b", "Hint: "), words(mistake.hint)]
    function = [tag("code", mistake.function), ": "] if mistake.function else None
    return tag(
        "li",
        tag(
            "div",
            tag("b", count(len(mistake.students), "student")),
            parts_bar([("part-wrong", len(mistake.students))], of),
            class_="how-many",
        ),
        tag(
            "div",
            tag("h4", function, words(mistake.what)),
            tag("p", words(mistake.explanation)) if mistake.explanation else None,
            tag("p", _listed(students[:_FEW], links), class_="who"),
            folded(f"{len(students) - _FEW} more", tag("p", more, class_="who")) if more else None,
            folded(
                "What the first of them reads",
                message,
                tag("p", hint, class_="hint", dir="auto") if mistake.hint else None,
            ),
        ),
    )


def _listed(students: list[Student], links: dict[str, str]) -> list[object]:
    listed: list[object] = []
    for student in students:
        listed += [", "] * bool(listed) + [student_link(student, links)]
    return listed


def student_link(student: Student, links: dict[str, str]) -> Markup:
    return tag("a", name(student.name or student.login), href=links[student.login])
