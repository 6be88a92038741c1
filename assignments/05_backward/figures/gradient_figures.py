# SPDX-License-Identifier: MIT
"""Figures that derive the gradients: the ways back, the full correlation, the spread, and dw."""

from __future__ import annotations

from canvas import (
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

SUBSCRIPT = str.maketrans(
    "0123456789", "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089"
)


def sub(name: str, index: int) -> str:
    """x and 3 -> x with a subscript 3."""
    return name + str(index).translate(SUBSCRIPT)


def ways_back() -> str:
    """One axis, five inputs, three taps: who reads whom, from both sides."""
    inputs, taps, side, step = 5, 3, 40, 64
    outputs = inputs - taps + 1
    s = Svg(
        780,
        430,
        "The ways of the products, forward and back",
        "One axis with five inputs, a kernel of three taps and three outputs. Each output is "
        "connected with the three inputs it reads. Scatter follows the lines of one output, gather "
        "those of one input.",
    )

    def panel(left: float, title: str, chosen_output: int | None, chosen_input: int | None) -> None:
        s.text(left, 34, title, 15, "start", bold=True)
        top_x, top_y = 70, 270
        for i in range(outputs):
            for p in range(taps):
                chosen = i == chosen_output or i + p == chosen_input
                x1 = left + (i + 1) * step + side / 2
                x2 = left + (i + p) * step + side / 2
                colour = KERNEL_EDGE if chosen else RULE
                s.line(x1, top_y, x2, top_x + side, colour, 2.5 if chosen else 1)
                if chosen:
                    # Where the lines have parted.
                    share, outward = (0.74, -1) if chosen_input is None else (0.28, 1)
                    s.text(
                        x1
                        + (x2 - x1) * share
                        + 16 * (outward if x2 < x1 else -outward if x2 > x1 else 1),
                        top_y + (top_x + side - top_y) * share,
                        sub("w", p),
                        14,
                        colour=KERNEL_EDGE,
                        bold=True,
                    )
        for r in range(inputs):
            hit = chosen_input == r or (chosen_output is not None and 0 <= r - chosen_output < taps)
            s.cell(left + r * step, top_x, side, sub("x", r), INPUT if hit else PLAIN, INPUT_EDGE)
        for i in range(outputs):
            hit = chosen_output == i or (chosen_input is not None and 0 <= chosen_input - i < taps)
            at = left + (i + 1) * step
            s.cell(at, top_y, side, sub("y", i), OUTPUT if hit else PLAIN, OUTPUT_EDGE)

    panel(30, "scatter: what output 1 was made of", 1, None)
    panel(420, "gather: where input 2 went", None, 2)
    s.text(
        30,
        350,
        "dx\u2081 += dy\u2081 w\u2080,  dx\u2082 += dy\u2081 w\u2081,",
        14,
        "start",
        mono=True,
    )
    s.text(30, 372, "dx\u2083 += dy\u2081 w\u2082", 14, "start", mono=True)
    s.text(
        420,
        350,
        "dx\u2082 = dy\u2082 w\u2080 + dy\u2081 w\u2081 + dy\u2080 w\u2082",
        14,
        "start",
        mono=True,
    )
    paragraph(
        s, 30, 408, "The same lines, followed from either end. The weight on a line never changes."
    )
    return s.finish()


def full_correlation() -> str:
    """dx as a correlation of the framed dy with the turned filter."""
    taps, outputs, side = 3, 3, 44
    frame = taps - 1
    inputs = outputs + taps - 1
    s = Svg(
        780,
        400,
        "dx is a full correlation of dy with the turned filter",
        "Three elements of dy with two zeros on each side. A window of three slides over these "
        "seven; inside it the weights stand in the order w2, w1, w0. Its five positions give the "
        "five elements of dx.",
    )
    left = 60
    s.text(left, 34, "dy, framed by kernel \u2212 1 zeros on each side", 15, "start", bold=True)
    for k in range(outputs + 2 * frame):
        inside = frame <= k < frame + outputs
        label = sub("dy", k - frame) if inside else "0"
        fill, edge = (OUTPUT, OUTPUT_EDGE) if inside else (PADDING, RULE)
        s.cell(left + k * side, 52, side, label, fill, edge)
    for r in range(inputs):
        top = 118 + 46 * r
        for k in range(taps):
            s.cell(
                left + (r + k) * side + 4,
                top,
                36,
                sub("w", taps - 1 - k),
                KERNEL,
                KERNEL_EDGE,
                size=14,
            )
        terms = [f"{sub('dy', r - p)} {sub('w', p)}" for p in range(taps) if 0 <= r - p < outputs]
        text = f"{sub('dx', r)} = {' + '.join(terms)}"
        s.text(left + 7 * side + 30, top + 24, text, 14, "start", mono=True)
    paragraph(
        s,
        left,
        372,
        "i = r \u2212 p: while p grows, i falls. That turns the filter; nobody turns it again.",
    )
    return s.finish()


def stride_spread() -> str:
    """Stride 2: dy spread by zeros, then as with stride 1."""
    taps, outputs, stride, side = 3, 3, 2, 40
    inputs = (outputs - 1) * stride + taps
    frame = taps - 1
    s = Svg(
        780,
        390,
        "A stride spreads dy",
        "With stride 2 the three elements of dy are put at distance 2, with a zero between. The "
        "turned filter slides over them one by one. Half of its weights meet zeros.",
    )
    left = 40
    s.text(
        left, 34, "stride 2: dy with stride \u2212 1 zeros between, framed", 15, "start", bold=True
    )
    spread = (outputs - 1) * stride + 1
    for k in range(spread + 2 * frame):
        at = k - frame
        real = 0 <= at < spread and at % stride == 0
        label = sub("dy", at // stride) if real else "0"
        fill, edge = (OUTPUT, OUTPUT_EDGE) if real else (PADDING, RULE)
        s.cell(left + k * side, 52, side, label, fill, edge, size=14)
    for line, r in enumerate((2, 3)):
        top = 120 + 60 * line
        for k in range(taps):
            at = r + k - frame
            meets = 0 <= at < spread and at % stride == 0
            fill, edge = (KERNEL, KERNEL_EDGE) if meets else (PLAIN, RULE)
            s.cell(left + (r + k) * side + 3, top, 34, sub("w", taps - 1 - k), fill, edge, size=13)
        terms = [
            f"{sub('dy', (r - p) // stride)} {sub('w', p)}"
            for p in range(taps)
            if (r - p) % stride == 0 and 0 <= (r - p) // stride < outputs
        ]
        s.text(
            left + 9 * side + 30,
            top + 22,
            f"{sub('dx', r)} = {' + '.join(terms)}",
            14,
            "start",
            mono=True,
        )
    s.text(left, 268, "The zeros are never stored. The gather asks instead:", 14, "start")
    s.text(left, 298, "i = (r + pad \u2212 p \u00b7 dilation) / stride", 16, "start", mono=True)
    paragraph(
        s,
        left,
        330,
        "and there is an output i only if the division leaves no rest, and if 0 \u2264 i < oh.",
        f"Of {inputs} elements of dx, those with even index have two terms here, the others one;",
        "with a stride larger than the kernel some have none, and are zero.",
    )
    return s.finish()


def filter_gradient() -> str:
    """dw[1][2]: dy laid over x at offset (1, 2)."""
    size, kernel, side = 5, 3, 38
    out = size - kernel + 1
    p, q = 1, 2
    s = Svg(
        780,
        350,
        "dw is a correlation of x with dy",
        "An image of 5 x 5 and dy of 3 x 3. For tap (1, 2), dy is laid over x one row down and two "
        "columns to the right; the nine products are added. Nothing is turned.",
    )
    left, top = 40, 70
    s.text(left, 40, "x, and dy laid over it", 15, "start", bold=True)
    for r in range(size):
        for c in range(size):
            hit = p <= r < p + out and q <= c < q + out
            s.cell(left + c * side, top + r * side, side, "", OUTPUT if hit else INPUT, RULE)
            if hit:
                s.text(
                    left + (c + 0.5) * side,
                    top + (r + 0.6) * side,
                    f"dy{r - p}{c - q}".translate(SUBSCRIPT),
                    13,
                )
    s.rect(left + q * side, top + p * side, out * side, out * side, "none", OUTPUT_EDGE, 3)
    s.line(left + q * side, top + size * side + 16, left, top + size * side + 16, arrow=True)
    s.text(left + q * side / 2, top + size * side + 36, "q = 2", 13, colour=SOFT)
    s.line(left - 14, top + p * side, left - 14, top, arrow=True)
    s.text(left - 14, top - 8, "p = 1", 13, colour=SOFT)
    x0 = 330
    s.text(x0, 40, "dw", 15, "start", bold=True)
    for r in range(kernel):
        for c in range(kernel):
            hit = (r, c) == (p, q)
            fill, edge = (KERNEL, KERNEL_EDGE) if hit else (PLAIN, RULE)
            s.cell(x0 + c * side, top + r * side, side, "", fill, edge)
    s.text(x0 + (q + 0.5) * side, top + (p + 0.62) * side, "\u03a3", 18, bold=True)
    s.line(left + size * side + 10, top + 75, x0 - 12, top + 60, arrow=True)
    s.text(476, 90, "dw[p][q] = \u03a3 x[i+p][j+q] \u00b7 dy[i][j]", 13, "start", mono=True)
    paragraph(
        s,
        476,
        124,
        "over i, j and over all images.",
        "Every offset of dy on x is a tap:",
        "as many taps as offsets, 3 \u00d7 3.",
        "Few sums, each as long as",
        "all outputs of the batch.",
    )
    return s.finish()


def pooling_ties() -> str:
    """A 3x3 window with stride 2 over a row with ties."""
    values, side = [4, 6, 9, 3, 5, 5, 1], 62
    s = Svg(
        780,
        324,
        "Max pooling with ties, and windows that overlap",
        "A row 4 6 9 3 5 5 1 with windows of three, stride 2. The 9 wins the first two windows and "
        "gets both gradients. In the third one the first 5 wins, not the second.",
    )
    left = 60
    s.text(left, 36, "windows of 3, stride 2: the first maximum takes all", 15, "start", bold=True)
    winners = []
    for i in range(3):
        window = values[2 * i : 2 * i + 3]
        winners.append(2 * i + window.index(max(window)))
    for k, value in enumerate(values):
        fill = OUTPUT if k in winners else INPUT
        s.cell(left + k * side, 60, side, str(value), fill, INPUT_EDGE, bold=k in winners)
    for i in range(len(winners)):
        y = 138 + 18 * i
        s.line(left + 2 * i * side + 4, y, left + (2 * i + 3) * side - 4, y, OUTPUT_EDGE, 4)
        s.text(left + (2 * i + 3) * side + 8, y + 5, sub("dy", i), 13, "start", OUTPUT_EDGE, True)
    labels = [
        "+".join(sub("dy", i) for i, w in enumerate(winners) if w == k) or "0" for k in range(7)
    ]
    for k, label in enumerate(labels):
        s.cell(left + k * side, 208, side, str(label), PLAIN, RULE, size=14)
    s.text(left + 7 * side + 14, 244, "dx", 15, "start", bold=True)
    paragraph(
        s,
        left,
        300,
        "The 9 has won two windows. In the third the first 5 takes all; the second gets nothing.",
    )
    return s.finish()
