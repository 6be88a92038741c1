# SPDX-License-Identifier: MIT
"""Two results of one submission, verdict by verdict and point by point, and what a difference is
likely to mean."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass

from .judged_by import judged_by

# No verdicts on the submission: there is nothing to compare.
_UNJUDGED = {"PENDING", "GRADER_ERROR"}
# Keys of `depends` that judged_by() tells, too.
_TOLD = {"compiler", "device", "version of the kit"}
_OF_TIME = {"TIMED_OUT", "SKIPPED", "LIMIT"}
_OF_CONFINEMENT = {"POLICY", "CRASHED", "LIMIT"}

_NOTHING_ELSE = (
    "all that a result names is the same: the program depends on time or on memory that it never "
    "set (look at it with `check --device cpu` or `--sanitize`), or on the processor"
)


@dataclass(frozen=True)
class Difference:
    stage: str
    what: str  # "case one_channel_3x3", "points of conv"
    before: str
    after: str
    meaning: str = ""

    def record(self) -> dict[str, str]:
        return asdict(self)


@dataclass(frozen=True)
class Comparison:
    differences: tuple[Difference, ...]
    changed: tuple[Difference, ...]  # of what judged: kit, compiler, ...
    times: tuple[Difference, ...]  # which differ from run to run
    verdicts: int  # that were compared
    unjudged: int  # that one of the two results lacks

    @property
    def agrees(self) -> bool:
        return not self.differences


def compare(before: dict, after: dict, stages: list[str] | None = None) -> Comparison:
    """Of documents (docs/result.schema.json). `stages`: of these alone."""
    old = {s["id"]: s for s in before["stages"] if stages is None or s["id"] in stages}
    new = {s["id"]: s for s in after["stages"] if stages is None or s["id"] in stages}
    changed = _changed(before, after, stages)
    found, times, counted, unjudged = [], [], 0, 0
    if before.get("error", "") != after.get("error", ""):
        found.append(Difference("", "whether it can be read", _error(before), _error(after)))
    for stage in [*old, *(s for s in new if s not in old)]:
        if stage not in old or stage not in new:
            there = ("not there", "there")
            found.append(Difference(stage, "the stage", there[stage in old], there[stage in new]))
            continue
        verdicts = list(_verdicts(old[stage], new[stage]))
        open_ones = sum(bool({v.before, v.after} & _UNJUDGED) for v in verdicts)
        counted, unjudged = counted + len(verdicts) - open_ones, unjudged + open_ones
        differing = [
            v for v in verdicts if v.before != v.after and not {v.before, v.after} & _UNJUDGED
        ]
        found += differing
        if not any({v.before, v.after} & _UNJUDGED for v in verdicts if "case" in v.what):
            found += _points(old[stage], new[stage])
        times += _times(old[stage], new[stage])
    told = [Difference(d.stage, d.what, d.before, d.after, _meaning(d, changed)) for d in found]
    return Comparison(tuple(told), tuple(changed), tuple(times), counted, unjudged)


def _error(result: dict) -> str:
    return result.get("error", "") or "readable"


def _verdicts(old: dict, new: dict):
    yield Difference(old["id"], "status of the stage", old["status"], new["status"])
    before, after = _cases(old), _cases(new)
    for name in [*before, *(n for n in after if n not in before)]:
        yield Difference(
            old["id"],
            f"{'hidden case' if name[1] else 'case'} {name[0]}",
            before.get(name, "not there"),
            after.get(name, "not there"),
        )
    wrong = {s["name"]: s["status"] for s in new["speed"]}
    for speed in old["speed"]:
        # PASS and SLOW tell times apart, and these are told as times.
        pair = [_right(speed["status"]), _right(wrong.get(speed["name"], "not there"))]
        if not set(pair) <= _UNJUDGED:
            yield Difference(old["id"], f"outputs while timed, {speed['name']}", *pair)


def _right(status: str) -> str:
    return "right" if status in ("PASS", "SLOW") else "PENDING" if status == "SKIPPED" else status


def _cases(stage: dict) -> dict[tuple[str, bool], str]:
    return {(case["name"], case["hidden"]): case["status"] for case in stage["cases"]}


def _points(old: dict, new: dict) -> list[Difference]:
    """Of the groups of cases. Points for speed follow from times."""
    after = {g["name"]: g["points"] for g in new["groups"]}
    return [
        Difference(
            old["id"],
            f"points of {group['name']}",
            f"{group['points']:g}",
            f"{after[group['name']]:g}" if group["name"] in after else "not there",
        )
        for group in old["groups"]
        if group["name"] not in after or abs(after[group["name"]] - group["points"]) > 0.005
    ]


def _times(old: dict, new: dict) -> list[Difference]:
    after = {s["name"]: s for s in new["speed"] if "ratio" in s}
    return [
        Difference(
            old["id"],
            f"speed, {speed['name']}",
            _speed(speed),
            _speed(after[speed["name"]]),
        )
        for speed in old["speed"]
        if "ratio" in speed and speed["name"] in after
    ]


def _speed(speed: dict) -> str:
    return f"{speed['ratio']['median']:.2f} x, {speed['points']:g} points"


def _changed(before: dict, after: dict, stages: list[str] | None) -> list[Difference]:
    """What judged, where it is another one."""
    old, new = judged_by(before, stages), judged_by(after, stages)
    changed = [
        Difference("", what, old.get(what, "none"), new.get(what, "none"))
        for what in dict.fromkeys([*old, *new])
        if old.get(what) != new.get(what)
    ]
    depends, now = before.get("depends", {}), after.get("depends", {})
    others: dict[str, list[str]] = {}
    for key in sorted(set(depends) & set(now)):
        told = key in _TOLD or key.startswith("set of ")
        if depends[key] != now[key] and not told and (stages is None or _concerns(key, stages)):
            stage = "" if key.startswith("programs of ") else _stage_in(key)
            others.setdefault(f"files of {stage}" if stage else "programs", []).append(key)
    changed += [Difference("", what, "", ", ".join(keys)) for what, keys in others.items()]
    return changed


def _stage_in(key: str) -> str:
    """The id of the stage that a key of `depends` names, or ""."""
    found = re.search(r"\b\d\d_\w+", key)
    return found[0] if found else ""


def _concerns(key: str, stages: list[str]) -> bool:
    """Whether a key of `depends` is of no stage, or of one of these."""
    return _stage_in(key) in ("", *stages)


def _meaning(difference: Difference, changed: list[Difference]) -> str:
    """Of what is another one now, that which explains such a difference; the likeliest first."""
    ends = {difference.before, difference.after}
    of_stage = [c for c in changed if not difference.stage or _concerns(c.what, [difference.stage])]
    kinds = {_kind(c.what) for c in of_stage}
    reasons = []
    if "not there" in ends and "cases" in kinds:
        reasons.append("another set of cases")
    if "sandbox" in kinds and ends & _OF_CONFINEMENT:
        reasons.append("another sandbox, which stops other things")
    if ends & _OF_TIME:
        reasons.append("a limit: another machine is slower, or was busy")
    words = {
        "device": "another device: what races or depends on time shows on one of them only",
        "cases": "another set of cases",
        "compiler": "another compiler, which makes something else of undefined behaviour",
        "stage": "other limits, points or baselines of the stage",
        "kit": "another kit",
        "sandbox": "another sandbox",
    }
    reasons += [text for kind, text in words.items() if kind in kinds and text not in reasons]
    if "another sandbox, which stops other things" in reasons and "another sandbox" in reasons:
        reasons.remove("another sandbox")
    return "; or ".join(reasons) or _NOTHING_ELSE


def _kind(what: str) -> str:
    if what in ("compiler", "device", "sandbox"):
        return what
    if " cases of " in what:
        return "cases"
    return "stage" if what.startswith("files of ") else "kit"
