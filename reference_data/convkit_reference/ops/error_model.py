# SPDX-License-Identifier: MIT
"""The error that a float32 exp, log or tanh may have, and the error of functions built from them.

Every function here returns an absolute error bound in units of u = 2^-24, to first order in u.
ELEMENTARY is the relative error granted to one call of an elementary function. 8 u = 4 ulp covers
every C library (glibc and musl stay below 2 ulp) and the usual vectorised polynomials. The rules
for propagating it are those of Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.,
chapters 1.6-1.10 and 3.1.
"""

from __future__ import annotations

import numpy as np

from .op import UNIT_ROUNDOFF

ELEMENTARY = 8.0

# Results below the smallest normal float32 may be flushed to zero.
FLUSH = 2.0**-126 / UNIT_ROUNDOFF


def closed(first_order: np.ndarray) -> np.ndarray:
    """Turns the first-order bound n u into n u / (1 - n u), which covers the higher orders, too."""
    return first_order / (1.0 - np.minimum(first_order * UNIT_ROUNDOFF, 0.5))


def sigmoid_error(y: np.ndarray) -> np.ndarray:
    """For y = sigmoid(x), the largest of three usual ways to compute it.

    1 / (1 + e), e = exp(-x): e is off by E e, the sum adds 1 rounding and the quotient 1; since
        e / (1 + e) = 1 - y:                                     y (E (1 - y) + 2)
    e / (1 + e), e = exp(x), used for x <= 0:                    y (E (1 + y) + 2)
    tanh(x / 2) / 2 + 1 / 2, where tanh(x / 2) = 2 y - 1:        E |2 y - 1| / 2 + y
    """
    quotient = y * (ELEMENTARY * (1 - y) + 2)
    negative = np.where(y <= 0.5, y * (ELEMENTARY * (1 + y) + 2), 0.0)
    by_tanh = ELEMENTARY / 2 * np.abs(2 * y - 1) + y
    return np.maximum(np.maximum(quotient, negative), by_tanh) + FLUSH


def sigmoid_error_below_zero(y: np.ndarray) -> np.ndarray:
    """For y = sigmoid(x) with x far below 0, where a program must not subtract numbers near 1.

    e / (1 + e), e = exp(x), is the larger of the two quotients above: y (E (1 + y) + 2)
    """
    return y * (ELEMENTARY * (1 + y) + 2) + FLUSH


def tanh_error(y: np.ndarray) -> np.ndarray:
    """For y = tanh(x), the larger of two usual ways to compute it (a library's is far better).

    (a - b) / (a + b), a = exp(x), b = exp(-x) or a = 1, b = exp(-2 x): numerator and denominator
        are both off by at most E (a + b), plus 3 roundings:     E (1 + |y|) + 3 |y|
    2 sigmoid(2 x) - 1, sigmoid = s = (1 + y) / 2:               2 s (E (1 - s) + 2) + |y|
    """
    s = (1 + y) / 2
    quotient = ELEMENTARY * (1 + np.abs(y)) + 3 * np.abs(y)
    by_sigmoid = 2 * s * (ELEMENTARY * (1 - s) + 2) + np.abs(y)
    return np.maximum(quotient, by_sigmoid) + FLUSH


def tanh_error_near_zero(y: np.ndarray) -> np.ndarray:
    """For y = tanh(x) with small x, where a program must not subtract numbers near 1.

    t / (t + 2), t = expm1(2 x): numerator and denominator are off by E of themselves, the sum and
        the quotient add 1 rounding each:                        y (2 E + 2)
    sinh(x) / cosh(x):                                           y (2 E + 1)
    """
    return np.abs(y) * (2 * ELEMENTARY + 2) + FLUSH


def softmax_error(y: np.ndarray, below: np.ndarray, log_sum: np.ndarray) -> np.ndarray:
    """For a row y [k] of softmax, below = max x - x >= 0, log_sum = ln(sum exp(-below)).

    The difference x - max is rounded once, so its exponential is off by E + below. The sum S of
    the exponentials is then off by (sum of y (E + below)) + k - 1, all relative. The quotient
    exp(x - max) / S adds 1 rounding. exp(x - max - ln S) instead takes ln S, off by E ln S, and
    rounds a difference of size below + ln S; it is the larger of the two, so it is the bound.
    """
    k = y.shape[-1]
    mean_below = np.zeros((*y.shape[:-1], 1))
    for i in range(k):
        mean_below += (y * below)[..., i : i + 1]
    total = ELEMENTARY + mean_below + (k - 1)
    relative = 2 * below + total + (ELEMENTARY + 1) * log_sum[..., None] + ELEMENTARY + 1
    return y * closed(relative) + FLUSH
