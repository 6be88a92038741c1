# SPDX-License-Identifier: MIT
"""The operations of the stage: the warm-up, the convolutions, and two calls of one in a row."""

from __future__ import annotations

import numpy as np

from convkit_reference.ops.conv2d import (
    PARAMS,
    UNIFORM,
    biased,
    check,
    conv2d,
    geometry_of,
    inputs_of,
)
from convkit_reference.ops.op import Op, Output, Params, Shape, Tensors

from . import warm_up


def _twice(name: str) -> Op:
    """Two calls in a row on the same images. Filters, biases and outputs of the second follow those
    of the first along the outermost axis."""

    def inputs(p: Params) -> dict[str, Shape]:
        shapes = inputs_of(p)
        return shapes | {key: (2 * shapes[key][0], *shapes[key][1:]) for key in ("w", "b")}

    def outputs(p: Params) -> dict[str, Shape]:
        return {"y": (2 * p["n"], p["m"], *geometry_of(p).out)}

    def compute(p: Params, t: Tensors) -> dict[str, Output]:
        calls = [
            biased(t["x"], w, b, geometry_of(p), p["groups"])
            for w, b in zip(np.split(t["w"], 2), np.split(t["b"], 2))
        ]
        value, magnitude = (
            np.concatenate([getattr(call, field) for call in calls])
            for field in ("value", "magnitude")
        )
        return {"y": Output(value, calls[0].terms, magnitude)}

    return Op(name, PARAMS, inputs, outputs, compute, UNIFORM, check)


OPS = (
    *warm_up.OPS,
    conv2d("conv2d_direct"),
    conv2d("conv2d_constant"),
    _twice("conv2d_constant_twice"),
    conv2d("conv2d_unrolled"),
)
