# SPDX-License-Identifier: MIT
"""Figures of what surrounds the definition: memory, pooling, the network, registers, rounding."""

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
    PADDING,
    PLAIN,
    RULE,
    SOFT,
    WRONG,
    WRONG_FILL,
    Svg,
    signed,
)

CHANNEL = (INPUT, KERNEL)
CHANNEL_EDGE = (INPUT_EDGE, KERNEL_EDGE)


def nchw_layout() -> str:
    channels, height, width = 2, 2, 3
    s = Svg(
        780,
        400,
        "NCHW and NHWC in memory",
        "The twelve elements of a tensor with two channels, two rows and three columns, and "
        "the order in which NCHW and NHWC put them into memory.",
    )
    side = 44
    for c in range(channels):
        x0 = 70 + c * 250
        s.text(x0 + 1.5 * side, 40, f"channel {c}", bold=True)
        s.grid(
            x0,
            56,
            [[f"{c}{h}{w}" for w in range(width)] for h in range(height)],
            side,
            CHANNEL[c],
            CHANNEL_EDGE[c],
        )
    s.text(560, 74, "element c h w", 14, "start", SOFT)
    s.text(560, 96, "n = 0 everywhere", 14, "start", SOFT)

    def strip(top: float, name: str, formula: str, order: list, strides: str) -> None:
        s.text(30, top - 14, name, 15, "start", bold=True)
        s.text(110, top - 14, formula, 14, "start", mono=True)
        for address, (c, h, w) in enumerate(order):
            s.cell(30 + address * side, top, side, f"{c}{h}{w}", CHANNEL[c], CHANNEL_EDGE[c])
            s.text(30 + (address + 0.5) * side, top + side + 16, str(address), 11, colour=SOFT)
        s.text(580, top + 18, "one step of", 13, "start", SOFT)
        s.text(580, top + 38, strides, 13, "start", mono=True)

    nchw = [(c, h, w) for c in range(channels) for h in range(height) for w in range(width)]
    nhwc = [(c, h, w) for h in range(height) for w in range(width) for c in range(channels)]
    strip(206, "NCHW", "((n\u00b7C + c)\u00b7H + h)\u00b7W + w", nchw, "c: 6   h: 3   w: 1")
    strip(320, "NHWC", "((n\u00b7H + h)\u00b7W + w)\u00b7C + c", nhwc, "h: 6   w: 2   c: 1")
    return s.finish()


def pooling_padding() -> str:
    x = arrays.POOL_X
    windows = arrays.pool_windows(x, kernel=2, pad=1, stride=2)
    s = Svg(
        780,
        380,
        "Padding in pooling",
        "A 3x3 input of negative numbers, padded by one, pooled with 2x2 windows and stride 2: "
        "the maximum ignores padding, the average counts it or not.",
    )
    side, left, top = 44, 40, 62
    s.text(left, 40, "x 3\u00d73, pad 1, window 2\u00d72, stride 2", 13, "start", bold=True)
    inside = tuple((r, c) for r in range(1, 4) for c in range(1, 4))
    values = [
        [signed(x[r - 1][c - 1]) if (r, c) in inside else "" for c in range(5)] for r in range(5)
    ]
    s.grid(left, top, values, side, PADDING, RULE, inside, INPUT)
    colours = (KERNEL_EDGE, "#7b4fb5", OUTPUT_EDGE, INPUT_EDGE)
    for k, colour in enumerate(colours):
        i, j = divmod(k, 2)
        s.rect(
            left + 2 * j * side + 3,
            top + 2 * i * side + 3,
            2 * side - 6,
            2 * side - 6,
            "none",
            colour,
            3,
        )
    s.text(left, top + 5 * side + 22, "The last row and column are not read.", 12, "start", SOFT)
    best = [max(w) for w in windows]
    rows = (
        ("maximum", best, "padding never wins", OUTPUT, OUTPUT_EDGE),
        (
            "average, padding counted",
            [sum(w) / 4 for w in windows],
            "divide by kh \u00b7 kw = 4",
            OUTPUT,
            OUTPUT_EDGE,
        ),
        (
            "average, padding not counted",
            [sum(w) / len(w) for w in windows],
            "divide by 1, 2, 2, 4",
            OUTPUT,
            OUTPUT_EDGE,
        ),
        (
            "maximum started from 0",
            [max([*w, 0] if len(w) < 4 else w) for w in windows],
            "wrong: the padding won",
            WRONG_FILL,
            WRONG,
        ),
    )
    for k, (name, result, note, fill, edge) in enumerate(rows):
        y = 52 + 78 * k
        for n in range(4):
            i, j = divmod(n, 2)
            s.cell(320 + j * 56, y + i * 28, 28, "", PLAIN)
            s.rect(320 + j * 56, y + i * 28, 56, 28, fill, edge)
            s.text(320 + j * 56 + 28, y + i * 28 + 19, signed(result[n]), 14)
        s.text(450, y + 22, name, 14, "start", bold=True)
        s.text(450, y + 44, note, 13, "start", WRONG if fill == WRONG_FILL else SOFT)
    return s.finish()


def lenet() -> str:
    s = Svg(
        900,
        300,
        "The LeNet-like network of task 01.6",
        "28x28 digit, conv1 with six 5x5 filters and padding 2, max pooling, conv2 with sixteen "
        "5x5 filters, max pooling, three dense layers, softmax over ten digits.",
    )
    stages = (
        (1, 96, "1\u00d728\u00d728", "x", INPUT, INPUT_EDGE),
        (6, 96, "6\u00d728\u00d728", "conv1 + ReLU", OUTPUT, OUTPUT_EDGE),
        (6, 56, "6\u00d714\u00d714", "max pool", PADDING, RULE),
        (16, 44, "16\u00d710\u00d710", "conv2 + ReLU", OUTPUT, OUTPUT_EDGE),
        (16, 26, "16\u00d75\u00d75", "max pool", PADDING, RULE),
    )
    x = 24.0
    for k, (planes, side, shape, name, fill, edge) in enumerate(stages):
        shown, shift = min(planes, 6), 5
        total = side + (shown - 1) * shift
        for p in reversed(range(shown)):
            s.rect(
                x + p * shift,
                140 - side / 2 - p * shift + (shown - 1) * shift / 2,
                side,
                side,
                fill,
                edge,
            )
        middle = x + total / 2
        s.text(middle, 232, shape, 13, mono=True)
        s.text(middle, 252, name, 13, colour=SOFT)
        x += total + 30
        last = k == len(stages) - 1
        s.line(x - 25, 140, x + (18 if last else -6), 140, arrow=True)
    x += 24
    for k, (width, name) in enumerate(((120, "fc1 + ReLU"), (84, "fc2 + ReLU"), (10, "softmax"))):
        height = 24 + width
        fill, edge = (KERNEL, KERNEL_EDGE) if k < 2 else (INPUT, INPUT_EDGE)
        s.rect(x, 140 - height / 2, 22, height, fill, edge)
        s.text(x + 11, 232, str(width), 13, mono=True)
        s.text(x + 11, 252, name if k < 2 else "fc3 +", 13, colour=SOFT)
        if k == 2:
            s.text(x + 11, 270, name, 13, colour=SOFT)
        else:
            s.line(x + 30, 140, x + 74, 140, arrow=True)
        x += 86
    counts = [
        f"{n:,}".replace(",", " ") for n in (arrays.lenet_parameters(), arrays.lenet_products())
    ]
    s.text(
        450,
        32,
        f"LeNet, forward: {counts[0]} parameters, {counts[1]} products for a digit",
        15,
        bold=True,
    )
    s.text(24, 286, "5\u00d75 filters; conv1 pads by 2, conv2 not at all", 13, "start", SOFT)
    return s.finish()


def register_tile() -> str:
    filters, vectors = 4, 2
    s = Svg(
        780,
        420,
        "A register tile",
        "Four filters times two vectors of eight neighbouring outputs: six loads feed eight "
        "fused multiply-adds, and the eight sums stay in registers.",
    )
    s.text(
        390,
        34,
        "one step (c, p, q) of a tile of 4 filters \u00d7 16 neighbouring outputs",
        15,
        bold=True,
    )
    x0, y0, vector, height = 250, 132, 216, 44
    for v in range(vectors):
        left = x0 + v * (vector + 16)
        s.text(left + vector / 2, 66, f"x[c][row + p][j + {8 * v} + q \u2026]", 13, mono=True)
        for lane in range(8):
            s.cell(left + lane * 27, 76, 27, "", INPUT, INPUT_EDGE)
        s.line(left + vector / 2, 106, left + vector / 2, 126, arrow=True)
    for f in range(filters):
        top = y0 + f * (height + 12)
        s.text(96, top + 27, f"w[m + {f}][c][p][q]", 13, mono=True)
        s.cell(184, top + 8, 27, "", KERNEL, KERNEL_EDGE)
        s.line(214, top + 22, 244, top + 22, arrow=True)
        for v in range(vectors):
            left = x0 + v * (vector + 16)
            for lane in range(8):
                s.cell(left + lane * 27, top + 8, 27, "+=", OUTPUT, OUTPUT_EDGE, size=11)
    s.text(40, 384, "2 vectors of x + 4 broadcast weights = 6 loads", 14, "start")
    s.text(390, 384, "4 \u00d7 2 = 8 FMAs", 14, "start")
    s.text(540, 384, "6 / 8 = 0.75 loads per FMA", 14, "start", OUTPUT_EDGE, True)
    s.text(
        40,
        406,
        "The green sums stay in 8 registers over all (c, p, q); y is written once at the end.",
        13,
        "start",
        SOFT,
    )
    return s.finish()


def error_bound() -> str:
    example = arrays.rounding_example()
    s = Svg(
        780,
        330,
        "The error bound",
        "Every order of a float32 sum lands inside the bound around the float64 reference; a "
        "wrong sign lands far outside.",
    )
    centre, unit, y = 300, 190, 150
    s.text(390, 34, "one output element: 576 random products and a bias (577 terms)", 15, bold=True)
    s.rect(centre - unit, y - 44, 2 * unit, 88, "#eaf6ec", OUTPUT_EDGE, 1.5, radius=4)
    s.line(30, y, 700, y, INK)
    s.line(700, y, 716, y, INK, dash="2 4")
    s.line(716, y, 750, y, INK, arrow=True)
    s.line(centre, y - 54, centre, y + 54, OUTPUT_EDGE, 2)
    s.text(centre, y - 64, "reference (float64)", 13, colour=OUTPUT_EDGE, bold=True)
    s.text(centre - unit, y + 68, "\u2212 allowed", 13, colour=OUTPUT_EDGE)
    s.text(centre + unit, y + 68, "+ allowed", 13, colour=OUTPUT_EDGE)
    for offset in (-6, -4, -2, 3, 5):
        s.line(centre + offset, y - 12, centre + offset, y + 12, INPUT_EDGE, 2)
    s.line(centre - 36, y - 24, centre - 12, y - 10, INPUT_EDGE, arrow=True)
    s.text(centre - 42, y - 22, "any order of summing", 13, "end", INPUT_EDGE)
    s.line(735, y - 12, 735, y + 12, WRONG, 3)
    s.text(750, y - 24, "one wrong sign: typically", 13, "end", WRONG)
    s.text(750, y + 34, f"{example['median_flip']:.0f} times the allowed error", 13, "end", WRONG)
    s.text(
        40, 268, "allowed = \u03b3(577) \u00b7 (\u03a3 |x\u00b7w| + |b|)", 14, "start", mono=True
    )
    s.text(
        40,
        294,
        f"        = {arrays.gamma(577):.4e} \u00b7 {example['magnitude']:.2f}"
        f" = {example['allowed']:.5f}",
        14,
        "start",
        mono=True,
    )
    s.text(480, 268, "largest error of five orders:", 13, "start", SOFT)
    s.text(480, 292, f"{example['largest_error']:.7f}", 14, "start", INPUT_EDGE, mono=True)
    s.text(480, 314, "Marks are not to scale.", 12, "start", SOFT)
    return s.finish()
