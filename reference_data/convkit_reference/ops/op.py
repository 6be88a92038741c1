# SPDX-License-Identifier: MIT
"""What the generator needs to know about an operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

Params = Mapping[str, int | float]
Tensors = Mapping[str, np.ndarray]
Shape = tuple[int, ...]

UNIT_ROUNDOFF = 2.0**-24  # of float32


@dataclass(frozen=True)
class Param:
    """One parameter. A default of None means that every case must give it."""

    default: int | float | None = None
    minimum: float | None = 1
    maximum: float | None = None
    kind: type = int
    grows: bool = False  # a size: a case stays possible when it grows


def size(default: int | None = None) -> Param:
    return Param(default, 1, grows=True)


@dataclass(frozen=True)
class Output:
    """A result and the error that a float32 program may have: gamma(terms) * magnitude.

    value is float64 (or int32); magnitude has its shape, and there is none if terms is 0.
    """

    value: np.ndarray
    terms: int = 0
    magnitude: np.ndarray | None = None


@dataclass(frozen=True)
class Op:
    """An operation: its parameters, the shapes of its tensors, and its reference result."""

    name: str
    params: Mapping[str, Param]
    inputs: Callable[[Params], dict[str, Shape]]
    outputs: Callable[[Params], dict[str, Shape]]
    compute: Callable[[Params, Tensors], dict[str, Output]]
    # For inputs that a case does not mention.
    distributions: Mapping[str, str] = field(default_factory=dict)
    check: Callable[[Params], None] = lambda params: None  # raises ParamProblem
