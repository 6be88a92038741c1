# SPDX-License-Identifier: MIT
"""The figures of the handout; docs/pictures/draw.py draws them."""

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
)


def two_ways() -> str:
    """Activations go right and stay; gradients come back through two buffers."""
    s = Svg(
        760,
        250,
        "The two ways through a network",
        "Layers in a row. Forward, each output has memory of its own and stays. Backward, "
        "gradients come back through two buffers that take turns; gradients of weights stay.",
    )
    s.text(20, 30, "forward: every output is kept, the way back needs it", 14, "start")
    layers = ["conv1", "relu1", "maxpool1", "flatten1", "dense1"]
    for k, name in enumerate(layers):
        x = 70 + 134 * k
        s.rect(x, 60, 84, 34, KERNEL if name in ("conv1", "dense1") else PLAIN, KERNEL_EDGE)
        s.text(x + 42, 82, name, 13)
        s.line(x - 46, 77, x - 3, 77, arrow=True)
        s.line(x - 3, 152, x - 46, 152, arrow=True)
        s.rect(x, 135, 84, 34, PADDING if name == "flatten1" else OUTPUT, OUTPUT_EDGE)
        text = "a view" if name == "flatten1" else f"passed[{0 if k in (4, 1) else 1}]"
        s.text(x + 42, 157, "nobody asks" if k == 0 else text, 12)
        if name in ("conv1", "dense1"):
            s.line(x + 42, 170, x + 42, 194, arrow=True)
            s.text(x + 42, 210, "dw, db", 13)
    s.text(24, 66, "x", 14)
    s.line(694, 77, 737, 77, arrow=True)
    s.text(716, 66, "logits", 13)
    s.line(737, 152, 694, 152, arrow=True)
    s.text(716, 141, "dlogits", 13)
    s.text(20, 120, "backward: dx of a layer is dy of the one below", 14, "start")
    s.text(
        20, 236, "The first layer's dx is computed for nobody: it is left out.", 13, "start", SOFT
    )
    return s.finish()


def pipeline() -> str:
    """The next batch is copied while the present one is computed with."""
    s = Svg(
        760,
        230,
        "Copies and computation at the same time",
        "Three lanes: the host gathers batches, the copy stream brings them to the device, the "
        "compute stream does the steps. Step s computes while batch s + 1 is gathered and copied.",
    )
    lanes = (("host gathers", 50, INPUT, INPUT_EDGE), ("copy stream", 105, KERNEL, KERNEL_EDGE))
    for label, y, _, _ in (*lanes, ("compute stream", 160, OUTPUT, OUTPUT_EDGE)):
        s.text(20, y + 21, label, 13, "start")
    for step in range(4):
        x = 140 + 124 * step
        early = 0 if step == 0 else 20
        s.rect(x - early, 50, 46, 32, INPUT, INPUT_EDGE)
        s.text(x + 23 - early, 71, f"b{step}", 13)
        s.rect(x + 48 - early, 105, 36, 32, KERNEL, KERNEL_EDGE)
        s.text(x + 66 - early, 126, f"b{step}", 13)
        s.rect(x + 86, 160, 122, 32, OUTPUT, OUTPUT_EDGE)
        s.text(x + 147, 181, f"step {step}", 13)
    s.text(20, 216, "Two slots: batch 2 goes where batch 0 was, once step 0 has used it.", 13,
           "start", SOFT)  # fmt: skip
    return s.finish()


def strip() -> str:
    """One thread, one place, all maps."""
    s = Svg(
        760,
        240,
        "A strip of the result",
        "A thread reads one element of the image and multiplies it with the weights of all maps, "
        "which lie in shared memory; its sums stay in registers.",
    )
    s.text(20, 30, "a thread: one place of y, the sums of all maps", 14, "start")
    for i in range(6):
        for j in range(6):
            marked = 1 <= i <= 3 and 2 <= j <= 4
            s.rect(40 + 24 * j, 60 + 24 * i, 24, 24, INPUT if marked else PLAIN, INPUT_EDGE)
    s.text(112, 222, "image: one load per tap", 13)
    for m in range(8):
        s.rect(330, 52 + 19 * m, 60, 19, KERNEL, KERNEL_EDGE)
        s.text(360, 66 + 19 * m, f"w[{m}][k]", 11, mono=True)
        s.rect(560, 52 + 19 * m, 90, 19, OUTPUT, OUTPUT_EDGE)
        s.text(605, 66 + 19 * m, f"sum[{m}]", 11, mono=True)
        s.line(391, 61 + 19 * m, 559, 61 + 19 * m, RULE)
    s.line(186, 120, 328, 120, arrow=True)
    s.text(474, 46, "x times w, added", 12, colour=SOFT)
    s.text(360, 222, "shared memory, for the block", 13)
    s.text(605, 222, "registers", 13)
    return s.finish()


def folding() -> str:
    """A convolution and its normalisation become one convolution."""
    s = Svg(
        760,
        170,
        "Folding a batch normalisation",
        "A convolution followed by a normalisation with running means is one convolution with "
        "other weights and another bias.",
    )
    s.rect(40, 50, 130, 40, KERNEL, KERNEL_EDGE)
    s.text(105, 75, "w x + b")
    s.line(171, 70, 208, 70, arrow=True)
    s.rect(210, 50, 250, 40, OUTPUT, OUTPUT_EDGE)
    s.text(335, 75, "scale (z - mean) inverse + shift", 13)
    s.text(490, 76, "=", 18)
    s.rect(520, 50, 200, 40, KERNEL, KERNEL_EDGE)
    s.text(620, 75, "w' x + b'")
    s.text(40, 125, "f = scale inverse      w' = f w      b' = f (b - mean) + shift", 13, "start",
           mono=True)  # fmt: skip
    s.text(
        40, 150, "One f for each map; inverse = 1 / sqrt(variance + epsilon).", 13, "start", SOFT
    )
    return s.finish()


FIGURES = [two_ways, pipeline, strip, folding]
