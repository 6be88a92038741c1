# SPDX-License-Identifier: MIT
"""The operations of the stage: gradients of a convolution under several names, and of layers.

With accumulate = 1 the output holds another input ("dx0", "dw0", "db0") before the call, and the
gradient is added to it.
"""

from __future__ import annotations

import numpy as np

from convkit_reference.ops import layers_backward
from convkit_reference.ops.conv2d import check
from convkit_reference.ops.gradients import ONE_GROUP, db, dw, dx, shapes_of
from convkit_reference.ops.op import Op, Output, Param, Params, Shape, Tensors

_GRADIENT = ONE_GROUP | {"accumulate": Param(0, 0, 1)}
_UNIFORM = "uniform(-1, 1)"
_REFUSED = 1  # cudaErrorInvalidValue
_REFUSALS = 5


def _gradient(name: str, of: str, operands: tuple[str, ...], compute) -> Op:
    """`of` is what the gradient is taken of: x, w or b."""

    def inputs(p: Params) -> dict[str, Shape]:
        shapes = shapes_of(p)
        given = {key: shapes["y" if key == "dy" else key] for key in operands}
        return given | ({f"d{of}0": shapes[of]} if p["accumulate"] else {})

    return Op(
        name,
        _GRADIENT,
        inputs,
        outputs=lambda p: {f"d{of}": shapes_of(p)[of]},
        compute=lambda p, t: {f"d{of}": compute(p, t)},
        distributions=dict.fromkeys((*operands, f"d{of}0"), _UNIFORM),
        check=check,
    )


def _no_images(p: Params, t: Tensors) -> dict[str, Output]:
    """A sum without a term. (The harness makes it a batch of none.)"""
    return {"dw": Output(np.zeros(shapes_of(p)["w"]))}


def _no_images_of_bias(p: Params, t: Tensors) -> dict[str, Output]:
    """As above."""
    return {"db": Output(np.zeros(shapes_of(p)["b"]))}


def _refuses(p: Params, t: Tensors) -> dict[str, Output]:
    """The return values of calls with bad arguments, in order."""
    return {"status": Output(np.full(_REFUSALS, _REFUSED, np.int32))}


def _wgrad_no_images(name: str) -> Op:
    return Op(
        name,
        ONE_GROUP,
        inputs=lambda p: {},
        outputs=lambda p: {"dw": shapes_of(p)["w"]},
        compute=_no_images,
        check=check,
    )


OPS = (
    _gradient("conv2d_xgrad_gather", "x", ("dy", "w"), dx),
    _gradient("conv2d_xgrad_scatter", "x", ("dy", "w"), dx),
    _gradient("conv2d_xgrad_gemm", "x", ("dy", "w"), dx),
    _gradient("conv2d_wgrad_scatter", "w", ("x", "dy"), dw),
    _gradient("conv2d_wgrad", "w", ("x", "dy"), dw),
    _gradient("conv2d_wgrad_gemm", "w", ("x", "dy"), dw),
    _gradient("conv2d_bgrad", "b", ("dy",), db),
    # The harness also calls it with more workspace, and asks for the workspace of a large layer.
    _gradient("conv2d_wgrad_workspaces", "w", ("x", "dy"), dw),
    _gradient("conv2d_wgrad_gemm_workspaces", "w", ("x", "dy"), dw),
    _wgrad_no_images("conv2d_wgrad_no_images"),
    _wgrad_no_images("conv2d_wgrad_scatter_no_images"),
    Op(
        "conv2d_bgrad_no_images",
        ONE_GROUP,
        inputs=lambda p: {},
        outputs=lambda p: {"db": shapes_of(p)["b"]},
        compute=_no_images_of_bias,
        check=check,
    ),
    _wgrad_no_images("conv2d_wgrad_gemm_no_images"),
    Op(
        "conv2d_backward_refuses",
        ONE_GROUP,
        inputs=lambda p: {
            "x": shapes_of(p)["x"],
            "w": shapes_of(p)["w"],
            "dy": shapes_of(p)["y"],
            "dx0": shapes_of(p)["x"],
        },
        outputs=lambda p: {"status": (_REFUSALS,)},
        compute=_refuses,
        distributions=dict.fromkeys(("x", "w", "dy", "dx0"), _UNIFORM),
        check=check,
    ),
    *layers_backward.OPS,
)
