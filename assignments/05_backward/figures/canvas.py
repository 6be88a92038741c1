# SPDX-License-Identifier: MIT
"""The canvas of the figures, and the command that draws them, are those of stage 01."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "01_cpu_conv" / "figures"))

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
    Svg,
)


def paragraph(s: Svg, x: float, y: float, *lines: str) -> None:
    """Soft small print, line below line."""
    for k, line in enumerate(lines):
        s.text(x, y + 20 * k, line, 13, "start", SOFT)


def row(s: Svg, x: float, y: float, side: float, labels: list, fill: str, edge: str) -> None:
    """Neighbouring cells of one axis."""
    for k, label in enumerate(labels):
        s.cell(x + k * side, y, side, str(label), fill, edge, size=14)


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
    "Svg",
    "draw",
    "paragraph",
    "row",
]
