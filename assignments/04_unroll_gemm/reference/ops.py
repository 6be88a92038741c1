# SPDX-License-Identifier: MIT
"""The operations of the stage: unrolling, matrix products, convolutions made of both."""

from . import gemm, unroll

OPS = (*unroll.OPS, *gemm.OPS)
