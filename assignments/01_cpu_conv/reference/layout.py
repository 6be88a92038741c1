# SPDX-License-Identifier: MIT
"""Changing the memory layout of images: NCHW to NHWC and back."""

from __future__ import annotations

import numpy as np

from convkit_reference.ops.op import Op, Output, Params, Shape, size


def _nchw(p: Params) -> Shape:
    return p["n"], p["c"], p["h"], p["w"]


def _nhwc(p: Params) -> Shape:
    return p["n"], p["h"], p["w"], p["c"]


def _op(name: str, before, after, axes: tuple[int, ...]) -> Op:
    return Op(
        name,
        {"n": size(1), "c": size(), "h": size(), "w": size()},
        inputs=lambda p: {"x": before(p)},
        outputs=lambda p: {"y": after(p)},
        compute=lambda p, t: {"y": Output(t["x"].astype(np.float64).transpose(axes))},
        distributions={"x": "ramp"},
    )


OPS = (
    _op("nchw_to_nhwc", _nchw, _nhwc, (0, 2, 3, 1)),
    _op("nhwc_to_nchw", _nhwc, _nchw, (0, 3, 1, 2)),
)
