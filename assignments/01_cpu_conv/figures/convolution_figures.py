# SPDX-License-Identifier: MIT
"""Figures of what a convolution computes: products and sums, the flip, channels and filters."""

from __future__ import annotations

import arrays
from canvas import (
    INK,
    INPUT,
    INPUT_EDGE,
    KERNEL,
    KERNEL_EDGE,
    OUTPUT,
    OUTPUT_EDGE,
    SOFT,
    Svg,
    signed,
)
from svg import number


def _product(w: float, x: float) -> str:
    return f"({signed(w)})\u00b7{number(x)}" if w < 0 else f"{number(w)}\u00b7{number(x)}"


def _rows(matrix: list[list[float]]) -> list[list[str]]:
    return [[signed(v) for v in row] for row in matrix]


def cross_correlation() -> str:
    x, w = arrays.X, arrays.W
    y = arrays.cross_correlation(x, w)
    s = Svg(
        760,
        420,
        "One output element of a cross-correlation",
        "A 3x3 window of the 4x4 input is multiplied element by element with the kernel; the "
        "sum of the nine products is one element of the 2x2 output.",
    )
    side = 42
    i, j = 1, 0  # the output element shown
    window = tuple((i + p, j + q) for p in range(3) for q in range(3))
    s.text(40 + 2 * side, 40, "input x [4][4]", bold=True)
    s.grid(40, 56, _rows(x), side, INPUT, INPUT_EDGE, window, "#9cc4ff")
    s.rect(40 + j * side, 56 + i * side, 3 * side, 3 * side, "none", INPUT_EDGE, 3)
    s.text(300 + 1.5 * side, 40, "kernel w [3][3]", bold=True)
    s.grid(300, 56 + side / 2, _rows(w), side, KERNEL, KERNEL_EDGE)
    s.text(250, 56 + 2 * side + 7, "\u2299", 26, colour=SOFT)
    s.text(490, 56 + 2 * side + 7, "\u2192 sum \u2192", 17, colour=SOFT)
    s.text(570 + side, 40, "output y [2][2]", bold=True)
    s.grid(570, 56 + side, _rows(y), side, OUTPUT, OUTPUT_EDGE, ((i, j),), "#93d79c")
    s.rect(570 + j * side, 56 + (side * (1 + i)), side, side, "none", OUTPUT_EDGE, 3)
    s.text(
        30,
        272,
        f"y[{i}][{j}] = sum over p, q of x[{i} + p][{j} + q] * w[p][q]",
        15,
        "start",
        mono=True,
    )
    for p in range(3):
        terms = " + ".join(_product(w[p][q], x[i + p][j + q]) for q in range(3))
        value = sum(w[p][q] * x[i + p][j + q] for q in range(3))
        s.text(60, 304 + 26 * p, f"kernel row {p}:  {terms}", 15, "start", mono=True)
        s.text(430, 304 + 26 * p, f"= {signed(value):>2}", 15, "start", mono=True)
    s.line(425, 368, 490, 368, INK)
    s.text(430, 390, f"= {signed(y[i][j]):>2}", 15, "start", OUTPUT_EDGE, True, True)
    return s.finish()


def flipped_kernel() -> str:
    x, w = arrays.X, arrays.W
    flipped = arrays.rotate180(w)
    s = Svg(
        760,
        400,
        "Cross-correlation against convolution",
        "The same input with the kernel as it is (cross-correlation) and with the kernel "
        "turned by 180 degrees (convolution) gives two different outputs.",
    )
    side = 34
    s.text(40 + 2 * side, 122, "input x", bold=True)
    s.grid(40, 136, _rows(x), side, INPUT, INPUT_EDGE)
    for top, title, kernel, note in (
        (50, "cross-correlation: the kernel as stored", w, "this course, PyTorch, TensorFlow"),
        (
            236,
            "convolution of mathematics: turned by 180\u00b0",
            flipped,
            "both axes reversed: (p, q) \u2192 (2 \u2212 p, 2 \u2212 q)",
        ),
    ):
        y = arrays.cross_correlation(x, kernel)
        s.text(250, top - 12, title, 15, "start", bold=True)
        s.grid(
            250,
            top,
            _rows(kernel),
            side,
            KERNEL,
            KERNEL_EDGE,
            ((0, 0),) if kernel is w else ((2, 2),),
            "#ffc078",
        )
        s.text(250, top + 3 * side + 22, note, 13, "start", SOFT)
        s.line(376, top + 1.5 * side, 452, top + 1.5 * side, arrow=True)
        s.grid(470, top + side / 2, _rows(y), side, OUTPUT, OUTPUT_EDGE)
        s.text(556, top + side + 12, f"y[0][0] = {signed(y[0][0])}", 14, "start", mono=True)
    s.text(160, 300, "x is the same", 13, colour=SOFT)
    s.text(250, 385, "The darker cell is the same weight, w[0][0] = 1.", 13, "start", SOFT)
    return s.finish()


def _stack(
    s: Svg,
    x: float,
    y: float,
    planes: int,
    rows: int,
    side: float,
    fill: str,
    edge: str,
    shift: float = 14,
) -> None:
    """Planes of a tensor, one behind the other; the first is in front."""
    for k in reversed(range(planes)):
        s.grid(
            x + k * shift,
            y - k * shift,
            [["" for _ in range(rows)] for _ in range(rows)],
            side,
            fill,
            edge,
        )


def channels_filters() -> str:
    s = Svg(
        780,
        400,
        "Channels and filters",
        "Every filter has one kernel for each input channel; the sums over all channels make "
        "one output feature map for each filter.",
    )
    s.text(105, 36, "x [c = 3][h][w]", bold=True)
    _stack(s, 40, 166, 3, 5, 24, INPUT, INPUT_EDGE, 22)
    s.rect(40, 166, 72, 72, "none", KERNEL_EDGE, 3)
    s.text(100, 312, "channel 0 in front", 13, colour=SOFT)
    s.text(372, 36, "w [m = 2][c = 3][kh][kw]", bold=True)
    for m, top in ((0, 66), (1, 216)):
        for c in range(3):
            x0 = 270 + c * 86
            s.grid(x0, top, [["" for _ in range(3)] for _ in range(3)], 20, KERNEL, KERNEL_EDGE)
            s.text(x0 + 30, top + 78, f"w[{m}][{c}]", 12, mono=True)
            if c < 2:
                s.text(x0 + 73, top + 36, "+", 17, colour=SOFT)
        s.text(388, top + 104, f"filter {m}: 3 kernels, one sum, bias b[{m}]", 13, colour=SOFT)
        s.line(226, 190, 262, top + 30, arrow=True)
        s.line(510, top + 30, 584, top + 22, arrow=True)
    s.text(655, 36, "y [m = 2][oh][ow]", bold=True)
    for m, top in ((0, 60), (1, 210)):
        s.grid(
            596,
            top,
            [["" for _ in range(3)] for _ in range(3)],
            24,
            OUTPUT,
            OUTPUT_EDGE,
            ((0, 0),),
            "#93d79c",
        )
        s.text(632, top + 90, f"feature map {m}", 13, colour=SOFT)
    s.text(
        40,
        362,
        "y[n][m][i][j] = b[m] + sum over c, p, q of x[n][c][..][..] * w[m][c][p][q]",
        14,
        "start",
        mono=True,
    )
    s.text(
        40, 386, "The images n of a mini-batch share the filters and never meet.", 13, "start", SOFT
    )
    return s.finish()
