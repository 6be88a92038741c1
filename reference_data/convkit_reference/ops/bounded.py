# SPDX-License-Identifier: MIT
"""Values in float64, each with a bound for the error of a float32 program.

This is running error analysis (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.,
section 3.3) without dropped terms: the program's operands differ from a and b by at most e and f.
Then its result differs by at most what the exact operation makes of these errors, plus one rounding
of the largest possible result. Sums add gamma(n) of the sum of absolute values, which covers any
order of summation. A program may multiply out what is factored here, or factor what is multiplied
out; ORDERS allows for that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .op import UNIT_ROUNDOFF, Output

ORDERS = 4.0
TINY = 2.0**-126  # results below the smallest normal float32 may be flushed to zero


def gamma(n: int) -> float:
    return n * UNIT_ROUNDOFF / (1.0 - n * UNIT_ROUNDOFF)


@dataclass(frozen=True)
class Bounded:
    """value +- error, both float64 of one shape."""

    value: np.ndarray
    error: np.ndarray

    @staticmethod
    def exact(values: np.ndarray) -> Bounded:
        values = np.asarray(values, dtype=np.float64)
        return Bounded(values, np.zeros_like(values))

    @property
    def most(self) -> np.ndarray:
        return np.abs(self.value) + self.error

    def __add__(self, other: Bounded) -> Bounded:
        return _rounded(self.value + other.value, self.error + other.error)

    def __sub__(self, other: Bounded) -> Bounded:
        return _rounded(self.value - other.value, self.error + other.error)

    def __mul__(self, other: Bounded) -> Bounded:
        error = (
            np.abs(self.value) * other.error
            + self.error * np.abs(other.value)
            + self.error * other.error
        )
        return _rounded(self.value * other.value, error)

    def scaled(self, factor: float) -> Bounded:
        """Times a number that the program has rounded once, or divided by its reciprocal."""
        value, error = self.value * factor, self.error * abs(factor)
        return Bounded(value, error + gamma(2) * (np.abs(value) + error))

    def inverse_root(self) -> Bounded:
        """1 / sqrt(x) for x > 0: a root and a division, or one approximation within 2 ulp."""
        value = 1.0 / np.sqrt(self.value)
        least = np.maximum(self.value - self.error, self.value * 1e-3)
        error = 1.0 / np.sqrt(least) - value
        return Bounded(value, error + 4 * UNIT_ROUNDOFF * (value + error))

    def reshape(self, *shape: int) -> Bounded:
        return Bounded(self.value.reshape(shape), self.error.reshape(shape))

    def output(self) -> Output:
        """With no error, equality."""
        if not self.error.any():
            return Output(self.value)
        return Output(self.value, 1, (ORDERS * self.error + TINY) / UNIT_ROUNDOFF)


def _rounded(value: np.ndarray, error: np.ndarray) -> Bounded:
    return Bounded(value, error + UNIT_ROUNDOFF * (np.abs(value) + error))


def where(mask: np.ndarray, a: Bounded) -> Bounded:
    """a, or an exact 0."""
    return Bounded(np.where(mask, a.value, 0.0), np.where(mask, a.error, 0.0))


def bilinear(
    function: Callable[[np.ndarray, np.ndarray], np.ndarray], a: Bounded, b: Bounded, terms: int
) -> Bounded:
    """Sums of at most `terms` products a_i b_j: convolutions, matrix products, their gradients."""
    most = function(a.most, b.most)
    exact = function(np.abs(a.value), np.abs(b.value))
    return Bounded(function(a.value, b.value), (most - exact) + gamma(terms) * most)


def ordered_sum(values: np.ndarray) -> np.ndarray:
    """The sum over the last axis, added one after the other."""
    total = np.zeros(values.shape[:-1])
    for i in range(values.shape[-1]):
        total = total + values[..., i]
    return total


def summed(a: Bounded) -> Bounded:
    """The sum over the last axis, added in any order."""
    most = ordered_sum(a.most)
    error = ordered_sum(a.error) + gamma(max(a.value.shape[-1] - 1, 1)) * most
    return Bounded(ordered_sum(a.value), error)
