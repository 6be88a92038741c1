#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the figures of the stage-06 handout (Python 3.10+, standard library only).

python3 draw.py            write every figure beside this script
python3 draw.py --check    prove that the committed figures are what this script draws
"""

from __future__ import annotations

from canvas import draw
from layout_figures import dense_as_convolution, strides
from library_figures import blending, choosing, nd_flow

FIGURES = [nd_flow, strides, blending, choosing, dense_as_convolution]

if __name__ == "__main__":
    raise SystemExit(draw("06", FIGURES))
