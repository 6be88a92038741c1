# SPDX-License-Identifier: MIT
"""Random numbers that are the same on every machine and under every NumPy.

NumPy promises to keep the raw bits of PCG64, but not its distributions, so this file turns the bits
into numbers.
"""

from __future__ import annotations

import hashlib

import numpy as np


class RandomStream:
    """An endless stream of numbers, given by `seed` and a label (one for each input tensor)."""

    def __init__(self, seed: int, label: str):
        digest = hashlib.sha256(f"{seed}/{label}".encode()).digest()
        self._bits = np.random.PCG64(int.from_bytes(digest[:16], "big"))

    def unit(self, count: int) -> np.ndarray:
        """`count` float64 in [0, 1), multiples of 2^-24."""
        raw = np.asarray(self._bits.random_raw(count), dtype=np.uint64)
        return (raw >> np.uint64(40)).astype(np.float64) * 2.0**-24

    def uniform(self, low: float, high: float, count: int) -> np.ndarray:
        return low + self.unit(count) * (high - low)

    def integers(self, low: int, high: int, count: int) -> np.ndarray:
        """`count` whole float64 in [low, high], both ends included."""
        return low + np.floor(self.unit(count) * (high - low + 1))

    def integer(self, low: int, high: int) -> int:
        return int(self.integers(low, high, 1)[0])


def secret_seed(secret: str, stage: str, case: str) -> int:
    """The seed of a hidden case: 53 bits, so that every JSON reader keeps it exactly."""
    digest = hashlib.sha256(f"{secret}\0{stage}\0{case}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 11


def default_seed(stage: str, case: str) -> int:
    """The seed of a case whose spec gives none."""
    digest = hashlib.sha256(f"{stage}\0{case}".encode()).digest()
    return int.from_bytes(digest[:4], "big")
