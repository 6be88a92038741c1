# SPDX-License-Identifier: MIT
"""A result (docs/result.schema.json) as the pages read it. What an older one lacks is empty."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from pathlib import Path

from ..errors import UsageError

SCHEMA = "convkit-result-1"
# Verdicts that are none, and such as no case failed with.
_NOT_FAILING = {"PASS", "PENDING", "NOT_STARTED", "SKIPPED", "GRADER_ERROR"}


@dataclass(frozen=True)
class Case:
    name: str
    status: str
    group: str = ""
    task: str = ""
    op: str = ""
    message: str = ""
    hint: str = ""
    hidden: bool = False
    mistake: str = ""
    map: str = ""
    printed: str = ""

    @property
    def fails(self) -> bool:
        return self.status not in _NOT_FAILING


@dataclass(frozen=True)
class Speed:
    name: str
    status: str
    title: str = ""
    message: str = ""
    points: float = 0
    max_points: float = 0
    pending_points: float = 0
    pairs: int = 0
    ratio: dict = field(default_factory=dict)
    submission_ms: float = 0
    baseline_ms: float = 0
    gflops: float = 0

    @property
    def median(self) -> float | None:
        return self.ratio.get("median")

    @property
    def quartiles(self) -> tuple[float, float] | None:
        """The lower and the upper one."""
        if "lower_quartile" not in self.ratio:
            return None
        return self.ratio["lower_quartile"], self.ratio["upper_quartile"]


@dataclass(frozen=True)
class Group:
    name: str
    title: str = ""
    passed: int = 0
    total: int = 0
    points: float = 0
    max_points: float = 0


@dataclass(frozen=True)
class Stage:
    id: str
    status: str
    title: str = ""
    message: str = ""
    points: float = 0
    max_points: float = 0
    pending_points: float = 0
    build_s: float = 0
    run_s: float = 0
    notes: list[str] = field(default_factory=list)
    failed_files: list[dict] = field(default_factory=list)
    log: str = ""
    references: list[dict] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    speed: list[Speed] = field(default_factory=list)


def stage_of(stage: dict) -> Stage:
    parts = {"groups": Group, "cases": Case, "speed": Speed}
    lists = {key: [_read(kind, one) for one in stage.get(key, [])] for key, kind in parts.items()}
    return _read(Stage, stage | lists)


def _read(kind: type, values: dict):
    return kind(**{f.name: values[f.name] for f in fields(kind) if f.name in values})


def read_result(file: Path) -> dict:
    """The document in a file. UsageError where it is none."""
    try:
        result = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise UsageError(f"{file} is not JSON.") from None
    if not isinstance(result, dict) or result.get("schema") != SCHEMA:
        raise UsageError(f"{file} is no result of `convkit grade` ({SCHEMA}).")
    return result
