# SPDX-License-Identifier: MIT
"""A report for one reader: of a result document alone, or of a student with all a book knows."""

from __future__ import annotations

from ..book import Book, Student, utc
from ..grades import Grades, StageGrade, StudentGrade, joined_stage, weighted_percent
from ..policy import Policy
from .bars import points_bar
from .document import Stage, stage_of
from .frame import MOST_BYTES, Room, badge, count, moment, name, page, points, section, table, words
from .judged import judged_by
from .markup import Markup, joined, number, tag
from .stage_part import Course, stage_section

# A page gets the first of these that keeps it below MOST_BYTES.
_ROOMS = (Room(20_000, 40), Room(5_000, 10), Room(1_000, 2), Room(300, 0))


def result_page(result: dict, courses: dict[str, Course]) -> str:
    """Of one document. `courses`: by stage id."""
    stages = [stage_of(stage) for stage in result.get("stages", [])]
    submission = result.get("submission", {}).get("name", "")
    lead = [
        tag("p", "Report of one grading", class_="kind"),
        tag("h1", name(submission or "A submission")),
        tag("p", moment(result["started"]), class_="aside") if "started" in result else None,
    ]
    rows = [
        [
            _link(stage),
            badge(stage.status),
            [points(stage.points, stage.max_points), _pending(stage.pending_points)],
            points_bar(stage.points, stage.pending_points, stage.max_points),
        ]
        for stage in stages
    ]
    summary = [
        _total(
            result.get("points", 0), result.get("max_points", 0), result.get("pending_points", 0)
        ),
        tag("p", "The grading has not ended: what was not reached is PENDING.", class_="warn")
        if result.get("interrupted")
        else None,
        tag("p", words(result["error"]), class_="warn message", dir="auto")
        if result.get("error")
        else None,
        _notes(result.get("notes", [])),
        table("Points by stage", ["Stage", "Status", "Points", "Share"], rows, {2})
        if rows
        else None,
    ]
    judged = judged_by([("This grading", result)])
    return _fitting(
        f"Report: {submission}",
        lead,
        section("summary", "Summary", *summary),
        [(stage, courses.get(stage.id, Course()), None) for stage in stages],
        judged,
    )


def student_page(
    book: Book,
    grades: Grades,
    grade: StudentGrade,
    policy: Policy,
    stages: dict[str, float],
    courses: dict[str, Course],
) -> str:
    """`stages`: the points of those that count in this class, by id."""
    student = grade.student
    manual = book.manual(student.login)
    lead = [
        tag("p", "Report for", class_="kind"),
        tag("h1", name(student.name or student.login)),
        tag(
            "p",
            student.login,
            [", team ", name(student.team)] if student.team else None,
            class_="aside",
        ),
    ]
    most = sum(stages.values())
    pending = sum(g.score.pending for s, g in grade.stages.items() if s in stages)
    earned = round(sum(grade.points(s) for s in stages), 2)
    summary = [
        _total(earned, most, pending, weighted_percent(grade, policy, stages)),
        _stage_table(grade, stages),
        _manual(manual),
    ]
    shown, results = [], []
    for stage_id, counts in grade.stages.items():
        runs = [(n, book.grading(n).result()) for n in counts.score.gradings]
        stage = stage_of(joined_stage(runs, stage_id)[0])
        shown.append(
            (stage, courses.get(stage_id, Course()), _context(book, student, counts, policy))
        )
        results += [(n, result) for n, result in runs if n not in dict(results)]
    body = [section("summary", "Summary", *summary), _errors(book, grades, student)]
    gradings = [(f"Grading {n}", result) for n, result in results]
    return _fitting(
        f"Report for {student.name or student.login}",
        lead,
        body,
        shown,
        joined(_attempts(book, grades, grade), judged_by(gradings) if gradings else None),
    )


def _fitting(
    title: str,
    lead: object,
    body: object,
    stages: list[tuple[Stage, Course, object]],
    rest: Markup,
) -> str:
    toc = [
        ("summary", "Summary"),
        *((f"stage-{s.id}", s.id.split("_")[0] + " " + s.title) for s, _, _ in stages),
    ]
    if 'id="attempts"' in rest:
        toc.append(("attempts", "Attempts"))
    if 'id="judged"' in rest:
        toc.append(("judged", "What judged it"))
    for room in _ROOMS:
        parts = [stage_section(*one, room) for one in stages]
        text = page(title, lead, joined(body, parts, rest), toc)
        if len(text.encode()) <= MOST_BYTES:
            break
    return text


def _total(earned: float, most: float, pending: float, percent: float | None = None) -> Markup:
    facts = [f"{number(percent)} % of the course"] if percent is not None else []
    if pending:
        facts.append(f"{number(pending)} points are pending: they may still come")
    return tag(
        "div",
        tag("p", tag("b", number(earned), class_="big"), f" of {number(most)} points"),
        points_bar(earned, pending, most),
        tag("p", "; ".join(facts), ".", class_="aside") if facts else None,
        class_="total",
    )


def _pending(pending: float) -> Markup | None:
    return tag("span", f" + {number(pending)} pending", class_="pending") if pending else None


def _link(stage: Stage) -> Markup:
    return tag("a", stage.id.split("_")[0], " ", stage.title or stage.id, href=f"#stage-{stage.id}")


def _notes(notes: list[str]) -> Markup | None:
    return tag("ul", [tag("li", words(note), dir="auto") for note in notes]) if notes else None


def _stage_table(grade: StudentGrade, stages: dict[str, float]) -> Markup:
    rows, pending = [], []
    for stage, most in stages.items():
        counts = grade.stages.get(stage)
        if counts is None:
            rows.append([stage, "nothing handed in", points(grade.points(stage), most), "", ""])
            continue
        score = counts.score
        rows.append(
            [
                tag("a", stage, href=f"#stage-{stage}"),
                badge(score.status),
                [points(counts.points, score.max_points), _pending(score.pending)],
                points_bar(counts.points, score.pending, score.max_points),
                f"{counts.attempt} of {counts.attempts}",
            ]
        )
        pending += [tag("li", f"{stage}: {part}") for part in score.parts]
    head = ["Stage", "Status", "Points", "Share", "Attempt"]
    still = [tag("h3", "Pending"), tag("ul", pending)] if pending else None
    return joined(table("Points by stage", head, rows, {2}), still)


def _manual(manual: list[tuple[str, float, str, str, str]]) -> Markup | None:
    if not manual:
        return None
    rows = [
        [stage, f"{value:+g}", tag("bdi", reason), name(author), moment(at)]
        for stage, value, reason, author, at in manual
    ]
    head = ["Stage", "Points", "Reason", "By", "When"]
    return joined(tag("h3", "Points by hand"), table("Points by hand", head, rows, {1}))


def _context(book: Book, student: Student, counts: StageGrade, policy: Policy) -> Markup:
    """Which attempt counts, when it came, and what that and people changed."""
    facts = [
        tag(
            "li",
            f"Attempt {counts.attempt} of {counts.attempts} counts, handed in ",
            moment(counts.submission.handed_in),
            ".",
        ),
    ]
    if deadline := policy.deadlines.get(counts.score.stage):
        facts.append(tag("li", "Due ", moment(utc(deadline)), "."))
    if extended := book.extension(student, counts.score.stage):
        facts.append(tag("li", "Deadline extended until ", moment(extended), "."))
    if counts.factor != 1:
        facts.append(
            tag(
                "li",
                f"Late: {number(100 * counts.factor)} % of {number(counts.score.points)} points "
                "count.",
            )
        )
    elif deadline:
        facts.append(tag("li", "In time."))
    if counts.manual:
        facts.append(tag("li", f"By hand: {counts.manual:+g} points."))
    if counts.points != counts.score.points:
        facts.append(
            tag(
                "li",
                tag("b", f"In the book: {points(counts.points, counts.score.max_points)} points."),
            )
        )
    return tag("ul", facts, class_="context")


def _errors(book: Book, grades: Grades, student: Student) -> Markup | None:
    """Of submissions that could not be read or graded, the last word on each."""
    items = []
    for submission in grades.submissions_of(student):
        gradings = book.gradings(submission.id)
        if not gradings:
            continue
        last = gradings[-1]
        if last.state == "failed":
            items.append(
                (submission, "It could not be graded, which is no fault of yours. Staff see why.")
            )
        elif last.document and (error := last.result().get("error")):
            items.append((submission, error))
    if not items:
        return None
    return section(
        "unread",
        "Submissions without a verdict",
        tag("ul", [tag("li", tag("b", name(s.source)), ": ", words(error)) for s, error in items]),
    )


def _attempts(book: Book, grades: Grades, grade: StudentGrade) -> Markup | None:
    submissions = grades.submissions_of(grade.student)
    if not submissions:
        return None
    counting: dict[int, list[str]] = {}
    for stage, counts in grade.stages.items():
        counting.setdefault(counts.submission.id, []).append(stage)
    rows = []
    for number_, submission in enumerate(submissions, 1):
        gradings = book.gradings(submission.id)
        rows.append(
            [
                str(number_),
                name(submission.source),
                moment(submission.handed_in),
                count(len(gradings), "grading"),
                ", ".join(counting.get(submission.id, [])) or "-",
                tag("code", submission.sha256[:12]),
            ]
        )
    head = ["Number", "What was handed in", "When", "Graded", "Counts for", "sha256"]
    return section("attempts", "Attempts", table("What was handed in", head, rows))
