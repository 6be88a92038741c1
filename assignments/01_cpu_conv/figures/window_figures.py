# SPDX-License-Identifier: MIT
"""Figures of where a window stands: padding, stride, dilation, "same" padding."""

from __future__ import annotations

import arrays
from canvas import (
    INPUT,
    INPUT_EDGE,
    KERNEL,
    KERNEL_EDGE,
    OUTPUT,
    OUTPUT_EDGE,
    PADDING,
    RULE,
    SOFT,
    WRONG,
    Svg,
)


def padding_stride() -> str:
    size, kernel, pad, stride = 5, 3, 1, 2
    out = arrays.output_size(size, kernel, pad, stride)
    s = Svg(
        780,
        480,
        "Padding and stride",
        "A 5x5 input with one ring of zeros; a 3x3 window moved by two gives a 3x3 output. "
        "Below, an axis of six elements where the last padded element is never read.",
    )
    side, left, top = 34, 40, 76
    s.text(left, 34, "h = w = 5, pad 1, k = 3, stride 2", anchor="start", bold=True)
    inside = tuple((r, c) for r in range(1, 6) for c in range(1, 6))
    values = [["" if (r, c) in inside else "0" for c in range(7)] for r in range(7)]
    s.grid(left, top, values, side, PADDING, RULE, inside, INPUT, 13)
    for i, colour in ((0, KERNEL_EDGE), (1, "#7b4fb5"), (2, OUTPUT_EDGE)):
        x0, y0 = left + i * stride * side, top
        s.rect(
            x0 + 2, y0 + 2 + 3 * (i % 2), kernel * side - 4, kernel * side - 4, "none", colour, 3
        )
        s.text(x0 + kernel * side / 2, top - 8, f"j = {i}", 13, colour=colour, bold=True)
    s.text(
        left,
        top + 7 * side + 22,
        "window j starts at column j \u00b7 stride \u2212 pad = \u22121, 1, 3",
        13,
        "start",
        SOFT,
    )
    s.text(470 + 1.5 * side, 34, "output 3\u00d73", bold=True)
    s.grid(
        470,
        top,
        [[f"{i},{j}" for j in range(out)] for i in range(out)],
        side,
        OUTPUT,
        OUTPUT_EDGE,
        size=12,
    )
    for k, text in enumerate(
        (
            "oh = \u230a(h + 2 pad \u2212 (k \u2212 1) \u2212 1) / stride\u230b + 1",
            f"   = \u230a(5 + 2 \u2212 2 \u2212 1) / 2\u230b + 1 = \u230a4 / 2\u230b + 1 = {out}",
        )
    ):
        s.text(350, top + 136 + 26 * k, text, 14, "start", mono=True)
    s.text(350, top + 196, "grey: padding, read as 0, stored nowhere", 13, "start", SOFT)
    s.rect(326, top + 184, 16, 16, PADDING)

    y = 404
    s.text(
        40,
        386,
        "When it does not divide evenly: h = 6, pad 1, k = 3, stride 2",
        14,
        "start",
        bold=True,
    )
    for c in range(8):
        padded = c in (0, 7)
        s.cell(
            40 + c * side,
            y,
            side,
            "0" if padded else str(c - 1),
            PADDING if padded else INPUT,
            size=13,
        )
    for i, colour in ((0, KERNEL_EDGE), (1, "#7b4fb5"), (2, OUTPUT_EDGE)):
        s.line(
            42 + i * 2 * side,
            y + side + 8 + 7 * i,
            38 + (i * 2 + 3) * side,
            y + side + 8 + 7 * i,
            colour,
            4,
        )
    s.text(
        340,
        y + 14,
        f"\u230a(6 + 2 \u2212 2 \u2212 1) / 2\u230b + 1 = \u230a2.5\u230b + 1 = "
        f"{arrays.output_size(6, 3, 1, 2)}",
        14,
        "start",
        mono=True,
    )
    s.text(
        340,
        y + 38,
        "The last padded element is never read. That is not an error.",
        13,
        "start",
        SOFT,
    )
    return s.finish()


def dilation() -> str:
    size, kernel, d = 7, 3, 2
    out = arrays.output_size(size, kernel, dilation=d)
    s = Svg(
        790,
        340,
        "Dilation",
        "A 3x3 kernel with dilation 2 reads nine elements spread over a 5x5 area of the input.",
    )
    side, left, top = 32, 40, 62
    for k, (dil, title) in enumerate(((1, "dilation 1"), (d, "dilation 2"))):
        x0 = left + k * 260
        s.text(x0 + 3.5 * side, 40, f"h = w = 7, k = 3, {title}", bold=True)
        taps = tuple((p * dil, q * dil) for p in range(kernel) for q in range(kernel))
        values = [["" for _ in range(size)] for _ in range(size)]
        for p in range(kernel):
            for q in range(kernel):
                values[p * dil][q * dil] = f"{p},{q}"
        s.grid(x0, top, values, side, INPUT, INPUT_EDGE, taps, KERNEL, 12)
        extent = dil * (kernel - 1) + 1
        s.rect(x0, top, extent * side, extent * side, "none", KERNEL_EDGE, 3)
        s.text(
            x0 + 3.5 * side,
            top + 7 * side + 22,
            f"covers {extent}\u00d7{extent}, output "
            f"{arrays.output_size(size, kernel, dilation=dil)}\u00d7"
            f"{arrays.output_size(size, kernel, dilation=dil)}",
            13,
            colour=SOFT,
        )
    s.text(555, 92, "tap (p, q) of output (i, j)", 14, "start", bold=True)
    s.text(555, 116, "reads x[i + p\u00b7d][j + q\u00b7d]", 13, "start", mono=True)
    s.text(555, 164, "extent of the kernel", 14, "start", bold=True)
    s.text(555, 188, "d (k \u2212 1) + 1", 13, "start", mono=True)
    s.text(555, 236, "output", 14, "start", bold=True)
    s.text(555, 260, "7 \u2212 2\u00b7(3 \u2212 1) \u2212 1 + 1", 13, "start", mono=True)
    s.text(555, 282, f"= {out}", 13, "start", mono=True)
    return s.finish()


def same_padding() -> str:
    size, kernel, stride = 6, 3, 2
    before, after = arrays.same_padding(size, kernel, stride)
    x = [1, 2, 3, 4, 5, 6]
    s = Svg(
        780,
        380,
        "TensorFlow's same padding against symmetric padding",
        "Six elements, kernel 3, stride 2: same padding adds one zero after the end; "
        "symmetric padding of one gives as many outputs, but other windows and other values.",
    )
    side = 40
    colours = (KERNEL_EDGE, "#7b4fb5", OUTPUT_EDGE)
    for top, pads, title, good in (
        (
            66,
            (before, after),
            '"same": total = max(0, (3 \u2212 1)\u00b72 + 3 \u2212 6) = 1 \u2192 before 0, after 1',
            True,
        ),
        (232, (1, 1), "symmetric pad 1: also 3 outputs, but every window one place earlier", False),
    ):
        left = 40 + (1 - pads[0]) * side
        s.text(40, top - 20, title, 14, "start", bold=True)
        padded = [0] * pads[0] + x + [0] * pads[1]
        for k, value in enumerate(padded):
            pad = k < pads[0] or k >= pads[0] + size
            s.cell(left + k * side, top, side, str(value), PADDING if pad else INPUT)
        for i in range(3):
            y = top + side + 10 + 9 * i
            s.line(
                left + i * stride * side + 3,
                y,
                left + (i * stride + kernel) * side - 3,
                y,
                colours[i],
                5,
            )
            total = sum(padded[i * stride + q] for q in range(kernel))
            s.cell(
                560 + i * side, top, side, str(total), OUTPUT, OUTPUT_EDGE, colours[i], bold=True
            )
        s.text(450, top + 26, "w = 1, 1, 1 \u2192", 14, mono=True)
        s.text(
            560 + 1.5 * side,
            top + side + 26,
            "right" if good else "wrong here",
            14,
            colour=OUTPUT_EDGE if good else WRONG,
            bold=True,
        )
    s.text(
        40,
        352,
        "grey: padding. When the total is odd, the extra element goes after.",
        13,
        "start",
        SOFT,
    )
    return s.finish()
