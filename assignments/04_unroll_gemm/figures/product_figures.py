# SPDX-License-Identifier: MIT
"""Figures of the matrix product: tiles, loads for each product, and two buffers."""

from __future__ import annotations

from canvas import (
    INK,
    INPUT,
    INPUT_EDGE,
    KERNEL,
    KERNEL_EDGE,
    OUTPUT,
    OUTPUT_EDGE,
    PLAIN,
    SOFT,
    WRONG,
    Svg,
    paragraph,
)

DARK, ORANGE, GREEN = "#9cc4ff", "#ffc98a", "#93d79c"


def product_tiles() -> str:
    """c divided among blocks, a block's tile among threads."""
    s = Svg(
        860,
        460,
        "Tiles of a matrix product",
        "The tile of c that a block computes needs a strip of rows of a and a strip of columns of "
        "b. It walks along both, a pair of tiles at a time. A thread computes a square of the "
        "tile, from a piece of a column of one tile and a piece of a row of the other.",
    )
    ax, ay, size, k = 60, 210, 200, 150
    s.text(ax, ay - 12, "a [m][k]", anchor="start", bold=True)
    s.rect(ax, ay, k, size, PLAIN)
    s.rect(ax, ay + 80, k, 50, KERNEL, KERNEL_EDGE)
    s.rect(ax + 60, ay + 80, 30, 50, ORANGE, KERNEL_EDGE, 2)
    bx, by = 250, 40
    s.text(bx + 212, by + 20, "b [k][n]", anchor="start", bold=True)
    s.rect(bx, by, size, k, PLAIN)
    s.rect(bx + 100, by, 50, k, INPUT, INPUT_EDGE)
    s.rect(bx + 100, by + 60, 50, 30, DARK, INPUT_EDGE, 2)
    s.text(bx + 212, ay + 20, "c [m][n]", anchor="start", bold=True)
    s.rect(bx, ay, size, size, PLAIN)
    s.rect(bx + 100, ay + 80, 50, 50, GREEN, OUTPUT_EDGE, 2)
    s.line(ax + 20, ay + 142, ax + 140, ay + 142, arrow=True)
    s.text(ax + 80, ay + 160, "step by step", 13, colour=SOFT)
    s.line(bx + 162, by + 20, bx + 162, by + 140, arrow=True)

    x0, y0, side = 620, 150, 16
    s.text(x0 - 40, 60, "the tile of the block,", anchor="start", bold=True)
    s.text(x0 - 40, 78, "4 \u00d7 4 for a thread", anchor="start", bold=True)
    for r in range(12):
        for c in range(12):
            own = 4 <= r < 8 and 8 <= c < 12
            s.cell(x0 + c * side, y0 + r * side, side, "", GREEN if own else PLAIN, OUTPUT_EDGE)
    for r in range(12):
        own = 4 <= r < 8
        fill = ORANGE if own else PLAIN
        s.cell(x0 - 34, y0 + r * side, side, "", fill, KERNEL_EDGE)
    for c in range(12):
        own = 8 <= c < 12
        s.cell(x0 + c * side, y0 - 34, side, "", DARK if own else PLAIN, INPUT_EDGE)
    s.text(x0 - 44, y0 + 6 * side + 5, "4", 14, "end", KERNEL_EDGE, True)
    s.text(x0 + 10 * side, y0 - 42, "4", 14, "middle", INPUT_EDGE, True)
    paragraph(
        s, x0 - 40, y0 + 12 * side + 28, "8 numbers from shared memory", "for 16 multiply-adds"
    )
    return s.finish()


def loads_per_product() -> str:
    """Loads from shared memory for each multiply-add, by the size of a thread's tile."""
    rows = [
        ("1 \u00d7 1", 2.0),
        ("2 \u00d7 2", 1.0),
        ("4 \u00d7 4", 0.5),
        ("8 \u00d7 8", 0.25),
        ("8 \u00d7 8, four at a time", 0.0625),
    ]
    s = Svg(
        820,
        300,
        "Loads from shared memory for each multiply-add",
        "One element per thread: 2 loads. 4 x 4: half a load. 8 x 8: a quarter, which is the "
        "limit. With loads of four floats: a sixteenth.",
    )
    s.text(40, 36, "load instructions for each multiply-add", anchor="start", bold=True)
    left, scale = 240, 250
    for k, (name, value) in enumerate(rows):
        y = 60 + k * 38
        s.text(left - 12, y + 18, name, 14, "end")
        over = value > 0.25
        s.rect(left, y, value * scale, 26, KERNEL if over else OUTPUT, KERNEL_EDGE)
        s.text(left + max(value, 0.25) * scale + 10, y + 18, f"{value:g}", 14, "start")
    s.line(left + 0.25 * scale, 50, left + 0.25 * scale, 254, WRONG, 2, dash="5 4")
    s.text(left + 0.25 * scale + 8, 272, "0.25: more, and the arithmetic waits", 13, "start", WRONG)
    return s.finish()


def two_buffers() -> str:
    """One buffer: load, wait, multiply. Two: the next tiles come meanwhile."""
    s = Svg(
        860,
        360,
        "One buffer and two",
        "With one buffer a block loads, waits at a barrier, multiplies and waits again. With two, "
        "the loads of the next tiles are under way while the present tiles are multiplied, and one "
        "barrier per step is enough.",
    )
    s.text(40, 36, "one buffer", anchor="start", bold=True)
    x, y = 40, 54
    for step in range(3):
        s.rect(x, y, 120, 34, INPUT, INPUT_EDGE)
        s.text(x + 60, y + 22, f"load {step}", 13)
        s.line(x + 126, y - 6, x + 126, y + 40, INK, 3)
        s.rect(x + 132, y, 110, 34, OUTPUT, OUTPUT_EDGE)
        s.text(x + 187, y + 22, f"multiply {step}", 13)
        s.line(x + 248, y - 6, x + 248, y + 40, INK, 3)
        x += 258
    s.text(40, 150, "two buffers", anchor="start", bold=True)
    s.text(40, 188, "loads", 13, "start", SOFT)
    s.text(40, 238, "arithmetic", 13, "start", SOFT)
    x = 130
    s.rect(x, 166, 110, 34, INPUT, INPUT_EDGE)
    s.text(x + 55, 188, "0 \u2192 A", 13)
    s.line(x + 116, 160, x + 116, 256, INK, 3)
    for step in range(4):
        at = x + 122 + step * 138
        source, target = "AB"[step % 2], "BA"[step % 2]
        if step < 3:
            s.rect(at, 166, 70, 34, INPUT, INPUT_EDGE)
            s.text(at + 35, 188, f"{step + 1}", 13)
            s.rect(at + 112, 166, 20, 34, DARK, INPUT_EDGE)
            s.text(at + 122, 188, target, 13)
        s.rect(at, 216, 110, 34, OUTPUT, OUTPUT_EDGE)
        s.text(at + 55, 238, f"multiply {step} ({source})", 12)
        s.line(at + 135, 160, at + 135, 256, INK, 3)
    paragraph(
        s,
        40,
        292,
        "Black: barriers. The loads of step 1 go to registers; when A is multiplied they are "
        "stored to B. Nobody reads B then:",
        "all left it before the last barrier. So the barrier after the store is enough: it says "
        "that B is complete, and A is free.",
    )
    return s.finish()
