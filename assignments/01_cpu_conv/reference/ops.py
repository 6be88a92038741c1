# SPDX-License-Identifier: MIT
"""The operations of the stage: its own, and those of the library that it uses."""

from __future__ import annotations

import numpy as np

from convkit_reference.errors import ParamProblem
from convkit_reference.ops import activations, dense, pooling, shared
from convkit_reference.ops.conv2d import check_groups, conv2d
from convkit_reference.ops.correlation import Geometry
from convkit_reference.ops.op import Op, Output, Param, Params, Shape, Tensors, size

# Changing the memory layout of images: NCHW to NHWC and back.


def _nchw(p: Params) -> Shape:
    return p["n"], p["c"], p["h"], p["w"]


def _nhwc(p: Params) -> Shape:
    return p["n"], p["h"], p["w"], p["c"]


def _transposed(name: str, before, after, axes: tuple[int, ...]) -> Op:
    return Op(
        name,
        {"n": size(1), "c": size(), "h": size(), "w": size()},
        inputs=lambda p: {"x": before(p)},
        outputs=lambda p: {"y": after(p)},
        compute=lambda p, t: {"y": Output(t["x"].astype(np.float64).transpose(axes))},
        distributions={"x": "ramp"},
    )


# TensorFlow's "same" padding: of one axis, and of a convolution.


def same_padding(length: int, kernel: int, stride: int, dilation: int) -> tuple[int, int]:
    """Padding (before, after) that gives ceil(length / stride) outputs; an odd one goes after."""
    out = -(-length // stride)
    total = max(0, (out - 1) * stride + dilation * (kernel - 1) + 1 - length)
    return total // 2, total - total // 2


def _padding(p: Params, tensors: Tensors) -> dict[str, Output]:
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
    *shared("conv2d_forward"),
    conv2d("conv2d_fast"),
    *pooling.OPS,
    *activations.OPS,
    *dense.OPS,
    _transposed("nchw_to_nhwc", _nchw, _nhwc, (0, 2, 3, 1)),
    _transposed("nhwc_to_nchw", _nhwc, _nchw, (0, 3, 1, 2)),
    Op(
        "same_padding",
        {"size": size(), "kernel": Param(), "stride": Param(1), "dilation": Param(1)},
        inputs=lambda p: {},
        outputs=lambda p: {"p": (2,)},
        compute=_padding,
    ),
    conv2d("conv2d_same_forward", geometry=_same, check=_check_same),
    *shared("lenet_forward"),
)
