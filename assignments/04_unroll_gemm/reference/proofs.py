# SPDX-License-Identifier: MIT
"""The proofs of each operation of the stage."""

from naive_layers import conv2d
from proof import CONV_OF_ONE_GROUP as CONV
from proof import Proof

from . import naive, other_path

_HUGE = CONV | {"n": (1, 60000), "c": (1, 900), "h": (4, 3000), "w": (4, 3000)}
_GEMM = {"rows": (1, 6), "inner": (1, 20), "cols": (1, 7)}

_UNROLL = Proof(naive.unroll, CONV, other_path.unroll)
_ROLL = Proof(naive.roll, CONV, other_path.roll)
_PRODUCT = Proof(naive.gemm, _GEMM, other_path.gemm)
_CONV2D = Proof(conv2d, CONV, other_path.conv)


def _refusals(count):
    return Proof(naive.refusals(count), CONV, other_path.refusals(count), exact=True)


PROOFS = {
    "unroll_elements": _UNROLL,
    "unroll_columns": _UNROLL,
    "roll_scatter": _ROLL,
    "roll_gather": _ROLL,
    "unroll_offset": Proof(naive.offsets, _HUGE, other_path.offsets, exact=True),
    "workspace_size": Proof(naive.workspace, _HUGE, other_path.workspace, exact=True),
    "gemm_tiled": _PRODUCT,
    "gemm_blocked": _PRODUCT,
    "gemm_fast": _PRODUCT,
    "gemm_fast_scaled": Proof(
        naive.scaled, _GEMM | {"alpha": (-2, 2), "beta": (-2, 2)}, other_path.scaled
    ),
    "conv2d_gemm": _CONV2D,
    "conv2d_cublas": _CONV2D,
    "conv2d_implicit": _CONV2D,
    "gemm_refusals": _refusals(11),
    "cublas_refusals": _refusals(11),
    "implicit_refusals": _refusals(8),
}
