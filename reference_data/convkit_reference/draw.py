# SPDX-License-Identifier: MIT
"""From a spec to concrete cases: chooses seeds and sizes, and checks them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .case_spec import CaseSpec
from .errors import ParamProblem
from .ops.op import Op, Param
from .random_stream import RandomStream, default_seed, secret_seed
from .spec import Spec

_MAX_INT = 2**31 - 1  # a parameter is an int in C
MAX_ELEMENTS = 2**26  # of one tensor: in float64 it takes half a gigabyte
_TRIES = 1000


@dataclass(frozen=True)
class Case:
    """A case with its seed and sizes; the tensors are not made yet."""

    spec: CaseSpec
    name: str
    seed: int
    visible: bool
    params: Mapping[str, int | float]


def draw_cases(spec: Spec, secret: str | None = None) -> Iterator[Case]:
    """The visible cases of a spec; with a secret, all its cases, as a hidden set."""
    for case in spec.cases:
        if secret is None and not case.visible:
            settle(case, case.seed or 0, hidden=False)  # a mistake in a hidden case is found now
            continue
        for number, name in enumerate(case.instance_names()):
            if secret is not None:
                seed = secret_seed(secret, spec.stage, name)
            elif case.seed is not None:
                seed = case.seed + number
            else:
                seed = default_seed(spec.stage, name)
            params = settle(case, seed, hidden=secret is not None)
            yield Case(case, name, seed, secret is None, params)


def settle(case: CaseSpec, seed: int, hidden: bool) -> dict[str, int | float]:
    """All parameters as numbers. Ranges [low, high] are drawn until the case is possible."""
    try:
        _check_keys(case.op, case.params)
        ranges = {key for key, value in case.params.items() if isinstance(value, list)}
        stream = RandomStream(seed, "params")
        for _attempt in range(_TRIES if ranges else 1):
            params = _numbers(case, stream, hidden)
            try:
                _check_possible(case.op, params)
                return params
            except ParamProblem as problem:
                if not ranges:
                    raise
                last = problem
        raise ParamProblem(
            last.key, f"finds no possible value in {_TRIES} tries; the last one {last}"
        )
    except ParamProblem as problem:
        raise case.error(problem) from None


def _check_keys(op: Op, given: Mapping[str, object]) -> None:
    for key in given:
        if key not in op.params:
            known = ", ".join(op.params)
            raise ParamProblem(key, f"is an unknown key; the parameters of {op.name} are: {known}")
    for key, param in op.params.items():
        if key not in given and param.default is None:
            raise ParamProblem(key, f"is missing; {op.name} needs it")
        for value in _ends(given.get(key, param.default)):
            _check_number(key, param, value)


def _ends(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _check_number(key: str, param: Param, value: object) -> None:
    kinds = (int, float) if param.kind is float else int
    if not isinstance(value, kinds) or isinstance(value, bool):
        wanted = "a number" if param.kind is float else "a whole number"
        raise ParamProblem(key, f"is {value!r}; it must be {wanted}")
    if param.minimum is not None and value < param.minimum:
        raise ParamProblem(key, f"is {value}; it must be at least {param.minimum}")
    if param.maximum is not None and value > param.maximum:
        raise ParamProblem(key, f"is {value}; it must be at most {param.maximum}")
    if abs(value) > _MAX_INT or value != value:
        raise ParamProblem(key, f"is {value}; it does not fit an int (at most {_MAX_INT})")


def _numbers(case: CaseSpec, stream: RandomStream, hidden: bool) -> dict[str, int | float]:
    params = {}
    for key, param in case.op.params.items():
        value = case.params.get(key, param.default)
        if isinstance(value, list):
            if param.kind is not int or len(value) != 2 or value[0] > value[1]:
                raise ParamProblem(key, f"is {value}; a range is [low, high] of whole numbers")
            value = stream.integer(*value)
        if hidden and case.jitter.get(key):
            value += stream.integer(0, case.jitter[key])
        params[key] = param.kind(value)
    return params


def _check_possible(op: Op, params: Mapping[str, int | float]) -> None:
    op.check(params)
    for name, shape in {**op.inputs(params), **op.outputs(params)}.items():
        elements = 1
        for size in shape:
            elements *= size
        if elements > MAX_ELEMENTS:
            largest = max(params, key=lambda key: params[key])
            raise ParamProblem(
                largest,
                f"is {params[largest]}; {name} would overflow with {elements} elements, "
                f"the limit is {MAX_ELEMENTS}",
            )
