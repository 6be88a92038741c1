# SPDX-License-Identifier: MIT
"""The proofs of each operation of the stage; the gradients are the library's."""

import naive_gradients
import numpy as np
import other_path_gradients
from proof import CONV_OF_ONE_GROUP, Proof


def wgrad_no_images(p, t):
    """Sums without a term."""
    return np.zeros((p["m"], p["c"], p["kh"], p["kw"]))


def bgrad_no_images(p, t):
    """Sums without a term."""
    return np.zeros(p["m"])


def refuses(p, t):
    """cudaErrorInvalidValue is number 1."""
    return (1, 1, 1, 1, 1)


_GRADIENT = CONV_OF_ONE_GROUP | {"accumulate": (0, 1)}
_XGRAD = Proof(naive_gradients.xgrad, _GRADIENT, other_path_gradients.xgrad)
_WGRAD = Proof(naive_gradients.wgrad, _GRADIENT, other_path_gradients.wgrad)

PROOFS = {
    "conv2d_xgrad_gather": _XGRAD,
    "conv2d_xgrad_scatter": _XGRAD,
    "conv2d_xgrad_gemm": _XGRAD,
    "conv2d_wgrad_scatter": _WGRAD,
    "conv2d_wgrad": _WGRAD,
    "conv2d_wgrad_gemm": _WGRAD,
    "conv2d_bgrad": Proof(naive_gradients.bgrad, _GRADIENT, other_path_gradients.bgrad),
    "conv2d_wgrad_workspaces": _WGRAD,
    "conv2d_wgrad_gemm_workspaces": _WGRAD,
    "conv2d_wgrad_no_images": Proof(wgrad_no_images, CONV_OF_ONE_GROUP),
    "conv2d_wgrad_scatter_no_images": Proof(wgrad_no_images, CONV_OF_ONE_GROUP),
    "conv2d_bgrad_no_images": Proof(bgrad_no_images, CONV_OF_ONE_GROUP),
    "conv2d_wgrad_gemm_no_images": Proof(wgrad_no_images, CONV_OF_ONE_GROUP),
    "conv2d_backward_refuses": Proof(refuses, CONV_OF_ONE_GROUP, exact=True),
}
