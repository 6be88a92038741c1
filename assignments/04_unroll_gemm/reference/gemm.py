# SPDX-License-Identifier: MIT
"""Matrix products, and the convolutions that are made of them."""

from __future__ import annotations

import numpy as np

from convkit_reference.ops.conv2d import PARAMS, check, conv2d
from convkit_reference.ops.dense import multiply
from convkit_reference.ops.op import Op, Output, Param, Params, Shape, Tensors, size

_SIZES = {"rows": size(), "inner": size(), "cols": size()}
_INVALID_VALUE = 1  # cudaErrorInvalidValue


def product(
    a: np.ndarray, b: np.ndarray, c: np.ndarray | None = None, alpha: float = 1, beta: float = 0
) -> Output:
    """alpha a b + beta c; if beta is 0, c is ignored, even if it is NaN.

    Each of the k products is rounded once and takes part in at most k - 1 additions. alpha and the
    sum with beta c cost one rounding each: gamma(k + 2) * (|alpha| |a||b| + |beta c|).
    """
    value = alpha * multiply(a, b.T)
    magnitude = abs(alpha) * multiply(np.abs(a), np.abs(b).T)
    if c is not None and beta != 0:
        value = value + beta * c.astype(np.float64)
        magnitude = magnitude + np.abs(beta * c.astype(np.float64))
    plain = c is None and alpha == 1
    return Output(value, a.shape[1] + (0 if plain else 2), magnitude)


def _factors(p: Params) -> dict[str, Shape]:
    return {"a": (p["rows"], p["inner"]), "b": (p["inner"], p["cols"])}


def _result(p: Params) -> dict[str, Shape]:
    return {"c": (p["rows"], p["cols"])}


def _gemm(name: str) -> Op:
    return Op(
        name,
        _SIZES,
        inputs=_factors,
        outputs=_result,
        compute=lambda p, t: {"c": product(t["a"], t["b"])},
        distributions=dict.fromkeys("ab", "uniform(-1, 1)"),
    )


def _scaled(p: Params, t: Tensors) -> dict[str, Output]:
    # The function under test takes floats.
    alpha, beta = (float(np.float32(p[key])) for key in ("alpha", "beta"))
    return {"c": product(t["a"], t["b"], t["c0"], alpha, beta)}


def _refusals(name: str, calls: int) -> Op:
    """The return values of a list of calls from the stage's harness: the first has no images,
    each of the others has one fault."""
    return Op(
        name,
        PARAMS,
        inputs=lambda p: {},
        outputs=lambda p: {"status": (calls,)},
        compute=lambda p, t: {
            "status": Output(np.array([0] + [_INVALID_VALUE] * (calls - 1), dtype=np.int32)),
        },
        check=check,
    )


# The number of unrolled images that fit into the workspace, and the bytes that are left over.
_WORKSPACE = {"workspace_images": size(1), "workspace_extra": Param(0, 0)}

OPS = (
    _gemm("gemm_tiled"),
    _gemm("gemm_blocked"),
    _gemm("gemm_fast"),
    Op(
        "gemm_fast_scaled",
        _SIZES | {"alpha": Param(1.0, None, None, float), "beta": Param(0.0, None, None, float)},
        inputs=lambda p: _factors(p) | {"c0": (p["rows"], p["cols"])},
        outputs=_result,
        compute=_scaled,
        distributions=dict.fromkeys(("a", "b", "c0"), "uniform(-1, 1)"),
    ),
    conv2d("conv2d_gemm", PARAMS | _WORKSPACE),
    conv2d("conv2d_cublas", PARAMS | _WORKSPACE),
    conv2d("conv2d_implicit"),
    _refusals("gemm_refusals", 11),
    _refusals("cublas_refusals", 11),
    _refusals("implicit_refusals", 8),
)
