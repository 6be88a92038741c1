# SPDX-License-Identifier: MIT
"""The timed shapes of a stage: a picture and the same in words."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .document import Speed
from .frame import badge, count, points, words
from .markup import Markup, drawn, joined, number, tag

_WIDTH, _LEFT, _RIGHT = 340, 14, 326


@dataclass(frozen=True)
class Tiers:
    """`none` earns nothing, `full` everything, log-linear between (stage.toml)."""

    none: float
    full: float


class LogAxis:
    """From pixels `left` to `right`."""

    def __init__(self, values: list[float], left: float = _LEFT, right: float = _RIGHT):
        low, high = min([1.0, *values]), max([1.0, *values])
        room = (high / low) ** 0.06 if high > low else 1.3
        self._low, self._high = math.log(low / room), math.log(high * room)
        self._left, self._right = left, right

    def at(self, value: float) -> float:
        share = (math.log(value) - self._low) / (self._high - self._low)
        return self._left + share * (self._right - self._left)


def times(value: float) -> str:
    """A ratio as a reader says it: with three digits, "×4.27"."""
    digits = max(0, 2 - math.floor(math.log10(value)))
    text = f"{value:.{min(digits, 4)}f}"
    return "×" + (text.rstrip("0").rstrip(".") if "." in text else text)


def speed_bar(
    median: float | None, quartiles: tuple[float, float] | None, tiers: Tiers | None
) -> Markup:
    """The tiers as a band that grows darker towards `full`, on it the median with its quartiles.
    Without a median the axis alone. The text beside it says the same."""
    values = [*([tiers.none, tiers.full] if tiers else []), *(quartiles or ())]
    axis = LogAxis([*values, *([median] if median else [])])
    middle = 26
    parts: list[object] = [tag("path", d=f"M{_LEFT} {middle}H{_RIGHT}", class_="axis")]
    if tiers:
        parts += _tiers(axis, tiers, middle)
    if not tiers or tiers.none != 1:
        x = axis.at(1)
        parts.append(tag("path", d=f"M{x:.1f} {middle - 10}v20", class_="tick"))
        parts.append(tag("text", "×1 baseline", x=x + 3, y=middle - 9, class_="label"))
    if median:
        parts += _median(axis, median, quartiles, middle)
    return drawn(_WIDTH, 54, "", parts, class_="speed")


def _tiers(axis: LogAxis, tiers: Tiers, middle: float) -> list[Markup]:
    """Four steps of the same width, the darker the more points."""
    left, right = axis.at(tiers.none), axis.at(tiers.full)
    step = (right - left) / 4
    band = [
        tag("rect", x=left + i * step, y=middle - 7, width=step, height=14, class_=f"tier tier{i}")
        for i in range(4)
    ]
    none = "×1 baseline" if tiers.none == 1 else f"{times(tiers.none)}: no points"
    return [
        *band,
        *_tick(left, middle, none, "start"),
        *_tick(right, middle, f"{times(tiers.full)}: all points", _beside(left, right)),
    ]


def _beside(left: float, right: float) -> str:
    """The anchor of a label at `right` that does not meet the one that begins at `left`."""
    return "start" if right - left < 140 and right < 240 else "end"


def _tick(x: float, middle: float, label: str, anchor: str) -> list[Markup]:
    return [
        tag("path", d=f"M{x:.1f} {middle - 10}v20", class_="tick"),
        tag("text", label, x=x, y=middle + 23, text_anchor=anchor, class_="label"),
    ]


def _median(
    axis: LogAxis, median: float, quartiles: tuple[float, float] | None, middle: float
) -> list[Markup]:
    x = axis.at(median)
    parts = []
    if quartiles:
        low, high = axis.at(quartiles[0]), axis.at(quartiles[1])
        parts.append(
            tag("path", d=f"M{low:.1f} {middle - 5}v10m0-5H{high:.1f}m0-5v10", class_="quartiles")
        )
    anchor = "start" if x < 60 else "end" if x > _WIDTH - 60 else "middle"
    return [
        *parts,
        tag("circle", cx=x, cy=middle, r=5, class_="median"),
        tag("text", times(median), x=x, y=12, text_anchor=anchor, class_="value"),
    ]


def speed_dots(ratios: list[float], tiers: Tiers | None) -> Markup:
    """A dot for each ratio, those that would lie on each other stacked; a line at the median."""
    values = [*ratios, *([tiers.none, tiers.full] if tiers else [])]
    axis = LogAxis(values)
    stacks: dict[int, int] = {}
    places = []
    for ratio in sorted(ratios):
        column = round(axis.at(ratio) / 7)
        places.append((column * 7, stacks.get(column, 0)))
        stacks[column] = stacks.get(column, 0) + 1
    # A tall stack is pressed together: the picture stays as high as eight dots.
    step = min(7, 56 / max(stacks.values(), default=1))
    height = 14 + step * max(stacks.values(), default=1)
    base = height + 2
    dots = "".join(f"M{x} {base - 6 - step * up:.1f}h0" for x, up in places)
    middle = sorted(ratios)[len(ratios) // 2] if len(ratios) % 2 else None
    if middle is None:
        ordered = sorted(ratios)
        middle = math.sqrt(ordered[len(ratios) // 2 - 1] * ordered[len(ratios) // 2])
    parts: list[object] = [
        tag("path", d=f"M{_LEFT} {base:.1f}H{_RIGHT}", class_="axis"),
        tag("path", d=f"M{axis.at(middle):.1f} 4V{base:.1f}", class_="quartiles"),
        tag("path", d=dots, class_="dots"),
    ]
    marks = [(1.0, "×1 baseline")]
    if tiers:
        marks.append((tiers.full, f"{times(tiers.full)}: all points"))
        if tiers.none != 1:
            marks.append((tiers.none, f"{times(tiers.none)}: none"))
    for value, label in marks:
        x = axis.at(value)
        anchor = "start" if value <= 1 else _beside(axis.at(1), x)
        parts += [
            tag("path", d=f"M{x:.1f} {base - 4:.1f}v8", class_="tick"),
            tag("text", label, x=x, y=base + 17, text_anchor=anchor, class_="label"),
        ]
    return drawn(_WIDTH, base + 22, "", parts, class_="speed")


def speed_part(speeds: list[Speed], tiers: dict[str, Tiers]) -> Markup | None:
    if not speeds:
        return None
    shapes = [_shape(speed, tiers.get(speed.name)) for speed in speeds]
    return joined(
        tag("h3", "Speed"),
        tag(
            "p",
            "How many times as fast as the baseline, on a logarithmic axis. Points grow from "
            "pale to dark. The dot is the median of the rounds; the line reaches from the lower to "
            "the upper quartile.",
            class_="aside",
        ),
        tag("ul", shapes, class_="shapes"),
    )


def _shape(speed: Speed, tiers: Tiers | None) -> Markup:
    facts: list[object] = []
    if speed.median:
        facts.append(tag("b", f"{times(speed.median)} the baseline"))
        if speed.quartiles:
            low, high = (times(q) for q in speed.quartiles)
            facts.append(f"quartiles {low} to {high}")
        if speed.pairs:
            facts.append(count(speed.pairs, "round"))
        if speed.submission_ms:
            facts.append(f"{speed.submission_ms:.4g} ms, baseline {speed.baseline_ms:.4g} ms")
            facts.append(f"{speed.gflops:.4g} GFLOP/s")
    if tiers:
        facts.append(f"points: none at {times(tiers.none)}, all at {times(tiers.full)}")
    listed = [[fact, "; "] for fact in facts]
    if listed:
        listed[-1][-1] = "."
    earned = points(speed.points, speed.max_points) if speed.max_points else "no points"
    if speed.pending_points:
        earned += f", {number(speed.pending_points)} pending"
    told = speed.message if not speed.median else ""
    return tag(
        "li",
        tag(
            "h4",
            badge(speed.status),
            " ",
            speed.title or speed.name,
            " ",
            tag("span", earned, class_="earned"),
        ),
        speed_bar(speed.median, speed.quartiles, tiers) if speed.median or tiers else None,
        tag("p", words(told) if told else None, " " if told else None, listed, class_="aside"),
    )
