# SPDX-License-Identifier: MIT
"""What the gradings in a book add up to: one grade for each student and stage."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field, replace

from .book import Book, Grading, Student, Submission
from .policy import Policy

# Verdicts on the submission. The others say that nothing is known yet.
_UNJUDGED = {"PENDING", "GRADER_ERROR"}


@dataclass(frozen=True)
class StageScore:
    """What one submission earns in one stage, before lateness."""

    stage: str
    status: str
    points: float
    max_points: float
    pending: float  # points that may still come
    parts: tuple[str, ...] = ()  # what is pending, as a reader calls it
    gradings: tuple[int, ...] = ()  # that it was made of


@dataclass(frozen=True)
class StageGrade:
    """What a student has in a stage."""

    score: StageScore
    submission: Submission
    attempt: int  # counted from 1
    attempts: int
    factor: float  # for lateness
    manual: float

    @property
    def points(self) -> float:
        return round(max(0.0, self.score.points * self.factor + self.manual), 2)


@dataclass
class StudentGrade:
    student: Student
    stages: dict[str, StageGrade] = field(default_factory=dict)
    unattempted: dict[str, float] = field(
        default_factory=dict
    )  # manual points without a submission

    def points(self, stage: str) -> float:
        grade = self.stages.get(stage)
        return grade.points if grade else max(0.0, self.unattempted.get(stage, 0.0))


def merged(runs: list[tuple[int, dict]], stage_id: str) -> StageScore | None:
    """One score of a submission from its gradings, the newest last: (number, result). None: no
    grading has the stage."""
    found = joined_stage(runs, stage_id)
    return _score(*found) if found else None


def joined_stage(
    runs: list[tuple[int, dict]], stage_id: str
) -> tuple[dict, tuple[int, ...]] | None:
    """The stage as a result has it, and the numbers of the gradings that it was made of. A case
    that a GPU has judged counts as it was there, whatever the CPU device says; speed counts where
    it was measured."""
    of_stage = [
        (number, result["device"] != "cpu", stage)
        for number, result in runs
        for stage in result["stages"]
        if stage["id"] == stage_id
    ]
    if not of_stage:
        return None
    # Of each device the newest that judged anything, the GPU's on top.
    chosen: dict[bool, tuple[int, dict]] = {}
    for number, gpu, stage in of_stage:
        if gpu not in chosen or _judged(stage) or not _judged(chosen[gpu][1]):
            chosen[gpu] = (number, stage)
    numbers = tuple(sorted(number for number, _ in chosen.values()))
    if len(chosen) == 1:
        ((_, stage),) = chosen.values()
        return stage, numbers
    return _joined(chosen[False][1], chosen[True][1]), numbers


def _judged(stage: dict) -> bool:
    return any(case["status"] not in _UNJUDGED for case in stage["cases"]) or (
        not stage["cases"] and stage["status"] not in _UNJUDGED
    )


def _joined(cpu: dict, gpu: dict) -> dict:
    """The stage with each case as the GPU has it, or where that was not judged as the CPU has it. A
    case that the CPU device's check mode fails and the GPU passes stays passed: on the GPU, too,
    `grade` runs what passed in check mode."""
    if not gpu["cases"]:
        return cpu if gpu["status"] in _UNJUDGED else gpu
    known = {(case["name"], case["hidden"]): case for case in cpu["cases"]}
    cases = [
        known.get((case["name"], case["hidden"]), case) if case["status"] in _UNJUDGED else case
        for case in gpu["cases"]
    ]
    measured = {speed["name"]: speed for speed in cpu["speed"] if speed["status"] not in _UNJUDGED}
    speed = [
        measured.get(one["name"], one) if one["status"] in _UNJUDGED else one
        for one in gpu["speed"]
    ]
    groups = []
    for group in gpu["groups"]:
        of_group = [case for case in cases if case["group"] == group["name"]]
        passed = sum(case["status"] == "PASS" for case in of_group)
        points = group["max_points"] * passed / len(of_group) if of_group else 0
        groups.append(group | {"passed": passed, "total": len(of_group), "points": points})
    worst = gpu["status"] if gpu["status"] not in _UNJUDGED else cpu["status"]
    points = sum(g["points"] for g in groups) + sum(s["points"] for s in speed)
    pending = sum(s["pending_points"] for s in speed)
    for group in groups:
        open_cases = sum(
            case["status"] in _UNJUDGED for case in cases if case["group"] == group["name"]
        )
        pending += group["max_points"] * open_cases / group["total"] if group["total"] else 0
    return gpu | {
        "status": worst,
        "cases": cases,
        "speed": speed,
        "groups": groups,
        "points": points,
        "pending_points": pending,
    }


def _score(stage: dict, gradings: tuple[int, ...]) -> StageScore:
    parts = [f"speed, {s['title']}" for s in stage["speed"] if s["pending_points"] > 0]
    open_cases = sum(case["status"] in _UNJUDGED for case in stage["cases"])
    if open_cases:
        parts.append(f"{open_cases} case{'s' * (open_cases > 1)}")
    return StageScore(
        stage["id"],
        stage["status"],
        round(stage["points"], 2),
        stage["max_points"],
        round(stage["pending_points"], 2),
        tuple(parts),
        gradings,
    )


class Grades:
    """The grades of a class. Reads every document of the book once."""

    def __init__(self, book: Book, policy: Policy):
        self._book, self._policy = book, policy
        self._runs: dict[int, list[Grading]] = {}
        for grading in book.gradings():
            if grading.document and grading.state in ("done", "untimed"):
                self._runs.setdefault(grading.submission, []).append(grading)
        self._submissions: dict[str, list[Submission]] = {}
        for submission in book.submissions():
            if submission.login:
                self._submissions.setdefault(submission.login, []).append(submission)
        self._teams: dict[str, list[str]] = {}
        for student in book.students():
            if student.team:
                self._teams.setdefault(student.team, []).append(student.login)

    def submissions_of(self, student: Student) -> list[Submission]:
        """The student's own and those of the team, each content once, in the order of time."""
        logins = self._teams.get(student.team, [student.login])
        found = {s.sha256: s for login in logins[::-1] for s in self._submissions.get(login, [])}
        return sorted(found.values(), key=lambda s: (s.handed_in, s.id))

    def of(self, student: Student) -> StudentGrade:
        grade = StudentGrade(student)
        manual: dict[str, float] = {}
        for stage, points, *_ in self._book.manual(student.login):
            manual[stage] = manual.get(stage, 0) + points
        attempts: dict[str, list[tuple[Submission, StageScore]]] = {}
        for submission in self.submissions_of(student):
            runs = [(g.id, g.result()) for g in self._runs.get(submission.id, [])]
            for stage in dict.fromkeys(s["id"] for _, result in runs for s in result["stages"]):
                attempts.setdefault(stage, []).append((submission, merged(runs, stage)))
        for stage, tried in sorted(attempts.items()):
            grade.stages[stage] = self._counting(student, stage, tried, manual.get(stage, 0))
        grade.unattempted = {s: p for s, p in manual.items() if s not in grade.stages}
        return grade

    def _counting(
        self,
        student: Student,
        stage: str,
        tried: list[tuple[Submission, StageScore]],
        manual: float,
    ) -> StageGrade:
        """The attempt that counts: the last one, or that with most points after lateness, of which
        the earliest."""
        extended = self._book.extension(student, stage)
        all_of_them = [
            StageGrade(
                score,
                submission,
                number,
                len(tried),
                self._policy.factor(stage, submission.handed_in, extended),
                0,
            )
            for number, (submission, score) in enumerate(tried, 1)
        ]
        if self._policy.attempt == "last":
            counts = all_of_them[-1]
        else:
            counts = max(all_of_them, key=lambda g: (g.points, -g.attempt))
        return replace(counts, manual=manual)

    def all(self) -> list[StudentGrade]:
        return [self.of(student) for student in self._book.students()]


def weighted_percent(grade: StudentGrade, policy: Policy, stages: dict[str, float]) -> float:
    """Of the course: by the weights of course.toml, else by points. `stages`: their points."""
    weights = policy.weights or stages
    total = sum(weights.get(stage, 0) for stage in stages)
    if not total:
        return 0
    earned = sum(
        weights.get(stage, 0) * grade.points(stage) / most for stage, most in stages.items() if most
    )
    return round(100 * earned / total, 2)


def quartiles(points: list[float]) -> tuple[float, float, float]:
    """Lower, median, upper, of all who handed in (`points` is not empty): no sample of a larger
    class, so its least and its most count as such."""
    if len(points) == 1:
        return points[0], points[0], points[0]
    low, middle, high = statistics.quantiles(points, n=4, method="inclusive")
    return round(low, 2), round(middle, 2), round(high, 2)
