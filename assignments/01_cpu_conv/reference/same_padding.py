# SPDX-License-Identifier: MIT
"""TensorFlow's "same" padding: of one axis, and of a convolution."""

from __future__ import annotations

import numpy as np

from convkit_reference.errors import ParamProblem
from convkit_reference.ops.conv2d import check_groups, conv2d
from convkit_reference.ops.correlation import Geometry
from convkit_reference.ops.op import Op, Output, Param, Params, Tensors, size


def same_padding(length: int, kernel: int, stride: int, dilation: int) -> tuple[int, int]:
    """Padding (before, after) that gives ceil(length / stride) outputs; an odd one goes after."""
    out = -(-length // stride)
    total = max(0, (out - 1) * stride + dilation * (kernel - 1) + 1 - length)
    return total // 2, total - total // 2


def _compute(p: Params, tensors: Tensors) -> dict[str, Output]:
    pair = same_padding(p["size"], p["kernel"], p["stride"], p["dilation"])
    return {"p": Output(np.array(pair, dtype=np.int32))}


def _same(p: Params) -> Geometry:
    before = tuple(
        same_padding(p[a], p[f"k{a}"], p[f"stride_{a}"], p[f"dilation_{a}"])[0] for a in "hw"
    )
    out = tuple(-(-p[a] // p[f"stride_{a}"]) for a in "hw")
    return Geometry(out, before, (p["stride_h"], p["stride_w"]), (p["dilation_h"], p["dilation_w"]))


def _check_same(p: Params) -> None:
    check_groups(p)
    for key in ("pad_h", "pad_w"):
        if p[key]:
            raise ParamProblem(key, f'is {p[key]}; "same" padding follows from the other sizes')


OPS = (
    Op(
        "same_padding",
        {"size": size(), "kernel": Param(), "stride": Param(1), "dilation": Param(1)},
        inputs=lambda p: {},
        outputs=lambda p: {"p": (2,)},
        compute=_compute,
    ),
    conv2d("conv2d_same_forward", geometry=_same, check=_check_same),
)
