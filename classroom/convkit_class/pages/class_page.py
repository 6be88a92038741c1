# SPDX-License-Identifier: MIT
"""The page of a class, for staff: how far it is, what many get wrong, how fast, and who."""

from __future__ import annotations

import statistics
from collections import Counter

from ..book import Book
from ..grades import StudentGrade, joined_stage, quartiles, weighted_percent
from ..policy import Policy
from .bars import BINS, histogram, parts_bar, tenths
from .common_mistakes import mistakes_part, student_link
from .document import Stage, stage_of
from .frame import MOST_BYTES, count, moment, name, page, section, table, words
from .markup import Markup, joined, number, tag
from .speed import speed_dots, times
from .stage_part import Course


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
    for named in (200, 40, 0):
        text = _page(data, links, courses, named)
        if len(text.encode()) <= MOST_BYTES:
            break
    return text


def _page(data: ClassData, links: dict[str, str], courses: dict[str, Course], named: int) -> str:
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
        (
            "mistakes",
            "What to teach again",
            mistakes_part(data.judged, [g.student for g in data.grades], links, named),
        ),
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
        [tag("span", class_="key part-pass"), "All cases pass"],
        [tag("span", class_="key part-some"), "Some points"],
        [tag("span", class_="key part-none"), "No points"],
        "Median",
        "Share",
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
        low, middle, high = quartiles(earned)
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
                student_link(grade.student, links),
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
