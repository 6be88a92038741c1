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
    WRONG,
    WRONG_FILL,
    Svg,
)


def paragraph(s: Svg, x: float, y: float, *lines: str) -> None:
    """Soft small print, line below line."""
    for k, line in enumerate(lines):
        s.text(x, y + 20 * k, line, 13, "start", SOFT)


def box(
    s: Svg, x: float, y: float, width: float, lines: list[str], fill: str, edge: str
) -> tuple[float, float]:
    """A box with a bold first line and small ones below; returns its height and its middle."""
    height = 26 + 18 * (len(lines) - 1)
    s.rect(x, y, width, height, fill, edge, 1.5, radius=4)
    s.text(x + width / 2, y + 18, lines[0], 13, bold=True)
    for k, line in enumerate(lines[1:]):
        s.text(x + width / 2, y + 36 + 18 * k, line, 12, mono=True)
    return height, y + height / 2


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
