# SPDX-License-Identifier: MIT
"""The gradients of a 2-D convolution, under the names of the functions of stage 05.

With accumulate = 1 the output holds an input of its own ("dx0", "dw0", "db0") before the call, and
the gradient is added to it.
"""

from __future__ import annotations

import numpy as np

from .conv2d import _PARAMS, _check, _explicit
from .gradients import accumulated, bias_gradient, filter_gradient, input_gradient, products
from .op import Op, Output, Param, Params, Shape, Tensors

_ONE_GROUP = {key: param for key, param in _PARAMS.items() if key != "groups"}
_ONE_GROUP["groups"] = Param(1, 1, 1)
_GRADIENT = _ONE_GROUP | {"accumulate": Param(0, 0, 1)}
_UNIFORM = "uniform(-1, 1)"
_REFUSED = 1  # cudaErrorInvalidValue
_REFUSALS = 5


def _shapes(p: Params) -> dict[str, Shape]:
    return {
        "x": (p["n"], p["c"], p["h"], p["w"]),
        "w": (p["m"], p["c"], p["kh"], p["kw"]),
        "b": (p["m"],),
        "y": (p["n"], p["m"], *_explicit(p).out),
    }


def _dx(p: Params, t: Tensors) -> Output:
    geometry, image = _explicit(p), (p["h"], p["w"])
    return accumulated(
        input_gradient(t["dy"], t["w"], geometry, image),
        products(geometry, (p["kh"], p["kw"]), image, p["m"]),
        input_gradient(np.abs(t["dy"]), np.abs(t["w"]), geometry, image),
        t.get("dx0"),
    )


def _dw(p: Params, t: Tensors) -> Output:
    geometry, kernel = _explicit(p), (p["kh"], p["kw"])
    return accumulated(
        filter_gradient(t["x"], t["dy"], geometry, kernel),
        p["n"] * geometry.out[0] * geometry.out[1],
        filter_gradient(np.abs(t["x"]), np.abs(t["dy"]), geometry, kernel),
        t.get("dw0"),
    )


def _db(p: Params, t: Tensors) -> Output:
    rows, columns = _explicit(p).out
    terms = p["n"] * rows * columns
    return accumulated(bias_gradient(t["dy"]), terms, bias_gradient(np.abs(t["dy"])), t.get("db0"))


def _gradient(name: str, of: str, operands: tuple[str, ...], compute) -> Op:
    """`of` is what the gradient is taken of: x, w or b."""

    def inputs(p: Params) -> dict[str, Shape]:
        shapes = _shapes(p)
        given = {key: shapes["y" if key == "dy" else key] for key in operands}
        return given | ({f"d{of}0": shapes[of]} if p["accumulate"] else {})

    return Op(
        name,
        _GRADIENT,
        inputs,
        outputs=lambda p: {f"d{of}": _shapes(p)[of]},
        compute=lambda p, t: {f"d{of}": compute(p, t)},
        distributions=dict.fromkeys((*operands, f"d{of}0"), _UNIFORM),
        check=_check,
    )


def _no_images(p: Params, t: Tensors) -> dict[str, Output]:
    """A sum without a term. (The harness makes it a batch of none.)"""
    return {"dw": Output(np.zeros(_shapes(p)["w"]))}


def _refuses(p: Params, t: Tensors) -> dict[str, Output]:
    """What calls with bad arguments return, one after the other."""
    return {"status": Output(np.full(_REFUSALS, _REFUSED, np.int32))}


OPS = (
    _gradient("conv2d_xgrad_gather", "x", ("dy", "w"), _dx),
    _gradient("conv2d_xgrad_scatter", "x", ("dy", "w"), _dx),
    _gradient("conv2d_xgrad_gemm", "x", ("dy", "w"), _dx),
    _gradient("conv2d_wgrad_scatter", "w", ("x", "dy"), _dw),
    _gradient("conv2d_wgrad", "w", ("x", "dy"), _dw),
    _gradient("conv2d_wgrad_gemm", "w", ("x", "dy"), _dw),
    _gradient("conv2d_bgrad", "b", ("dy",), _db),
    Op(
        "conv2d_wgrad_no_images",
        _ONE_GROUP,
        inputs=lambda p: {},
        outputs=lambda p: {"dw": _shapes(p)["w"]},
        compute=_no_images,
        check=_check,
    ),
    Op(
        "conv2d_backward_refuses",
        _ONE_GROUP,
        inputs=lambda p: {
            "x": _shapes(p)["x"],
            "w": _shapes(p)["w"],
            "dy": _shapes(p)["y"],
            "dx0": _shapes(p)["x"],
        },
        outputs=lambda p: {"status": (_REFUSALS,)},
        compute=_refuses,
        distributions=dict.fromkeys(("x", "w", "dy", "dx0"), _UNIFORM),
        check=_check,
    ),
)
