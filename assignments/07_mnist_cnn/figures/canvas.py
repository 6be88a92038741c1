# SPDX-License-Identifier: MIT
"""The canvas of the figures, and the command that draws them, are those of stage 01."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "01_cpu_conv" / "figures"))

from figure_command import draw
from svg import (
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

__all__ = [
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
]
