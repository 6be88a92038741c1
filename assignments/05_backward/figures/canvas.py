# SPDX-License-Identifier: MIT
"""The figures are drawn with what stage 01 has for it."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "01_cpu_conv" / "figures"))

from drawing import *  # noqa: F403
from drawing import Svg


def row(s: Svg, x: float, y: float, side: float, labels: list, fill: str, edge: str) -> None:
    """Neighbouring cells of one axis."""
    for k, label in enumerate(labels):
        s.cell(x + k * side, y, side, str(label), fill, edge, size=14)
