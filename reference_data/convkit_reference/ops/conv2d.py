# SPDX-License-Identifier: MIT
"""2-D convolution with bias, under the names of the stages' functions."""

from __future__ import annotations

import numpy as np

from ..errors import ParamProblem
from .correlation import Geometry, correlate
from .op import Op, Output, Param, Params, Shape, Tensors, size
from .same_padding import same_padding

_PARAMS = {
    "n": size(1), "c": size(1), "h": size(), "w": size(), "m": size(1),
    "kh": Param(), "kw": Param(),
    "pad_h": Param(0, 0), "pad_w": Param(0, 0),
    "stride_h": Param(1), "stride_w": Param(1),
    "dilation_h": Param(1), "dilation_w": Param(1),
    "groups": Param(1),
}  # fmt: skip
_UNIFORM = dict.fromkeys(("x", "w", "b"), "uniform(-1, 1)")


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


def _explicit(p: Params) -> Geometry:
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


def _same(p: Params) -> Geometry:
    before = tuple(
        same_padding(p[a], p[f"k{a}"], p[f"stride_{a}"], p[f"dilation_{a}"])[0] for a in "hw"
    )
    out = tuple(-(-p[a] // p[f"stride_{a}"]) for a in "hw")
    return Geometry(out, before, (p["stride_h"], p["stride_w"]), (p["dilation_h"], p["dilation_w"]))


def _check_groups(p: Params) -> None:
    for key in ("c", "m"):
        if p[key] % p["groups"]:
            raise ParamProblem("groups", f"is {p['groups']}; it must divide {key} = {p[key]}")


def _check(p: Params) -> None:
    _check_groups(p)
    for a in "hw":
        reach = p[f"dilation_{a}"] * (p[f"k{a}"] - 1) + 1
        room = p[a] + 2 * p[f"pad_{a}"]
        if reach > room:
            raise ParamProblem(
                f"k{a}",
                f"is {p[f'k{a}']}; the kernel reaches over {reach} elements, the padded input has "
                f"{room}",
            )


def _check_same(p: Params) -> None:
    _check_groups(p)
    for key in ("pad_h", "pad_w"):
        if p[key]:
            raise ParamProblem(key, f'is {p[key]}; "same" padding follows from the other sizes')


def _inputs(p: Params) -> dict[str, Shape]:
    return {
        "x": (p["n"], p["c"], p["h"], p["w"]),
        "w": (p["m"], p["c"] // p["groups"], p["kh"], p["kw"]),
        "b": (p["m"],),
    }


def _twice(name: str) -> Op:
    """Two calls in a row on the same images. Filters, biases and outputs of the second follow those
    of the first along the outermost axis."""

    def inputs(p: Params) -> dict[str, Shape]:
        shapes = _inputs(p)
        return shapes | {key: (2 * shapes[key][0], *shapes[key][1:]) for key in ("w", "b")}

    def outputs(p: Params) -> dict[str, Shape]:
        return {"y": (2 * p["n"], p["m"], *_explicit(p).out)}

    def compute(p: Params, t: Tensors) -> dict[str, Output]:
        calls = [
            biased(t["x"], w, b, _explicit(p), p["groups"])
            for w, b in zip(np.split(t["w"], 2), np.split(t["b"], 2))
        ]
        value, magnitude = (
            np.concatenate([getattr(call, field) for call in calls])
            for field in ("value", "magnitude")
        )
        return {"y": Output(value, calls[0].terms, magnitude)}

    return Op(name, _PARAMS, inputs, outputs, compute, _UNIFORM, _check)


def _op(name: str, geometry, check) -> Op:
    def outputs(p: Params) -> dict[str, Shape]:
        return {"y": (p["n"], p["m"], *geometry(p).out)}

    def compute(p: Params, t: Tensors) -> dict[str, Output]:
        return {"y": biased(t["x"], t["w"], t["b"], geometry(p), p["groups"])}

    return Op(name, _PARAMS, _inputs, outputs, compute, _UNIFORM, check)


OPS = (
    _op("conv2d_forward", _explicit, _check),
    _op("conv2d_fast", _explicit, _check),
    _op("conv2d_same_forward", _same, _check_same),
    _op("conv2d_direct", _explicit, _check),
    _op("conv2d_constant", _explicit, _check),
    _twice("conv2d_constant_twice"),
    _op("conv2d_unrolled", _explicit, _check),
    _op("conv2d_tiled_single", _explicit, _check),
    _op("conv2d_tiled", _explicit, _check),
    _op("conv2d_blocked", _explicit, _check),
)
