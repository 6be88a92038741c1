# SPDX-License-Identifier: MIT
"""What `class show` and `class stats` print."""

from __future__ import annotations

from collections import Counter

from .book import Book, Repeat, Student
from .grades import Grades, StudentGrade, quartiles, weighted_percent
from .judged_by import in_one_line
from .live import duration, plain_text
from .policy import Policy


def table(rows: list[list[str]]) -> str:
    """Columns as wide as they must be; numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if cell[:1].isdigit() else cell.ljust(width)
            for cell, width in zip(row, widths)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def class_table(grades: list[StudentGrade], stages: dict[str, float], policy: Policy) -> str:
    rows = [["login", *(s.split("_")[0] for s in stages), "pending", "percent"]]
    for grade in grades:
        pending = sum(grade.stages[s].score.pending for s in stages if s in grade.stages)
        rows.append(
            [
                plain_text(grade.student.login),
                *(f"{grade.points(s):g}" if s in grade.stages else "-" for s in stages),
                f"{pending:g}" if pending else "",
                f"{weighted_percent(grade, policy, stages):g}",
            ]
        )
    return table(rows)


def student_view(book: Book, grades: Grades, student: Student) -> str:
    """Every attempt, and what counts of each stage and why."""
    lines = [plain_text(f"{student.login}  {student.name}  {student.team}").rstrip()]
    for number, submission in enumerate(grades.submissions_of(student), 1):
        lines.append(
            f"  attempt {number}: {plain_text(submission.source)}, {submission.handed_in}, "
            f"sha256 {submission.sha256[:12]}"
        )
        for grading in book.gradings(submission.id):
            lines.append(f"    grading {grading.id} on {grading.device}: {_outcome(grading)}")
            lines += [f"      {_repeated(repeat)}" for repeat in book.repeats(grading.id)]
    grade = grades.of(student)
    for stage, counts in grade.stages.items():
        score = counts.score
        text = (
            f"  {stage}: {counts.points:g} of {score.max_points:g}, {score.status}, "
            f"attempt {counts.attempt} of {counts.attempts}"
        )
        if counts.factor != 1:
            text += f", late: x {counts.factor:g} of {score.points:g}"
        if counts.manual:
            text += f", by hand {counts.manual:+g}"
        if score.pending:
            text += f", {score.pending:g} pending ({'; '.join(score.parts)})"
        lines.append(text)
    for stage, points, reason, author, at in book.manual(student.login):
        lines.append(f"  by hand: {stage} {points:+g}, {plain_text(reason)} ({author}, {at})")
    return "\n".join(lines)


def _repeated(repeat: Repeat) -> str:
    reason = f": {plain_text(repeat.reason)}" if repeat.reason else ""
    return (
        f"{repeat.kind} {repeat.id}, {repeat.outcome}, on {plain_text(repeat.machine)} "
        f"({plain_text(repeat.author)}, {repeat.at}){reason}"
    )


def _outcome(grading) -> str:
    if grading.state in ("running", "failed"):
        return f"{grading.state}{': ' * bool(grading.error)}{plain_text(grading.error)}"
    result = grading.result()
    text = f"{result['points']:g} of {result['max_points']:g}"
    if result["pending_points"]:
        text += f", {result['pending_points']:g} pending"
    untimed = ", not timed yet" if grading.state == "untimed" else ""
    return (
        f"{text}{untimed}, {duration(grading.seconds + grading.timing_s)}\n"
        f"      {plain_text(in_one_line(result))}"
    )


def statistics_view(book: Book, grades: list[StudentGrade], stages: dict[str, float]) -> str:
    """By stage: how many, the quartiles, how they ended, and what went wrong most often."""
    texts = []
    documents = {g.id: g for g in book.gradings()}
    for stage, most in stages.items():
        of_stage = [grade.stages[stage] for grade in grades if stage in grade.stages]
        if not of_stage:
            continue
        low, middle, high = quartiles([g.points for g in of_stage])
        statuses = Counter(g.score.status for g in of_stage).most_common()
        texts.append(
            f"{stage}: {len(of_stage)} of {len(grades)} handed in; of {most:g} points: "
            f"quartiles {low:g}, {middle:g}, {high:g}\n"
            f"  {', '.join(f'{count} {status}' for status, count in statuses)}"
        )
        mistakes: Counter[tuple[str, str]] = Counter()
        for counts in of_stage:
            result = documents[counts.score.gradings[-1]].result()
            found = next(s for s in result["stages"] if s["id"] == stage)
            mistakes.update({(c["op"], c["mistake"]) for c in found["cases"] if c.get("mistake")})
        ranked = sorted(mistakes.items(), key=lambda item: (-item[1], item[0]))
        for (function, mistake), count in ranked[:5]:
            texts.append(f"  {count:>4}  {function}: {mistake}")
    return "\n".join(texts) if texts else "Nothing has been graded yet."
