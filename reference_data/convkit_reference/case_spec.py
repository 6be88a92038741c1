# SPDX-License-Identifier: MIT
"""One [[case]] of a spec: its keys, its defaults and the rules for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from .distributions import Distribution, parse_distribution
from .errors import CaseProblem, InputProblem, JitterProblem, SpecError
from .ops.op import Op
from .toml_text import TomlText

_NAME = re.compile(r"[a-z][a-z0-9_]*")
MAX_SEED = 2**53 - 1  # every JSON reader keeps it exactly
MAX_COUNT = 100000

SHARED_KEYS = ("task", "group", "visible", "params", "inputs")  # of cases and of [defaults.OP]
CASE_KEYS = ("name", "op", "summary", "seed", "count", "jitter", *SHARED_KEYS)
REQUIRED_KEYS = ("name", "op", "summary", "task", "group")
TYPES = {
    "name": (str, "a string"), "op": (str, "a string"), "summary": (str, "a string"),
    "task": (str, "a string"), "group": (str, "a string"),
    "visible": (bool, "true or false"),
    "seed": (int, "a whole number"), "count": (int, "a whole number"),
    "params": (dict, "a table"), "inputs": (dict, "a table"), "jitter": (dict, "a table"),
}  # fmt: skip


@dataclass(frozen=True)
class CaseSpec:
    """A case as the spec states it, with the defaults of its op. draw.py chooses seed and sizes."""

    text: TomlText  # the spec's, and which [[case]] of it
    index: int
    name: str
    op: Op
    task: str
    group: str
    summary: str
    visible: bool
    seed: int | None
    count: int
    params: Mapping[str, object]  # a number, or [low, high] to be drawn
    jitter: Mapping[str, int]
    inputs: Mapping[str, Distribution]

    def error(self, problem: CaseProblem) -> SpecError:
        """The problem as an error that names the line of its key."""
        sentence = f'case "{self.name}": {problem.key} {problem}.'
        return SpecError(self.text.path, self.line_of(problem.table, problem.key), sentence)

    def line_of(self, table: str, key: str) -> int:
        """The line of a key of the case (or of a table in it): in the case itself, otherwise in the
        defaults of its op, otherwise the line of the case's header."""
        keys = (table, key) if table else (key,)
        return (
            self.text.line_of("case", self.index, keys)
            or self.text.line_of(f"defaults.{self.op.name}", 0, keys)
            or self.text.line_of("case", self.index)
            or 1
        )

    def instance_names(self) -> list[str]:
        """A case with a count stands for that many cases, numbered from 1."""
        if self.count == 1:
            return [self.name]
        digits = max(2, len(str(self.count)))
        return [f"{self.name}_{number:0{digits}d}" for number in range(1, self.count + 1)]


def with_defaults(defaults: Mapping[str, object], table: Mapping[str, object]) -> dict:
    """A key of the case replaces the default; params and inputs are merged key by key."""
    merged = {**defaults, **table}
    for key in ("params", "inputs"):
        merged[key] = {**defaults.get(key, {}), **table.get(key, {})}
    return merged


def make_case_spec(text: TomlText, index: int, op: Op, keys: Mapping[str, object]) -> CaseSpec:
    """Makes it from keys with the right names and types. Raises SpecError."""
    case = CaseSpec(
        text=text,
        index=index,
        name=keys["name"],
        op=op,
        task=keys["task"],
        group=keys["group"],
        summary=keys["summary"],
        visible=keys.get("visible", True),
        seed=keys.get("seed"),
        count=keys.get("count", 1),
        params=keys["params"],
        jitter=keys.get("jitter", {}),
        inputs={},
    )
    try:
        _check(case)
        inputs = _distributions(op, keys["inputs"])
    except CaseProblem as problem:
        raise case.error(problem) from None
    return CaseSpec(**{**case.__dict__, "inputs": inputs})


def _check(case: CaseSpec) -> None:
    if not _NAME.fullmatch(case.name):
        raise CaseProblem("name", "may only hold a-z, 0-9 and _, and starts with a letter")
    if not case.summary.strip() or "\n" in case.summary:
        raise CaseProblem("summary", "must be one line that a student can read")
    if case.seed is not None and not 0 <= case.seed <= MAX_SEED - MAX_COUNT:
        raise CaseProblem("seed", f"is {case.seed}; it must be from 0 to {MAX_SEED - MAX_COUNT}")
    if not 1 <= case.count <= MAX_COUNT:
        raise CaseProblem("count", f"is {case.count}; it must be from 1 to {MAX_COUNT}")
    for key, value in case.jitter.items():
        if key not in case.op.params or not case.op.params[key].grows:
            sizes = ", ".join(k for k, param in case.op.params.items() if param.grows)
            raise JitterProblem(key, f"cannot be jittered; only sizes can: {sizes}")
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise JitterProblem(key, "must be jittered by a whole number, 0 or more")
        if key in ("c", "m") and case.params.get("groups", 1) != 1:
            raise JitterProblem(key, "cannot be jittered where groups is not 1")


def _distributions(op: Op, given: Mapping[str, object]) -> dict[str, Distribution]:
    for key in given:
        if key not in op.distributions:
            known = ", ".join(op.distributions) or "none"
            raise InputProblem(key, f"is not an input of {op.name}, whose inputs are: {known}")
    return {
        key: parse_distribution(key, given.get(key, default))
        for key, default in op.distributions.items()
    }
