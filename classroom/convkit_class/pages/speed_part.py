# SPDX-License-Identifier: MIT
"""The timed shapes of a stage: a picture and the same in words."""

from __future__ import annotations

from .document import Speed
from .frame import badge, count, points, words
from .markup import Markup, joined, number, tag
from .speed_picture import Tiers, speed_bar, times


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
