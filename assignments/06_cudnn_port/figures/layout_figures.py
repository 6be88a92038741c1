# SPDX-License-Identifier: MIT
"""Figures of the tensors: strides, and dense layers as convolutions."""

from __future__ import annotations

from canvas import (
    INPUT,
    INPUT_EDGE,
    KERNEL,
    KERNEL_EDGE,
    OUTPUT,
    OUTPUT_EDGE,
    SOFT,
    Svg,
    paragraph,
)


def strides() -> str:
    """Two channels of 2 x 3, in both orders."""
    s = Svg(
        780,
        300,
        "Strides say where an element lies",
        "An image of two channels, two rows and three columns as twelve floats in memory: with "
        "NCHW strides channel after channel, with NHWC strides pixel after pixel.",
    )
    side, left = 46, 110
    colours = ((INPUT, INPUT_EDGE), (KERNEL, KERNEL_EDGE))
    for top, name, text, stride in (
        (70, "NCHW", "{c\u00b7h\u00b7w, h\u00b7w, w, 1} = {12, 6, 3, 1}", (6, 3, 1)),
        (190, "NHWC", "{h\u00b7w\u00b7c, 1, w\u00b7c, c} = {12, 1, 6, 2}", (1, 6, 2)),
    ):
        s.text(30, top + 30, name, 15, "start", bold=True)
        s.text(left, top - 12, f"strides {text}", 13, "start", SOFT, mono=True)
        for c in range(2):
            for h in range(2):
                for w in range(3):
                    at = c * stride[0] + h * stride[1] + w * stride[2]
                    s.cell(left + at * side, top, side, f"{c}{h}{w}", *colours[c], size=13)
    paragraph(
        s,
        left,
        266,
        "Each cell: channel, row, column. Descriptor and memory must agree: nothing checks it.",
    )
    return s.finish()


def dense_as_convolution() -> str:
    s = Svg(
        780,
        264,
        "LeNet as convolutions only",
        "The images of each layer as squares whose size is that of the image: 28, 14, 5 and 1. "
        "The first dense layer is a convolution with a filter of 5 x 5 over images of 5 x 5.",
    )
    layers = (
        ("x", "1", 28, INPUT, INPUT_EDGE),
        ("conv1", "6", 28, OUTPUT, OUTPUT_EDGE),
        ("pool", "6", 14, OUTPUT, OUTPUT_EDGE),
        ("conv2", "16", 10, OUTPUT, OUTPUT_EDGE),
        ("pool", "16", 5, OUTPUT, OUTPUT_EDGE),
        ("fc1", "120", 1, KERNEL, KERNEL_EDGE),
        ("fc2", "84", 1, KERNEL, KERNEL_EDGE),
        ("fc3", "10", 1, KERNEL, KERNEL_EDGE),
    )
    filters = ("5x5, pad 2", "2x2, /2", "5x5", "2x2, /2", "5x5", "1x1", "1x1")
    middle, step = 68, 94
    for k, (name, maps, image, fill, edge) in enumerate(layers):
        side = 10 + 2 * image
        x = 56 + k * step
        s.rect(x - side / 2, middle - side / 2, side, side, fill, edge, 1.5)
        s.text(x, 154, name, 13, bold=True)
        s.text(x, 174, f"{maps} x {image} x {image}", 11, colour=SOFT)
        if k + 1 < len(layers):
            right = side / 2
            after = 5 + layers[k + 1][2]
            s.line(x + right + 2, middle, x + step - after - 3, middle, arrow=True)
            s.text(x + step / 2, 202, filters[k], 11)
    paragraph(
        s,
        30,
        236,
        "A filter as large as its image has one place to lie: one output, the sum over everything.",
    )
    return s.finish()
