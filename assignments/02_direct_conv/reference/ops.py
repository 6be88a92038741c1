# SPDX-License-Identifier: MIT
"""The operations of the stage: the warm-up, the convolutions, and two calls of one in a row."""

from __future__ import annotations

import numpy as np

from convkit_reference.ops.conv2d import (
    OUT_OF_RESOURCES,
    PARAMS,
    UNIFORM,
    biased,
    check,
    conv2d,
    failing_conv2d,
    geometry_of,
    inputs_of,
)
from convkit_reference.ops.dense import multiply
from convkit_reference.ops.op import Op, Output, Param, Params, Shape, Tensors, size

# The first steps on a device: the sum of two vectors and the product of two matrices.

# What cudaMalloc returns when it asks for too much: cudaErrorMemoryAllocation.
OUT_OF_MEMORY = 2


def _vector_add(p: Params, t: Tensors) -> dict[str, Output]:
    """One rounding of one sum: |error| <= u |a + b|."""
    c = t["a"].astype(np.float64) + t["b"].astype(np.float64)
    return {"c": Output(c, 1, np.abs(c))}


def _too_large(p: Params, t: Tensors) -> dict[str, Output]:
    return {"error": Output(np.array([OUT_OF_MEMORY], dtype=np.int32))}


def _failing(p: Params, t: Tensors) -> dict[str, Output]:
    """What a failing allocation and a failing launch must come to, and what may follow: nothing."""
    return {
        "again": Output(np.zeros(2, dtype=np.int32)),
        "error": Output(np.array([OUT_OF_MEMORY, OUT_OF_RESOURCES], dtype=np.int32)),
    }


def _matrix_product(p: Params, t: Tensors) -> dict[str, Output]:
    """As for a dense layer without bias: gamma(inner) * sum |a||b|."""
    a, b = t["a"], t["b"].T
    return {"c": Output(multiply(a, b), p["inner"], multiply(np.abs(a), np.abs(b)))}


_UNIFORM = {"a": "uniform(-1, 1)", "b": "uniform(-1, 1)"}


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
    Op(
        "vector_add",
        {"size": size()},
        inputs=lambda p: {"a": (p["size"],), "b": (p["size"],)},
        outputs=lambda p: {"c": (p["size"],)},
        compute=_vector_add,
        distributions=_UNIFORM,
    ),
    # The function is called for 2^log2_size elements, but the arrays have one; the output is the
    # error that it returns.
    Op(
        "vector_add_too_large",
        {"log2_size": Param(40, 40, 50)},
        inputs=lambda p: {"a": (1,), "b": (1,)},
        outputs=lambda p: {"error": (1,)},
        compute=_too_large,
        distributions=_UNIFORM,
    ),
    Op(
        "vector_add_failing",
        {"size": size()},
        inputs=lambda p: {"a": (p["size"],), "b": (p["size"],)},
        outputs=lambda p: {"again": (2,), "error": (2,)},
        compute=_failing,
        distributions=_UNIFORM,
    ),
    Op(
        "matrix_product_failing",
        {"rows": size(), "inner": size(), "cols": size()},
        inputs=lambda p: {"a": (p["rows"], p["inner"]), "b": (p["inner"], p["cols"])},
        outputs=lambda p: {"again": (2,), "error": (2,)},
        compute=_failing,
        distributions=_UNIFORM,
    ),
    Op(
        "matrix_product",
        {"rows": size(), "inner": size(), "cols": size()},
        inputs=lambda p: {"a": (p["rows"], p["inner"]), "b": (p["inner"], p["cols"])},
        outputs=lambda p: {"c": (p["rows"], p["cols"])},
        compute=_matrix_product,
        distributions=_UNIFORM,
    ),
    conv2d("conv2d_direct"),
    conv2d("conv2d_constant"),
    _twice("conv2d_constant_twice"),
    conv2d("conv2d_unrolled"),
    failing_conv2d("conv2d_direct_failing"),
    failing_conv2d("conv2d_constant_failing"),
    failing_conv2d("conv2d_unrolled_failing"),
)
