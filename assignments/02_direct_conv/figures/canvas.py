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


def box(s: Svg, x: float, y: float, w: float, h: float, label: str, fill: str, edge: str) -> None:
    """A labelled step or array."""
    s.rect(x, y, w, h, fill, edge, 1.5, radius=4)
    s.text(x + w / 2, y + h / 2 + 5, label, 13)


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
]
