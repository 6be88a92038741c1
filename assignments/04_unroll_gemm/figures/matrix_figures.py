# SPDX-License-Identifier: MIT
"""Figures of the unrolled matrix: what lies where, the way back, and the two orders in memory."""

from __future__ import annotations

from canvas import (
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
    paragraph,
)

DARK = "#9cc4ff"


def unrolled() -> str:
    """x 3 x 4 holding 1 to 12, kernel 2 x 2: u has 4 rows and 6 columns."""
    h, w, k, side = 3, 4, 2, 34
    oh, ow = h - k + 1, w - k + 1
    s = Svg(
        860,
        420,
        "An image and its unrolled matrix",
        "An image of 3 x 4 holding 1 to 12, unrolled for a 2 x 2 kernel. Each column of the matrix "
        "is one window of the image; each row is one place of the window. The filter, written as a "
        "row, times the matrix is the row of all outputs.",
    )
    image = [[r * w + c + 1 for c in range(w)] for r in range(h)]
    chosen = 4  # the window of output (1, 1)
    i, j = divmod(chosen, ow)
    s.text(40, 36, "x, 3 \u00d7 4", anchor="start", bold=True)
    s.grid(40, 54, image, side, INPUT, INPUT_EDGE)
    s.rect(40 + j * side, 54 + i * side, k * side, k * side, "none", KERNEL_EDGE, 3)
    paragraph(s, 40, 182, "the window of", "output (1, 1)")

    left, top = 330, 84
    s.text(left, 36, "u: a row for each place of the window,", anchor="start", bold=True)
    s.text(left, 54, "a column for each output", anchor="start", bold=True)
    for p in range(k):
        for q in range(k):
            row = p * k + q
            s.text(left - 12, top + row * side + 22, f"p = {p}, q = {q}", 13, "end", SOFT)
            for column in range(oh * ow):
                oi, oj = divmod(column, ow)
                hit = column == chosen
                s.cell(
                    left + column * 48,
                    top + row * side,
                    side,
                    str(image[oi + p][oj + q]),
                    KERNEL if hit else INPUT,
                    KERNEL_EDGE if hit else INPUT_EDGE,
                )
    for column in range(oh * ow):
        oi, oj = divmod(column, ow)
        s.text(left + column * 48 + side / 2, top - 8, f"{oi},{oj}", 12, colour=SOFT)
    s.line(40 + 3 * side + 18, 54 + 2 * side, left - 105, top + 2 * side, arrow=True)

    weights = ["1", "0", "2", "\u22121"]
    values = [1, 0, 2, -1]
    y = top + 4 * side + 70
    s.text(40, y - 16, "w as a row, 1 \u00d7 4", anchor="start", bold=True)
    for c, weight in enumerate(weights):
        s.cell(40 + c * side, y, side, weight, KERNEL, KERNEL_EDGE)
    s.text(222, y + 23, "\u00d7   u   =", 16)
    s.text(left, y - 16, "y as a row, 1 \u00d7 6", anchor="start", bold=True)
    for column in range(oh * ow):
        oi, oj = divmod(column, ow)
        total = sum(values[p * k + q] * image[oi + p][oj + q] for p in range(k) for q in range(k))
        hit = column == chosen
        s.cell(
            left + column * 48, y, side, str(total), OUTPUT if hit else PLAIN, OUTPUT_EDGE, bold=hit
        )
    paragraph(
        s,
        40,
        y + 76,
        "12 elements of x became 24 elements of u: each is stored once for each window that "
        "contains it.",
        "More channels give more rows of u, more filters more rows of w and y.",
    )
    return s.finish()


def roll_counts() -> str:
    """How many windows contain each element, for stride 1 and 2."""
    s = Svg(
        820,
        340,
        "How many windows contain an element",
        "Two images of 5 x 5 with a 3 x 3 kernel. With stride 1 the middle element is in nine "
        "windows and a corner in one. With stride 2 there are four windows, and the middle element "
        "is in all of them.",
    )
    size, kernel, side = 5, 3, 40
    for panel, stride in enumerate((1, 2)):
        left, top = 40 + panel * 420, 70
        out = (size - kernel) // stride + 1
        s.text(left, 36, f"stride {stride}: {out * out} windows", anchor="start", bold=True)
        starts = [a * stride for a in range(out)]
        for r in range(size):
            for c in range(size):
                rows = sum(a <= r < a + kernel for a in starts)
                columns = sum(a <= c < a + kernel for a in starts)
                count = rows * columns
                fill = PLAIN if count == 1 else INPUT if count < 4 else DARK
                s.cell(left + c * side, top + r * side, side, str(count), fill, INPUT_EDGE)
        s.rect(left, top, 3 * side, 3 * side, "none", KERNEL_EDGE, 3)
    paragraph(
        s,
        40,
        310,
        "Outlined: the first window. roll(unroll(x)) is not x: every element comes back as many "
        "times as it was",
        "copied. Scatter adds to these places, gather collects for each of them.",
    )
    return s.finish()


def two_orders() -> str:
    """Six numbers in memory, read by rows and by columns."""
    s = Svg(
        820,
        350,
        "One memory, two matrices",
        "Six numbers in memory. Read by rows of three they are a matrix of 2 x 3; read by columns "
        "of three they are its transpose, 3 x 2.",
    )
    side = 40
    names = list("abcdef")
    s.text(290, 40, "in memory", bold=True)
    for k, name in enumerate(names):
        s.cell(290 + (k - 3) * side, 56, side, name, INPUT, INPUT_EDGE)
    s.line(230, 104, 185, 136, arrow=True)
    s.line(370, 104, 470, 136, arrow=True)
    s.text(60, 158, "yours: row-major [2][3]", anchor="start", bold=True)
    for k, name in enumerate(names):
        s.cell(90 + k % 3 * side, 176 + k // 3 * side, side, name, OUTPUT, OUTPUT_EDGE)
    s.text(90 + 1.5 * side, 280, "a row has 3 elements", 13, colour=SOFT)
    s.text(400, 158, "the library's: column-major, 3 rows, 2 columns", 14, "start", INK, True)
    for k, name in enumerate(names):
        s.cell(480 + k // 3 * side, 176 + k % 3 * side, side, name, OUTPUT, OUTPUT_EDGE)
    s.text(600, 216, "leading dimension: 3,", 13, "start", SOFT)
    s.text(600, 236, "the length of a column", 13, "start", SOFT)
    paragraph(
        s,
        60,
        330,
        "Nothing moved. What you call A the library calls A\u1d40; so ask it for "
        "Y\u1d40 = U\u1d40 W\u1d40 and get Y.",
    )
    return s.finish()


def implicit_tile() -> str:
    """An element of a tile of u, and where in x it comes from."""
    s = Svg(
        860,
        440,
        "The tile loader computes addresses",
        "An element of the unrolled matrix lies at a row, which is a tap of the window, and a "
        "column, which is the corner of a window in one image. Its place in x is the sum of both.",
    )
    side = 24
    s.text(40, 36, "u, which nobody stores", anchor="start", bold=True)
    rows, columns = 9, 12
    for r in range(rows):
        for c in range(columns):
            tile = 3 <= r < 6 and 4 <= c < 8
            hit = (r, c) == (5, 6)
            fill = KERNEL if hit else DARK if tile else PADDING
            s.cell(40 + c * side, 56 + r * side, side, "", fill, INPUT_EDGE if tile else RULE)
    s.rect(40 + 4 * side, 56 + 3 * side, 4 * side, 3 * side, "none", INPUT_EDGE, 3)
    s.text(40 + 6 * side, 56 + 9 * side + 24, "the tile of a block", 13, colour=INPUT_EDGE)
    s.line(40 + 12 * side + 6, 56 + 5.5 * side, 400, 56 + 5.5 * side, arrow=True)
    s.text(366, 56 + 5.5 * side - 10, "row", 13, colour=SOFT)
    s.line(40 + 6.5 * side, 330, 40 + 6.5 * side, 352, arrow=True)
    s.text(40 + 6.5 * side + 14, 348, "column", 13, "start", SOFT)

    left = 410
    s.rect(left, 56 + 4 * side, 190, 78, PLAIN, KERNEL_EDGE, 1.5, radius=6)
    s.text(left + 95, 56 + 4 * side + 24, "a tap: ch, p, q", 14, bold=True)
    s.text(left + 95, 56 + 4 * side + 46, "offset of the tap from", 13, colour=SOFT)
    s.text(left + 95, 56 + 4 * side + 64, "the window's corner", 13, colour=SOFT)
    s.rect(60, 358, 270, 44, PLAIN, OUTPUT_EDGE, 1.5, radius=6)
    s.text(195, 376, "a window: image, i, j", 14, bold=True)
    s.text(195, 394, "address of its corner in x", 13, colour=SOFT)

    x0, y0 = 650, 96
    s.text(x0, 76, "x", anchor="start", bold=True)
    for r in range(7):
        for c in range(7):
            window = 2 <= r < 5 and 3 <= c < 6
            hit = (r, c) == (4, 5)
            fill = KERNEL if hit else INPUT if window else PLAIN
            s.cell(x0 + c * side, y0 + r * side, side, "", fill, RULE)
    s.rect(x0 + 3 * side, y0 + 2 * side, 3 * side, 3 * side, "none", OUTPUT_EDGE, 3)
    s.line(left + 192, 56 + 5.5 * side, x0 + 4.9 * side, y0 + 4.3 * side, arrow=True)
    s.line(332, 380, x0 + 3.3 * side, y0 + 5.6 * side, arrow=True)
    paragraph(
        s,
        480,
        356,
        "place in x = corner + offset; whether it is in the",
        "padding is two comparisons. The corner belongs to",
        "the column, the offset to the row: neither is",
        "computed for each element.",
    )
    return s.finish()
