# SPDX-License-Identifier: MIT
"""The proofs of the stage's own operations."""

import naive_gradients
import other_path_gradients
from naive_layers import conv2d
from proof import CONV, CONV_OF_ONE_GROUP, Proof

from . import naive, other_path

_FACTORS = {"alpha": (-2, 2), "beta": (-2, 2)}
_ALGORITHM = {"algo": (0, 7)}
_LIMIT = CONV_OF_ONE_GROUP | {"limit": (0, 9)}
_SCALED = CONV_OF_ONE_GROUP | _FACTORS | _ALGORITHM


def _gradient(name, by_loops, at_once):
    """alpha * gradient + beta * what `name` holds before."""

    def plain(p, t):
        alone = {key: tensor for key, tensor in t.items() if key != name}
        return naive.blended(p, by_loops(p, alone), t.get(name))

    return Proof(plain, _SCALED, other_path.blended(at_once, name))


def _numbers(numbers, ranges):
    """Categories of cudnnStatus_t (2 is BAD_PARAM, 3 is NOT_SUPPORTED), or facts that all hold."""
    return Proof(lambda p, t: numbers, ranges, exact=True)


PROOFS = {
    "conv2d_dims": Proof(naive.dims, CONV, other_path.dims, exact=True),
    "conv2d_dims_statuses": _numbers((2, 2, 2), {}),
    "conv2d_forward_statuses": _numbers((3, 3), {}),
    "conv2d_cudnn": Proof(conv2d, CONV | _ALGORITHM, other_path.conv),
    "conv2d_blend": Proof(
        naive.blend, CONV | _FACTORS | _ALGORITHM, other_path.blended(other_path.conv, "y0")
    ),
    "conv2d_blend_biased": Proof(
        naive.biased_blend, CONV | _FACTORS | _ALGORITHM, other_path.biased_blend
    ),
    "conv2d_workspaces": _numbers((1,) * 8, CONV_OF_ONE_GROUP),
    "conv2d_xgrad_workspaces": _numbers((1,) * 6, CONV_OF_ONE_GROUP),
    "conv2d_wgrad_workspaces": _numbers((1,) * 7, CONV_OF_ONE_GROUP),
    "conv2d_heuristic": _numbers((1, 1, 1, 1), _LIMIT),
    "conv2d_measured": _numbers((1, 1, 1), _LIMIT),
    "conv2d_xgrad_cudnn": _gradient("dx0", naive_gradients.xgrad, other_path_gradients.xgrad),
    "conv2d_wgrad_cudnn": _gradient("dw0", naive_gradients.wgrad, other_path_gradients.wgrad),
    "conv2d_bgrad_cudnn": _gradient("db0", naive_gradients.bgrad, other_path_gradients.bgrad),
    "softmax_backward": Proof(
        naive.softmax_backward, {"n": (1, 4), "k": (1, 12)}, other_path.softmax_backward
    ),
    "algorithm_table": _numbers([(1, 1, 1, 1)] * 8, CONV_OF_ONE_GROUP),
}
