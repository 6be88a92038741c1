# SPDX-License-Identifier: MIT
"""The values of inputs: reads the strings of a spec's `inputs`, such as "uniform(-1, 1)"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .digits import draw_digits
from .errors import InputProblem
from .random_stream import RandomStream
from .weights import stored_weights

_CALL = re.compile(r"^\s*([a-z_]+)\s*(?:\((.*)\))?\s*$")


@dataclass(frozen=True)
class Request:
    """One input tensor to fill."""

    name: str
    shape: tuple[int, ...]
    stream: RandomStream

    @property
    def count(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))


def _uniform(request: Request, low: float, high: float) -> np.ndarray:
    return request.stream.uniform(low, high, request.count)


def _integers(request: Request, low: float, high: float) -> np.ndarray:
    return request.stream.integers(int(low), int(high), request.count)


def _constant(request: Request, value: float) -> np.ndarray:
    return np.full(request.count, value)


def _ramp(request: Request) -> np.ndarray:
    """1, 2, 3, ...: every value shows which element it is."""
    return np.arange(1, request.count + 1, dtype=np.float64)


def _impulse(request: Request) -> np.ndarray:
    """A single 1, in the middle of the tensor."""
    values = np.zeros(request.count)
    middle = [size // 2 for size in request.shape]
    values[np.ravel_multi_index(middle, request.shape)] = 1.0
    return values


def _large(request: Request, limit: float = 1e4) -> np.ndarray:
    """Values up to +-limit, of every order of magnitude; the first two are +-limit."""
    unit = request.stream.uniform(-1.0, 1.0, request.count)
    values = unit * unit * unit * limit
    values[:2] = [limit, -limit][: request.count]
    return values


def _rectified(request: Request, limit: float = 1.0) -> np.ndarray:
    """uniform(-limit, limit) after a ReLU: about half are 0. So is the whole first plane."""
    values = np.maximum(request.stream.uniform(-limit, limit, request.count), 0.0)
    values[: int(np.prod(request.shape[-2:], dtype=np.int64))] = 0.0
    return values


def _with_nan(request: Request, limit: float = 1.0) -> np.ndarray:
    """uniform(-limit, limit) in which about every eighth element is NaN, and at least one."""
    values = request.stream.uniform(-limit, limit, request.count)
    values[request.stream.unit(request.count) < 0.125] = np.nan
    values[request.count // 2] = np.nan
    return values


def _digits(request: Request) -> np.ndarray:
    if len(request.shape) != 4 or request.shape[1:] != (1, 28, 28):
        shape = "x".join(map(str, request.shape))
        raise InputProblem(request.name, f'is "digits" but has shape {shape}, not nx1x28x28')
    return draw_digits(request.stream, request.shape[0])


def _weights(request: Request, archive: str) -> np.ndarray:
    return stored_weights(archive, request.name, request.shape)


@dataclass(frozen=True)
class _Kind:
    fill: Callable[..., np.ndarray]
    arguments: str  # "n" a number, "N" a number that may be left out, "s" a name
    usage: str


_KINDS = {
    "uniform": _Kind(_uniform, "nn", "uniform(low, high)"),
    "integers": _Kind(_integers, "nn", "integers(low, high)"),
    "zeros": _Kind(lambda request: np.zeros(request.count), "", "zeros"),
    "ones": _Kind(lambda request: np.ones(request.count), "", "ones"),
    "constant": _Kind(_constant, "n", "constant(value)"),
    "ramp": _Kind(_ramp, "", "ramp"),
    "impulse": _Kind(_impulse, "", "impulse"),
    "large": _Kind(_large, "N", "large(limit)"),
    "rectified": _Kind(_rectified, "N", "rectified(limit)"),
    "with_nan": _Kind(_with_nan, "N", "with_nan(limit)"),
    "digits": _Kind(_digits, "", "digits"),
    "weights": _Kind(_weights, "s", "weights(archive)"),
}


@dataclass(frozen=True)
class Distribution:
    """A parsed distribution string."""

    kind: str
    arguments: tuple[float | str, ...]

    def fill(self, name: str, shape: tuple[int, ...], seed: int) -> np.ndarray:
        """The float32 input `name`; every input has its own random stream."""
        request = Request(name, shape, RandomStream(seed, name))
        values = np.asarray(_KINDS[self.kind].fill(request, *self.arguments), dtype=np.float64)
        tensor = values.astype(np.float32).reshape(shape)
        tensor.view(np.uint32)[np.isnan(tensor)] = 0x7FC00000  # the same NaN on every machine
        return tensor


def parse_distribution(key: str, text: object) -> Distribution:
    """Raises InputProblem for the input `key`."""
    call = _CALL.match(text) if isinstance(text, str) else None
    if not call:
        raise InputProblem(key, f'is {text!r}; write it like "uniform(-1, 1)"')
    name, inside = call.groups()
    if name not in _KINDS:
        known = ", ".join(_KINDS)
        raise InputProblem(key, f'asks for the unknown distribution "{name}"; there are: {known}')
    kind = _KINDS[name]
    words = [word.strip() for word in inside.split(",")] if inside and inside.strip() else []
    least = kind.arguments.rstrip("N")
    if not len(least) <= len(words) <= len(kind.arguments):
        raise InputProblem(key, f'is "{text}"; write it as {kind.usage}')
    values = tuple(_argument(key, text, *pair) for pair in zip(words, kind.arguments))
    _check_values(key, text, name, values)
    return Distribution(name, values)


def _argument(key: str, text: str, word: str, kind: str) -> float | str:
    if kind == "s":
        if not re.fullmatch(r"[a-z][a-z0-9_]*", word):
            raise InputProblem(key, f'is "{text}"; "{word}" is not a name')
        return word
    try:
        value = float(word)
    except ValueError:
        raise InputProblem(key, f'is "{text}"; "{word}" is not a number') from None
    if not abs(value) <= float(np.finfo(np.float32).max):
        raise InputProblem(key, f'is "{text}"; {word} is not a finite float32')
    return value


def _check_values(key: str, text: str, name: str, values: tuple[float | str, ...]) -> None:
    if name in ("uniform", "integers") and values[0] > values[1]:
        raise InputProblem(key, f'is "{text}"; the lower end comes first')
    if name == "integers" and any(v != int(v) or abs(v) > 2**24 for v in values):
        raise InputProblem(key, f'is "{text}"; the ends are whole numbers up to 2^24')
