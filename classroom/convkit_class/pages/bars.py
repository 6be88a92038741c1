# SPDX-License-Identifier: MIT
"""Small pictures of counts and shares: a bar of points, a bar of several kinds, a histogram."""

from __future__ import annotations

from .markup import Markup, drawn, tag


def points_bar(points: float, pending: float, most: float) -> Markup:
    """What is earned, then what may still come. The numbers stand beside it."""
    most = most or 1
    earned = 100 * min(points, most) / most
    still = min(100 - earned, 100 * pending / most)
    rects = [
        tag("rect", x=0, y=0, width=100, height=8, class_="bar-ground"),
        tag("rect", x=0, y=0, width=earned, height=8, class_="bar-earned") if earned else None,
        tag("rect", x=earned, y=0, width=still, height=8, class_="bar-pending") if still else None,
    ]
    return drawn(100, 8, "", rects, class_="bar", preserveAspectRatio="none")


def parts_bar(parts: list[tuple[str, int]], total: int) -> Markup:
    """One bar of (class, count), in the order given."""
    rects, x = [], 0.0
    for class_, count in parts:
        width = 100 * count / (total or 1)
        if width:
            rects.append(tag("rect", x=x, y=0, width=width, height=10, class_=class_))
        x += width
    ground = tag("rect", x=0, y=0, width=100, height=10, class_="bar-ground")
    return drawn(100, 10, "", ground, rects, class_="bar", preserveAspectRatio="none")


BINS = 10


def histogram(shares: list[float], about: str) -> Markup:
    """How many of the shares (0 to 1) lie in each tenth; the last one holds 1, too."""
    counts = tenths(shares)
    most = max([1, *counts])
    parts: list[object] = []
    for i, count in enumerate(counts):
        high = 70 * count / most
        x = 6 + 21 * i
        if count:
            parts += [
                tag("rect", x=x, y=88 - high, width=19, height=high, rx=1.5, class_="column"),
                tag(
                    "text", str(count), x=x + 9.5, y=84 - high, text_anchor="middle", class_="value"
                ),
            ]
    parts.append(tag("path", d="M5 88.5H216", class_="axis"))
    for i, label in ((0, "0 %"), (5, "50 %"), (10, "100 %")):
        anchor = ("start", "middle", "end")[i // 5]
        parts.append(tag("text", label, x=5 + 21 * i, y=102, text_anchor=anchor, class_="label"))
    return drawn(222, 107, about, parts, class_="histogram")


def tenths(shares: list[float]) -> list[int]:
    counts = [0] * BINS
    for share in shares:
        counts[max(0, min(BINS - 1, int(share * BINS + 1e-9)))] += 1
    return counts
