# SPDX-License-Identifier: MIT
"""TensorFlow's "same" padding of one axis."""

from __future__ import annotations

import numpy as np

from .op import Op, Output, Param, Params, Tensors, size


def same_padding(length: int, kernel: int, stride: int, dilation: int) -> tuple[int, int]:
    """Padding (before, after) that gives ceil(length / stride) outputs; an odd one goes after."""
    out = -(-length // stride)
    total = max(0, (out - 1) * stride + dilation * (kernel - 1) + 1 - length)
    return total // 2, total - total // 2


def _compute(p: Params, tensors: Tensors) -> dict[str, Output]:
    pair = same_padding(p["size"], p["kernel"], p["stride"], p["dilation"])
    return {"p": Output(np.array(pair, dtype=np.int32))}


OPS = (
    Op(
        "same_padding",
        {"size": size(), "kernel": Param(), "stride": Param(1), "dilation": Param(1)},
        inputs=lambda p: {},
        outputs=lambda p: {"p": (2,)},
        compute=_compute,
    ),
)
