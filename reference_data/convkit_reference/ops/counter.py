# SPDX-License-Identifier: MIT
"""The counter-based random numbers of runtime/include/convkit/counter_random.h, in NumPy."""

from __future__ import annotations

import numpy as np

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mix(z: np.ndarray) -> np.ndarray:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def random_bits(seed: int, stream: int, count: int) -> np.ndarray:
    """uint64 [count]."""
    with np.errstate(over="ignore"):
        key = _mix(np.array([seed], dtype=np.uint64) + _GOLDEN)
        key = _mix(key + _GOLDEN * np.uint64(stream))
        return _mix(key + _GOLDEN * np.arange(count, dtype=np.uint64))


def uniform(seed: int, stream: int, count: int) -> np.ndarray:
    """Random multiples of 2^-24 in [0, 1), as float64."""
    return (random_bits(seed, stream, count) >> np.uint64(40)).astype(np.float64) * 2.0**-24


def epoch_order(seed: int, epoch: int, count: int) -> np.ndarray:
    """int32 [count]: a Fisher-Yates shuffle that starts at the end."""
    order = list(range(count))
    bits = random_bits(seed, 1000 + epoch, count).tolist()
    for i in range(count - 1, 0, -1):
        j = bits[i] % (i + 1)
        order[i], order[j] = order[j], order[i]
    return np.array(order, dtype=np.int32)
