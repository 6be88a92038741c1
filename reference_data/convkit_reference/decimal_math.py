# SPDX-License-Identifier: MIT
"""exp, sigmoid, tanh and softmax, rounded once from 90 decimal digits.

The exp of a C library or of NumPy's vector code differs in the last bit from machine to machine.
Python's decimal module does not.
"""

from __future__ import annotations

import decimal
from collections.abc import Iterable
from decimal import Decimal

import numpy as np

# tanh(x) loses as many digits as x is small; the smallest float32 is about 1e-45.
_CONTEXT = decimal.Context(prec=90, Emin=-999999, Emax=999999, rounding=decimal.ROUND_HALF_EVEN)


def sigmoid(x: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-x))."""
    return _elementwise(_sigmoid, x)


def tanh(x: np.ndarray) -> np.ndarray:
    return _elementwise(_tanh, x)


def softmax_row(x: Iterable[float]) -> tuple[list[float], float]:
    """exp(x_i) / sum_j exp(x_j), and ln(sum_j exp(x_j - max x))."""
    with decimal.localcontext(_CONTEXT):
        values = [Decimal(float(value)) for value in x]
        largest = max(values)
        powers = [(value - largest).exp() for value in values]
        total = sum(powers)
        return [float(power / total) for power in powers], float(total.ln())


def _elementwise(function, x: np.ndarray) -> np.ndarray:
    with decimal.localcontext(_CONTEXT):
        flat = [v if v != v else float(function(Decimal(v))) for v in x.ravel().tolist()]
    return np.array(flat, dtype=np.float64).reshape(x.shape)


def _sigmoid(x: Decimal) -> Decimal:
    power = (-abs(x)).exp()
    return (1 if x >= 0 else power) / (1 + power)


def _tanh(x: Decimal) -> Decimal:
    power = (-2 * abs(x)).exp()
    return ((1 - power) / (1 + power)).copy_sign(x)
