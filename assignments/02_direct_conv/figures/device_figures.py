# SPDX-License-Identifier: MIT
"""Figures of two memories: the way there and back, when errors show, what constant memory holds."""

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
    RULE,
    SOFT,
    WRONG,
    WRONG_FILL,
    Svg,
    box,
)


def round_trip() -> str:
    s = Svg(
        780,
        366,
        "To the device and back",
        "Host memory and device memory side by side: allocate, copy a and b there, launch, ask for "
        "the launch's error, copy c back, free.",
    )
    s.rect(24, 54, 210, 230, "#f6f8fa", RULE, radius=8)
    s.rect(546, 54, 210, 230, "#f6f8fa", RULE, radius=8)
    s.text(129, 40, "host memory", 15, bold=True)
    s.text(651, 40, "device memory", 15, bold=True)
    rows = ((84, "a", INPUT, INPUT_EDGE), (144, "b", KERNEL, KERNEL_EDGE))
    for y, name, fill, edge in (*rows, (234, "c", OUTPUT, OUTPUT_EDGE)):
        box(s, 60, y, 138, 34, f"{name} [n]", fill, edge)
        box(s, 582, y, 138, 34, f"d_{name} [n]", fill, edge)
    for y, name, _, edge in rows:
        s.line(204, y + 17, 574, y + 17, edge, 2, arrow=True)
        s.text(389, y + 10, f"2  cudaMemcpy(d_{name}, {name}, bytes, HostToDevice)", 12, mono=True)
    s.line(576, 251, 206, 251, OUTPUT_EDGE, 2, arrow=True)
    s.text(389, 244, "5  cudaMemcpy(c, d_c, bytes, DeviceToHost)", 12, mono=True)
    s.text(651, 74, "1  cudaMalloc", 12, colour=SOFT, mono=True)
    s.text(651, 302, "6  cudaFree", 12, colour=SOFT, mono=True)
    s.rect(582, 188, 138, 34, PLAIN, INK, 1.5, radius=4)
    s.text(651, 210, "c[i] = a[i] + b[i]", 12, mono=True)
    s.text(389, 202, "3  add<<<blocks, 256>>>(d_a, d_b, d_c, n)", 12, mono=True)
    s.text(389, 222, "4  cudaGetLastError()", 12, mono=True)
    s.text(
        24,
        334,
        "A kernel can follow device pointers only, a host function host pointers only. Both are "
        "plain float*:",
        13,
        "start",
        SOFT,
    )
    s.text(
        24,
        353,
        "the compiler does not tell them apart. The prefix d_ is for you.",
        13,
        "start",
        SOFT,
    )
    return s.finish()


def when_errors_show() -> str:
    s = Svg(
        780,
        330,
        "When errors show",
        "Time runs to the right. A refused launch is known at once; an error inside the kernel "
        "only when the host waits for the device.",
    )

    def lanes(top: float, first: float, title: str) -> None:
        s.text(24, top, title, 14, "start", bold=True)
        for k, name in enumerate(("host", "device")):
            s.text(24, first + 4 + 44 * k, name, 13, "start", SOFT)
            s.line(84, first + 44 * k, 756, first + 44 * k, RULE)

    lanes(34, 68, "the launch is refused: 2048 threads in a block")
    box(s, 100, 52, 110, 32, "kernel<<<...>>>", PLAIN, INK)
    box(s, 222, 52, 140, 32, "cudaGetLastError", WRONG_FILL, WRONG)
    s.text(370, 60, "cudaErrorInvalidValue, at once", 13, "start", WRONG)
    s.text(100, 106, "nothing runs", 13, "start", SOFT)

    lanes(172, 218, "the kernel runs and reads where there is nothing")
    box(s, 100, 202, 110, 32, "kernel<<<...>>>", PLAIN, INK)
    box(s, 222, 202, 140, 32, "cudaGetLastError", OUTPUT, OUTPUT_EDGE)
    box(s, 374, 202, 90, 32, "more work", PLAIN, RULE)
    box(s, 476, 202, 170, 32, "cudaMemcpy waits ...", WRONG_FILL, WRONG)
    s.text(756, 196, "cudaErrorIllegalAddress", 13, "end", WRONG)
    box(s, 240, 246, 270, 32, "the kernel runs", INPUT, INPUT_EDGE)
    s.rect(470, 246, 40, 32, WRONG_FILL, WRONG, 1.5)
    s.text(490, 267, "!", 15, colour=WRONG, bold=True)
    s.line(512, 258, 640, 236, WRONG, 1.5, arrow=True)
    s.text(222, 198, "success: it was launched", 12, "start", OUTPUT_EDGE)
    s.text(
        24,
        312,
        "The second error is \u201csticky\u201d: every later call returns it, and only a new "
        "process gets rid of it.",
        13,
        "start",
        SOFT,
    )
    return s.finish()


def constant_parts() -> str:
    s = Svg(
        780,
        330,
        "Constant memory in parts, on one stream and on two",
        "On one stream copies and kernels take turns. With the copies on another stream, the "
        "second copy overwrites the filters that the first kernel still needs.",
    )
    part = ((INPUT, INPUT_EDGE), (KERNEL, KERNEL_EDGE))

    def step(x: float, y: float, w: float, text: str, k: int) -> None:
        box(s, x, y, w, 32, text, *part[k])

    s.text(24, 34, "copies and kernels on one stream: they take turns", 14, "start", bold=True)
    s.text(24, 72, "stream", 13, "start", SOFT)
    for k, x in ((0, 120), (1, 420)):
        step(x, 52, 110, f"copy part {k}", k)
        step(x + 118, 52, 170, f"kernel of part {k}", k)
    s.text(24, 122, "c_filters", 13, "start", SOFT, mono=True)
    s.rect(230, 104, 300, 26, *part[0])
    s.rect(530, 104, 180, 26, *part[1])
    s.text(380, 122, "filters of part 0", 12)
    s.text(620, 122, "filters of part 1", 12)

    s.text(
        24,
        184,
        "copies on the default stream, kernels on a non-blocking one: nobody waits",
        14,
        "start",
        WRONG,
        True,
    )
    s.text(24, 222, "default", 13, "start", SOFT)
    s.text(24, 262, "stream", 13, "start", SOFT)
    step(120, 202, 110, "copy part 0", 0)
    step(240, 202, 110, "copy part 1", 1)
    step(240, 242, 170, "kernel of part 0", 0)
    step(420, 242, 170, "kernel of part 1", 1)
    s.text(24, 302, "c_filters", 13, "start", SOFT, mono=True)
    s.rect(230, 284, 120, 26, *part[0])
    s.rect(350, 284, 360, 26, *part[1])
    s.text(290, 302, "part 0", 12)
    s.text(530, 302, "filters of part 1", 12)
    s.rect(350, 240, 60, 72, "none", WRONG, 2.5, "5 3")
    s.text(416, 232, "kernel 0 reads the filters of part 1", 13, "start", WRONG)
    return s.finish()
