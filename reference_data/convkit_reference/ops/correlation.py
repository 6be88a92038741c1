# SPDX-License-Identifier: MIT
"""Cross-correlation in float64: the sum that every convolution here uses.

    y[n][m][i][j] = sum over c, p, q of
        x[n][c][i * stride_h + p * dilation_h - top][j * stride_w + q * dilation_w - left]
        * w[m][c][p][q]

The terms are added in the order c, p, q with one multiplication and one addition each, all outputs
side by side. No BLAS and no einsum: their order of summation changes from machine to machine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Geometry:
    """Where the windows lie. Pairs are (height, width)."""

    out: tuple[int, int]
    before: tuple[int, int] = (0, 0)  # padding above and to the left
    stride: tuple[int, int] = (1, 1)
    dilation: tuple[int, int] = (1, 1)

    def reach(self, kernel: tuple[int, int]) -> tuple[int, int]:
        """The number of rows and columns of the padded input that windows read."""
        return tuple(
            (out - 1) * stride + dilation * (k - 1) + 1
            for out, stride, dilation, k in zip(self.out, self.stride, self.dilation, kernel)
        )

    def window(self, p: int, q: int) -> tuple[slice, slice]:
        """The elements of the padded input that tap (p, q) reads, one for each output."""
        return tuple(
            slice(offset * dilation, offset * dilation + (out - 1) * stride + 1, stride)
            for offset, dilation, out, stride in zip((p, q), self.dilation, self.out, self.stride)
        )


def padded(x: np.ndarray, geometry: Geometry, kernel: tuple[int, int], fill: float) -> np.ndarray:
    """x [n][c][h][w] as float64, padded with `fill` and cut to what the windows read."""
    rows, columns = geometry.reach(kernel)
    top, left = geometry.before
    frame = np.full((*x.shape[:2], rows, columns), fill, dtype=np.float64)
    part = x[:, :, : max(0, rows - top), : max(0, columns - left)]
    frame[:, :, top : top + part.shape[2], left : left + part.shape[3]] = part
    return frame


def correlate(x: np.ndarray, w: np.ndarray, geometry: Geometry, groups: int = 1) -> np.ndarray:
    """x [n][c][h][w] with w [m][c / groups][kh][kw] -> [n][m][oh][ow]."""
    m, c_group, kh, kw = w.shape
    m_group = m // groups
    frame = padded(x, geometry, (kh, kw), 0.0)
    w = w.astype(np.float64)
    y = np.zeros((x.shape[0], m, *geometry.out))
    for group in range(groups):
        maps = slice(group * m_group, (group + 1) * m_group)
        for c in range(c_group):
            plane = frame[:, group * c_group + c, None]
            for p in range(kh):
                for q in range(kw):
                    rows, columns = geometry.window(p, q)
                    y[:, maps] += plane[:, :, rows, columns] * w[None, maps, c, p, q, None, None]
    return y
