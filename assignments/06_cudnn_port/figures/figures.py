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
    WRONG,
    WRONG_FILL,
    Svg,
    paragraph,
)


def _box(s: Svg, x: float, y: float, width: float, lines: list[str], fill: str, edge: str) -> None:
    """A box with a bold first line and small ones below."""
    s.rect(x, y, width, 26 + 18 * (len(lines) - 1), fill, edge, 1.5, radius=4)
    s.text(x + width / 2, y + 18, lines[0], 13, bold=True)
    for k, line in enumerate(lines[1:]):
        s.text(x + width / 2, y + 36 + 18 * k, line, 12, mono=True)


def nd_flow() -> str:
    s = Svg(
        780,
        420,
        "What the library is told of a convolution",
        "Descriptors of x, of the filters and of the convolution give the sizes of the output. "
        "With them, the pointers, a workspace and a handle with its stream the convolution is "
        "called.",
    )
    left, width = 30, 214
    _box(s, left, 30, width, ["tensor x", "{n, c, h, w}", "strides"], INPUT, INPUT_EDGE)
    _box(s, left, 112, width, ["filter w", "{m, c/groups, kh, kw}"], KERNEL, KERNEL_EDGE)
    _box(
        s,
        left,
        176,
        width,
        [
            "convolution",
            "{pad_h, pad_w}",
            "{stride_h, stride_w}",
            "{dilation_h, dilation_w}",
            "mode, groups, math",
        ],
        PADDING,
        RULE,
    )
    s.line(left + width, 62, 300, 118, arrow=True)
    s.line(left + width, 134, 300, 132, arrow=True)
    s.line(left + width, 214, 300, 148, arrow=True)
    _box(s, 304, 112, 190, ["output sizes", "...NdForwardOutputDim"], PLAIN, RULE)
    s.line(494, 134, 540, 134, arrow=True)
    _box(s, 544, 104, 206, ["tensor y", "{n, m, oh, ow}", "strides"], OUTPUT, OUTPUT_EDGE)
    _box(s, 304, 206, 190, ["algorithm", "given, or chosen"], PLAIN, RULE)
    s.line(494, 228, 540, 228, arrow=True)
    _box(s, 544, 206, 206, ["workspace", "...WorkspaceSize(algo)"], PLAIN, RULE)
    _box(s, 304, 282, 190, ["handle", "cudnnSetStream"], PLAIN, RULE)
    s.line(399, 336, 399, 356, arrow=True)
    s.line(137, 274, 137, 356, arrow=True)
    s.line(647, 252, 647, 356, arrow=True)
    s.rect(left, 360, 720, 36, OUTPUT, OUTPUT_EDGE, 1.5, radius=4)
    s.text(
        left + 360,
        383,
        "cudnnConvolutionForward(handle, &alpha, x, w, conv, algo, workspace, &beta, y)",
        13,
        mono=True,
    )
    return s.finish()


def blending() -> str:
    s = Svg(
        780,
        250,
        "alpha and beta",
        "The product times alpha, plus what was in y times beta. With beta 0 y is not read; with "
        "beta 1 at the first use, what nobody has written is added.",
    )
    side = 40

    def row(x: float, y: float, labels: list[str], fill: str, edge: str) -> None:
        for k, label in enumerate(labels):
            s.cell(x + k * side, y, side, label, fill, edge, size=14)

    for k, (title, beta, before, after, wrong) in enumerate(
        (
            ("beta = 0: replaced", "0", ["?", "?", "?"], ["3", "-1", "4"], False),
            ("beta = 1: added to", "1", ["10", "20", "30"], ["13", "19", "34"], False),
            ("beta = 1 at first use", "1", ["?", "?", "?"], ["?", "?", "?"], True),
        )
    ):
        x = 40 + 245 * k
        s.text(x, 34, title, 14, "start", WRONG if wrong else "#1f2328", bold=True)
        s.text(x, 66, "1 \u00b7 conv(x, w)", 13, "start", SOFT)
        row(x, 74, ["3", "-1", "4"], INPUT, INPUT_EDGE)
        s.text(x, 136, f"+ {beta} \u00b7 y, as it was", 13, "start", SOFT)
        row(x, 144, before, PADDING, RULE)
        s.line(x + 60, 188, x + 60, 198, arrow=True)
        row(x, 200, after, WRONG_FILL if wrong else OUTPUT, WRONG if wrong else OUTPUT_EDGE)
    return s.finish()


def choosing() -> str:
    s = Svg(
        780,
        300,
        "Choosing from a list of algorithms",
        "A list of algorithms, the best first. Entries with another status, with tensor cores or "
        "with more memory than the limit are passed over; the first that is left is taken.",
    )
    columns = (("algo", 40), ("status", 250), ("mathType", 410), ("memory", 540), ("", 640))
    for title, x in columns:
        s.text(x, 40, title, 13, "start", SOFT)
    rows = (
        ("WINOGRAD_NONFUSED", "SUCCESS", "FMA", "2889 KiB", "over the limit", False),
        ("IMPLICIT_PRECOMP_GEMM", "SUCCESS", "TENSOR_OP", "0.1 KiB", "tensor cores", False),
        ("IMPLICIT_PRECOMP_GEMM", "SUCCESS", "FMA", "0.1 KiB", "taken", True),
        ("IMPLICIT_GEMM", "SUCCESS", "FMA", "0", "", False),
        ("DIRECT", "NOT_SUPPORTED", "-", "-", "means nothing", False),
    )
    for k, (algo, status, math, memory, why, taken) in enumerate(rows):
        y = 54 + 38 * k
        fill, edge = (OUTPUT, OUTPUT_EDGE) if taken else (PLAIN, RULE)
        s.rect(30, y, 720, 32, fill, edge, 1.5 if taken else 1, radius=4)
        for text, (_, x) in zip((algo, status, math, memory), columns):
            s.text(x, y + 21, text, 12, "start", mono=True)
        s.text(740, y + 21, why, 12, "end", OUTPUT_EDGE if taken else SOFT, bold=taken)
    paragraph(s, 40, 268, "limit: 64 KiB. The list is sorted: by a guess (_v7), or by time (Find).")
    return s.finish()


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


FIGURES = [nd_flow, strides, blending, choosing, dense_as_convolution]
