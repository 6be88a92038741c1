# SPDX-License-Identifier: MIT
"""The stage's own operations once more: by plain loops, and by NumPy's own means."""

import math

import naive_layers
import numpy as np
import other_path_layers
from proof import CONV, CONV2D, EACH, Proof


def conv2d_twice(p, t):
    """The results of two calls, one after the other; w and b hold two sets of m filters."""
    m = p["m"]
    calls = [
        naive_layers.conv2d(p, {"x": t["x"], "w": t["w"][k : k + m], "b": t["b"][k : k + m]})
        for k in (0, m)
    ]
    return tuple(np.array([*first, *second]) for first, second in zip(*calls))


def vector_add(p, t):
    y = np.array([float(a) + float(b) for a, b in zip(t["a"], t["b"])])
    return y, np.array([abs(v) for v in y])


def vector_add_too_large(p, t):
    """CUDA numbers its errors, and this is the second: cudaErrorMemoryAllocation."""
    return (2,)


def failing(p, t):
    """Nothing follows a failure; cudaErrorMemoryAllocation and cudaErrorLaunchOutOfResources."""
    return {"again": (0, 0), "error": (2, 701)}


def failing_launch(p, t):
    return (701,)


def matrix_product(p, t):
    y = np.zeros((p["rows"], p["cols"]))
    size = np.zeros_like(y)
    for i, j in np.ndindex(*y.shape):
        terms = [float(t["a"][i, k]) * float(t["b"][k, j]) for k in range(p["inner"])]
        y[i, j], size[i, j] = math.fsum(terms), math.fsum(map(abs, terms))
    return y, size


# --- NumPy's own means --------------------------------------------------------------------------


def conv_twice(p, t):
    calls = zip(np.split(t["w"], 2), np.split(t["b"], 2))
    return np.concatenate(
        [other_path_layers.conv(p, {"x": t["x"], "w": w, "b": b}) for w, b in calls]
    )


def _sum(p, t):
    return t["a"] + t["b"]


def _product(p, t):
    return t["a"] @ t["b"]


PROOFS = {
    "vector_add": Proof(vector_add, EACH, _sum),
    "vector_add_too_large": Proof(vector_add_too_large, {"log2_size": (40, 44)}, exact=True),
    "matrix_product": Proof(
        matrix_product, {"rows": (1, 6), "inner": (1, 20), "cols": (1, 6)}, _product
    ),
    "vector_add_failing": Proof(failing, EACH, exact=True),
    "matrix_product_failing": Proof(
        failing, {"rows": (1, 6), "inner": (1, 20), "cols": (1, 6)}, exact=True
    ),
    "conv2d_direct_failing": Proof(failing_launch, CONV, exact=True),
    "conv2d_constant_failing": Proof(failing_launch, CONV, exact=True),
    "conv2d_unrolled_failing": Proof(failing_launch, CONV, exact=True),
    "conv2d_direct": CONV2D,
    "conv2d_constant": CONV2D,
    "conv2d_constant_twice": Proof(conv2d_twice, CONV, conv_twice),
    "conv2d_unrolled": CONV2D,
}
