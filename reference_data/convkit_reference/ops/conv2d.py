# SPDX-License-Identifier: MIT
"""2-D convolution with bias; conv2d() makes an operation of it, and the stage chooses the name."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..errors import ParamProblem
from .correlation import Geometry, correlate
from .op import Op, Output, Param, Params, Shape, Tensors, size

PARAMS = {
    "n": size(1), "c": size(1), "h": size(), "w": size(), "m": size(1),
    "kh": Param(), "kw": Param(),
    "pad_h": Param(0, 0), "pad_w": Param(0, 0),
    "stride_h": Param(1), "stride_w": Param(1),
    "dilation_h": Param(1), "dilation_w": Param(1),
    "groups": Param(1),
}  # fmt: skip
UNIFORM = dict.fromkeys(("x", "w", "b"), "uniform(-1, 1)")
# What a launch that is made to fail gives: cudaErrorLaunchOutOfResources.
OUT_OF_RESOURCES = 701


def biased(x: np.ndarray, w: np.ndarray, b: np.ndarray, geometry: Geometry, groups: int) -> Output:
    """The result, and sum |x||w| + |b| over the products and the bias of each output.

    Whatever the order of summation, each product is rounded once and takes part in at most as many
    additions as there are products: |error| <= gamma(products + 1) * magnitude (Higham, Accuracy
    and Stability of Numerical Algorithms, 2nd ed., section 3.1).
    """
    terms = w.shape[1] * w.shape[2] * w.shape[3] + 1
    bias = b.astype(np.float64)[None, :, None, None]
    return Output(
        correlate(x, w, geometry, groups) + bias,
        terms,
        correlate(np.abs(x), np.abs(w), geometry, groups) + np.abs(bias),
    )


def geometry_of(p: Params) -> Geometry:
    out = tuple(
        (p[a] + 2 * p[f"pad_{a}"] - p[f"dilation_{a}"] * (p[f"k{a}"] - 1) - 1) // p[f"stride_{a}"]
        + 1
        for a in "hw"
    )
    return Geometry(
        out,
        (p["pad_h"], p["pad_w"]),
        (p["stride_h"], p["stride_w"]),
        (p["dilation_h"], p["dilation_w"]),
    )


def check_groups(p: Params) -> None:
    for key in ("c", "m"):
        if p[key] % p["groups"]:
            raise ParamProblem("groups", f"is {p['groups']}; it must divide {key} = {p[key]}")


def check(p: Params) -> None:
    check_groups(p)
    for a in "hw":
        reach = p[f"dilation_{a}"] * (p[f"k{a}"] - 1) + 1
        room = p[a] + 2 * p[f"pad_{a}"]
        if reach > room:
            raise ParamProblem(
                f"k{a}",
                f"is {p[f'k{a}']}; the kernel reaches over {reach} elements, the padded input has "
                f"{room}",
            )


def inputs_of(p: Params) -> dict[str, Shape]:
    return {
        "x": (p["n"], p["c"], p["h"], p["w"]),
        "w": (p["m"], p["c"] // p["groups"], p["kh"], p["kw"]),
        "b": (p["m"],),
    }


def conv2d(
    name: str, params: Mapping[str, Param] = PARAMS, geometry=geometry_of, check=check
) -> Op:
    """`params` may add parameters that change how the result is computed, but not the result."""

    def outputs(p: Params) -> dict[str, Shape]:
        return {"y": (p["n"], p["m"], *geometry(p).out)}

    def compute(p: Params, t: Tensors) -> dict[str, Output]:
        return {"y": biased(t["x"], t["w"], t["b"], geometry(p), p["groups"])}

    return Op(name, params, inputs_of, outputs, compute, UNIFORM, check)


def failing_conv2d(name: str) -> Op:
    """What a convolution returns whose launch fails."""
    return Op(
        name,
        PARAMS,
        inputs_of,
        outputs=lambda p: {"error": (1,)},
        compute=lambda p, t: {"error": Output(np.array([OUT_OF_RESOURCES], dtype=np.int32))},
        distributions=UNIFORM,
        check=check,
    )


OPS = (conv2d("conv2d_forward"),)
