#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the figures of the stage-07 handout (Python 3.10+, standard library only).

python3 draw.py            write every figure beside this script
python3 draw.py --check    prove that the committed figures are what this script draws
"""

from __future__ import annotations

from canvas import draw
from network_figures import folding, pipeline, strip, two_ways

FIGURES = [two_ways, pipeline, strip, folding]

if __name__ == "__main__":
    raise SystemExit(draw("07", FIGURES))
