# SPDX-License-Identifier: MIT
"""What the figures of all stages are drawn with: canvas, colours, command, and what they share."""

from figure_command import draw
from svg import (
    INK,
    INPUT,
    INPUT_EDGE,
    KERNEL,
    KERNEL_EDGE,
    OUTPUT,
    OUTPUT_EDGE,
    PADDING,
    PLAIN,
    RULE,
    SOFT,
    WRONG,
    WRONG_FILL,
    Svg,
)


def box(s: Svg, x: float, y: float, w: float, h: float, label: str, fill: str, edge: str) -> None:
    """A labelled step or array."""
    s.rect(x, y, w, h, fill, edge, 1.5, radius=4)
    s.text(x + w / 2, y + h / 2 + 5, label, 13)


def paragraph(s: Svg, x: float, y: float, *lines: str) -> None:
    """Soft small print, line below line."""
    for k, line in enumerate(lines):
        s.text(x, y + 20 * k, line, 13, "start", SOFT)


__all__ = [
    "INK",
    "INPUT",
    "INPUT_EDGE",
    "KERNEL",
    "KERNEL_EDGE",
    "OUTPUT",
    "OUTPUT_EDGE",
    "PADDING",
    "PLAIN",
    "RULE",
    "SOFT",
    "WRONG",
    "WRONG_FILL",
    "Svg",
    "box",
    "draw",
    "paragraph",
]
