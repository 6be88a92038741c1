# SPDX-License-Identifier: MIT
"""The page of a class, for staff: how far it is, what many get wrong, how fast, and who."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass, field

from ..book import Book, Student
from ..grades import StudentGrade, joined_stage, weighted_percent
from ..policy import Policy
from .bars import BINS, histogram, parts_bar, tenths
from .causes import explanation, failing, short_name
from .document import Stage, stage_of
from .frame import count, folded, moment, name, page, section, table, words
from .markup import Markup, joined, number, tag
from .speed_picture import speed_dots, times
from .stage_part import Course

_MOST_NAMED = 40  # students that a row names
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


class ClassData:
    """What the page is made of: the stages that count, of each student."""

    def __init__(
        self, book: Book, grades: list[StudentGrade], stages: dict[str, float], policy: Policy
    ):
        self.book, self.grades, self.stages, self.policy = book, grades, stages, policy
        documents = {g.id: g for g in book.gradings()}
        self.judged: dict[str, dict[str, Stage]] = {stage: {} for stage in stages}  # by login
        for grade in grades:
            for stage, counts in grade.stages.items():
                if stage in stages:
                    runs = [(n, documents[n].result()) for n in counts.score.gradings]
                    of_stage = stage_of(joined_stage(runs, stage)[0])
                    self.judged[stage][grade.student.login] = of_stage


def class_page(data: ClassData, links: dict[str, str], courses: dict[str, Course]) -> str:
    """`links`: from login to the address of the student's page."""
    book = data.book
    submissions = book.submissions()
    ended = max((g.ended for g in book.gradings() if g.ended), default="")
    lead = [
        tag("p", "Report of the class, for staff", class_="kind"),
        tag("h1", name(book.file.name)),
        tag(
            "p",
            f"{count(len(data.grades), 'student')}, {count(len(submissions), 'submission')}",
            [", graded until ", moment(ended)] if ended else None,
            class_="aside",
        ),
    ]
    parts = [
        ("attention", "Needs attention", _attention(book)),
        ("progress", "Progress", _progress(data)),
        ("points", "Distribution of points", _distribution(data)),
        ("mistakes", "What to teach again", _mistakes(data, links)),
        ("speed", "Speed", _speeds(data, courses)),
        ("students", "Students", _students(data, links)),
    ]
    shown = [(id_, title, body) for id_, title, body in parts if body]
    body = [section(id_, title, body) for id_, title, body in shown]
    toc = [(id_, title) for id_, title, _ in shown]
    return page(f"Class: {book.file.name}", lead, body, toc, script="sort.js")


def _attention(book: Book) -> Markup | None:
    unmatched = [
        tag("li", name(s.claimed), ": ", tag("code", f'./convkit class match "{s.claimed}" LOGIN'))
        for s in book.unmatched()
    ]
    failed, unread = [], []
    for submission in book.submissions():
        gradings = book.gradings(submission.id)
        if not gradings:
            continue
        last, who = gradings[-1], tag("b", name(submission.login or submission.claimed))
        if last.state == "failed":
            failed.append(tag("li", who, f", {submission.source}: ", words(last.error)))
        elif last.document and (error := last.result().get("error")):
            unread.append(tag("li", who, f", {submission.source}: ", words(error)))
    lists = [
        ("Submissions that match nobody in the roster", unmatched),
        ("Gradings that failed: run the same command again", failed),
        ("Submissions that cannot be read", unread),
    ]
    found = [joined(tag("h3", title), tag("ul", items)) for title, items in lists if items]
    return joined(found) if found else None


def _progress(data: ClassData) -> Markup | None:
    rows = []
    for stage, most in data.stages.items():
        of_stage = [g.stages[stage] for g in data.grades if stage in g.stages]
        passing = sum(g.score.status in ("PASS", "SLOW") for g in of_stage)
        partial = sum(g.score.status not in ("PASS", "SLOW") and g.points > 0 for g in of_stage)
        nothing = len(of_stage) - passing - partial
        middle = number(statistics.median(g.points for g in of_stage)) if of_stage else "-"
        kinds = [("part-pass", passing), ("part-some", partial), ("part-none", nothing)]
        rows.append(
            [
                stage,
                f"{len(of_stage)} of {len(data.grades)}",
                str(passing),
                str(partial),
                str(nothing),
                f"{middle} of {number(most)}",
                parts_bar(kinds, len(data.grades)),
            ]
        )
    if not rows:
        return None
    head = [
        "Stage",
        "Handed in",
        "All cases pass",
        "Some points",
        "No points",
        "Median",
        "Of the class",
    ]
    return table("Progress by stage", head, rows, {1, 2, 3, 4, 5})


def _distribution(data: ClassData) -> Markup | None:
    figures = []
    for stage, most in data.stages.items():
        earned = [g.points(stage) for g in data.grades if stage in g.stages]
        if not earned or not most:
            continue
        shares = [points / most for points in earned]
        told = ", ".join(
            f"{n} from {10 * i} to {10 * (i + 1)} %" for i, n in enumerate(tenths(shares)) if n
        )
        ordered = sorted(earned)
        low, middle, high = (
            statistics.quantiles(ordered, n=4, method="inclusive")
            if len(ordered) > 1
            else ordered * 3
        )
        figures.append(
            tag(
                "figure",
                histogram(shares, f"Students by share of the points of {stage}: {told}."),
                tag(
                    "figcaption",
                    tag("b", stage),
                    f": {count(len(earned), 'student')}; quartiles "
                    f"{number(low)}, {number(middle)}, {number(high)} of {number(most)} points",
                ),
            )
        )
    if not figures:
        return None
    about = f"Those who handed in, by their share of a stage's points, in {BINS} equal steps."
    return joined(tag("p", about, class_="aside"), tag("div", figures, class_="figures"))


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


def _mistakes(data: ClassData, links: dict[str, str]) -> Markup | None:
    students = {grade.student.login: grade.student for grade in data.grades}
    parts = []
    for stage, judged in data.judged.items():
        mistakes = mistakes_of(judged, students)
        if not mistakes:
            continue
        items = [_mistake(mistake, len(judged), links) for mistake in mistakes]
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


def _mistake(mistake: Mistake, of: int, links: dict[str, str]) -> Markup:
    who = [[_student_link(s, links), ", "] for s in mistake.students[:_MOST_NAMED]]
    who[-1].pop()
    more = len(mistake.students) - _MOST_NAMED
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
            tag("p", who, f" and {more} more" if more > 0 else None, class_="who"),
            folded(
                "What the first of them reads",
                message,
                tag("p", hint, class_="hint", dir="auto") if mistake.hint else None,
            ),
        ),
    )


def _student_link(student: Student, links: dict[str, str]) -> Markup:
    return tag("a", name(student.name or student.login), href=links[student.login])


def _speeds(data: ClassData, courses: dict[str, Course]) -> Markup | None:
    parts = []
    for stage, judged in data.judged.items():
        ratios: dict[str, list[float]] = {}
        titles: dict[str, str] = {}
        pending: Counter[str] = Counter()
        for one in judged.values():
            for speed in one.speed:
                titles.setdefault(speed.name, speed.title or speed.name)
                if speed.median:
                    ratios.setdefault(speed.name, []).append(speed.median)
                pending[speed.name] += speed.status in ("PENDING", "GRADER_ERROR")
        shapes = []
        for shape, title in titles.items():
            measured = sorted(ratios.get(shape, []))
            if not measured and not pending[shape]:
                continue
            tiers = courses.get(stage, Course()).tiers.get(shape)
            shapes.append(
                tag(
                    "li",
                    tag("h4", title),
                    speed_dots(measured, tiers) if measured else None,
                    tag("p", _speed_facts(measured, pending[shape]), class_="aside"),
                )
            )
        if shapes:
            parts += [tag("h3", stage), tag("ul", shapes, class_="shapes")]
    if not parts:
        return None
    about = (
        "A dot is a student: how many times as fast as the baseline, on a logarithmic axis. "
        "The line is the median."
    )
    return joined(tag("p", about, class_="aside"), parts)


def _speed_facts(measured: list[float], pending: int) -> str:
    facts = []
    if measured:
        facts.append(f"{count(len(measured), 'student')}: {times(measured[0])}")
        if len(measured) > 1:
            facts[0] += f" to {times(measured[-1])}, median {times(statistics.median(measured))}"
    if pending:
        facts.append(f"{pending} pending")
    return "; ".join(facts) + "."


def _students(data: ClassData, links: dict[str, str]) -> Markup | None:
    if not data.grades:
        return None
    rows = []
    for grade in data.grades:
        cells = []
        for stage in data.stages:
            counts = grade.stages.get(stage)
            if counts is None and stage not in grade.unattempted:
                cells.append("-")
                continue
            late = tag("span", " late", class_="aside") if counts and counts.factor != 1 else None
            cells.append([number(grade.points(stage)), late])
        pending = sum(grade.stages[s].score.pending for s in data.stages if s in grade.stages)
        attempts = max((g.attempts for g in grade.stages.values()), default=0)
        rows.append(
            [
                _student_link(grade.student, links),
                tag("code", grade.student.login),
                name(grade.student.team),
                *cells,
                number(pending) if pending else "",
                str(attempts) if attempts else "",
                number(weighted_percent(grade, data.policy, data.stages)),
            ]
        )
    head = [
        "Name",
        "Login",
        "Team",
        *(s.split("_")[0] for s in data.stages),
        "Pending",
        "Attempts",
        "Percent",
    ]
    numeric = set(range(3, len(head)))
    return table("Students: points by stage", head, rows, numeric, class_="sortable")
