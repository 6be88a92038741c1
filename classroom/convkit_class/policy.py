# SPDX-License-Identifier: MIT
"""What a course counts: [grading] and [deadlines] of course.toml (docs/course.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from .book import parsed
from .errors import UsageError

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib

_GRADING = {
    "attempt": str,
    "late_percent_per_day": (int, float),
    "late_days": int,
    "grace_minutes": int,
}


@dataclass
class Policy:
    attempt: str = "best"  # or "last": which attempt of a student counts
    late_percent_per_day: float = 0  # of the points, for each day that has begun
    late_days: int | None = None  # what comes later counts nothing; None: no end
    grace_minutes: int = 0  # after the deadline, without a penalty
    deadlines: dict[str, datetime] = field(default_factory=dict)  # by stage
    weights: dict[str, float] = field(default_factory=dict)  # by stage; empty: by points

    def factor(self, stage: str, handed_in: str, extended: str | None) -> float:
        """What the points of a submission are multiplied with: 1 in time, less when late."""
        deadline = self.deadlines.get(stage)
        if deadline is None:
            return 1
        if extended is not None:
            deadline = max(deadline, parsed(extended))
        late = parsed(handed_in) - deadline - timedelta(minutes=self.grace_minutes)
        if late <= timedelta(0):
            return 1
        days = -(-late // timedelta(days=1))
        if self.late_days is not None and days > self.late_days:
            return 0
        return max(0.0, 1 - days * self.late_percent_per_day / 100)


def load_policy(file: Path, stages: list[str]) -> Policy:
    """`stages`: the ids of all stages. Without the file nothing is late."""
    if not file.exists():
        return Policy()
    try:
        course = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} is not TOML: {error}.") from None
    policy = Policy(weights={k: float(v) for k, v in course.get("weights", {}).items()})
    for key, value in course.get("grading", {}).items():
        if key not in _GRADING:
            raise UsageError(f"{file}: [grading] has no key `{key}`; it has {', '.join(_GRADING)}.")
        if not isinstance(value, _GRADING[key]) or isinstance(value, bool):
            raise UsageError(f"{file}: [grading] {key} is {value!r}.")
        if key == "attempt" and value not in ("best", "last"):
            raise UsageError(f'{file}: [grading] attempt is "{value}"; it is "best" or "last".')
        if key != "attempt" and value < 0:
            raise UsageError(f"{file}: [grading] {key} is {value}; it is at least 0.")
        setattr(policy, key, value)
    for stage, when in course.get("deadlines", {}).items():
        if stage not in stages:
            raise UsageError(f"{file}: [deadlines] names {stage}, and there is no such stage.")
        if not isinstance(when, datetime) or when.tzinfo is None:
            raise UsageError(
                f"{file}: [deadlines] {stage} must be a time with its zone, such as "
                "2026-10-15T23:59:00+02:00."
            )
        policy.deadlines[stage] = when
    return policy


def read_time(text: str) -> datetime:
    """A time of the command line: with its zone, or of this machine's."""
    try:
        time = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise UsageError(
            f"{text} is not a time; write 2026-10-15T23:59 (of this machine's zone)."
        ) from None
    return time.astimezone()
