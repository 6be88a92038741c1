# SPDX-License-Identifier: MIT
"""The figures are drawn with what stage 01 has for it."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "01_cpu_conv" / "figures"))

from drawing import *  # noqa: F403
from drawing import Svg


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
