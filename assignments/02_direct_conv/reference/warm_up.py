# SPDX-License-Identifier: MIT
"""The first steps on a device: the sum of two vectors and the product of two matrices."""

from __future__ import annotations

import numpy as np

from convkit_reference.ops.dense import multiply
from convkit_reference.ops.op import Op, Output, Param, Params, Tensors, size

# What cudaMalloc returns when it asks for too much: cudaErrorMemoryAllocation.
OUT_OF_MEMORY = 2


def _vector_add(p: Params, t: Tensors) -> dict[str, Output]:
    """One rounding of one sum: |error| <= u |a + b|."""
    c = t["a"].astype(np.float64) + t["b"].astype(np.float64)
    return {"c": Output(c, 1, np.abs(c))}


def _too_large(p: Params, t: Tensors) -> dict[str, Output]:
    return {"error": Output(np.array([OUT_OF_MEMORY], dtype=np.int32))}


def _matrix_product(p: Params, t: Tensors) -> dict[str, Output]:
    """As for a dense layer without bias: gamma(inner) * sum |a||b|."""
    a, b = t["a"], t["b"].T
    return {"c": Output(multiply(a, b), p["inner"], multiply(np.abs(a), np.abs(b)))}


_UNIFORM = {"a": "uniform(-1, 1)", "b": "uniform(-1, 1)"}

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
        "matrix_product",
        {"rows": size(), "inner": size(), "cols": size()},
        inputs=lambda p: {"a": (p["rows"], p["inner"]), "b": (p["inner"], p["cols"])},
        outputs=lambda p: {"c": (p["rows"], p["cols"])},
        compute=_matrix_product,
        distributions=_UNIFORM,
    ),
)
