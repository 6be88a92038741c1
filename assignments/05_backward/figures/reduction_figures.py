# SPDX-License-Identifier: MIT
"""Figures of the sums: two levels of a reduction, and the walk of task 05.4."""

from __future__ import annotations

from canvas import (
    INPUT,
    INPUT_EDGE,
    KERNEL,
    KERNEL_EDGE,
    OUTPUT,
    OUTPUT_EDGE,
    PLAIN,
    RULE,
    SOFT,
    Svg,
    paragraph,
)


def two_levels() -> str:
    s = Svg(
        780,
        380,
        "Two levels of a reduction",
        "The outputs of a batch are cut into four parts. A block sums each part: its threads, "
        "then a tree. Each block writes to its own place in the workspace; a second kernel adds "
        "the four in the order of their index.",
    )
    left, width = 40, 168
    s.text(left, 34, "one tap: n \u00b7 oh \u00b7 ow products", 15, "start", bold=True)
    for part in range(4):
        x = left + part * 178
        for k in range(8):
            s.rect(x + k * 21, 50, 19, 24, INPUT, INPUT_EDGE)
        s.line(x + width / 2, 78, x + width / 2, 96, arrow=True)
        s.rect(x + 14, 100, 140, 84, OUTPUT, OUTPUT_EDGE, 1.5, radius=4)
        s.text(x + 84, 122, f"block {part}", 14, bold=True)
        s.text(x + 84, 144, "threads, strided", 12, colour=SOFT)
        s.text(x + 84, 164, "then a tree", 12, colour=SOFT)
        s.line(x + width / 2, 186, x + width / 2, 214, arrow=True)
        s.cell(
            x + 64,
            218,
            40,
            f"s{part}".translate(str.maketrans("0123", "\u2080\u2081\u2082\u2083")),
            KERNEL,
            KERNEL_EDGE,
        )
    s.text(left, 288, "workspace, a place for each block", 13, "start", SOFT)
    s.rect(left, 304, 330, 34, OUTPUT, OUTPUT_EDGE, 1.5, radius=4)
    s.text(left + 165, 326, "((s\u2080 + s\u2081) + s\u2082) + s\u2083", 15, mono=True)
    paragraph(
        s,
        400,
        300,
        "The second kernel begins when the first has ended,",
        "and adds in the order of the index. Which block was",
        "done first does not matter: the same bits every time.",
    )
    return s.finish()


def walk_down() -> str:
    """A 3x3 kernel: the row of x that has come meets the last three rows of dy."""
    side, kernel, columns = 40, 3, 7
    s = Svg(
        780,
        420,
        "A thread walks down a column",
        "Kernel 3 x 3. A thread owns column j of dy. When row r of x comes, it loads three "
        "neighbouring elements of x and one of dy; the three last elements of dy are kept in "
        "registers. Their nine products go to nine sums in registers.",
    )
    left, top = 40, 70
    s.text(left, 40, "x", 15, "start", bold=True)
    for r in range(7):
        for c in range(columns):
            now = r == 4 and 2 <= c < 2 + kernel
            old = r < 4 and 2 <= c < 2 + kernel
            s.cell(
                left + c * side,
                top + r * side,
                side,
                "",
                INPUT if now else "#f2f6fc" if old else PLAIN,
                RULE,
            )
    for q in range(kernel):
        s.text(
            left + (2.5 + q) * side, top + 4.62 * side, f"q={q}", 12, colour=INPUT_EDGE, bold=True
        )
    s.text(left + columns * side + 12, top + 4.62 * side, "row r", 13, "start", INPUT_EDGE)
    x0 = 420
    s.text(x0, 40, "dy, column j", 15, "start", bold=True)
    for r in range(6):
        kept = 2 <= r <= 4
        s.cell(
            x0,
            top + r * side,
            side,
            f"p={4 - r}" if kept else "",
            OUTPUT if kept else PLAIN,
            RULE,
            size=12,
        )
    s.line(x0 + side + 34, top + 10, x0 + side + 34, top + 6 * side - 10, arrow=True)
    s.text(x0 + side + 44, top + 40, "walks down", 13, "start", SOFT)
    s.text(x0 + side + 44, top + 2.6 * side, "kept in registers,", 13, "start", OUTPUT_EDGE)
    s.text(x0 + side + 44, top + 2.6 * side + 20, "one of them new", 13, "start", OUTPUT_EDGE)
    x1 = 640
    s.text(x1, top + 160, "9 sums", 14, "start", bold=True)
    for p in range(kernel):
        for q in range(kernel):
            s.cell(x1 + q * 34, top + 172 + p * 34, 34, f"{p}{q}", KERNEL, KERNEL_EDGE, size=13)
    paragraph(
        s,
        left,
        384,
        "sum[p][q] += dy[r \u2212 p][j] \u00b7 x[r][j + q]:  3 + 1 loads for 9 products;",
        "with 7 \u00d7 7 and two filters 7 + 2 for 98. The next thread owns the next column.",
    )
    return s.finish()
