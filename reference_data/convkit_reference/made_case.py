# SPDX-License-Identifier: MIT
"""One case made: its tensors and its entry in the manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from .draw import Case
from .errors import DataError, InputProblem
from .npz import tensor_sha256
from .ops.op import Output

_MAGNITUDE_BITS = 16


@dataclass(frozen=True)
class MadeCase:
    case: Case
    tensors: dict[str, np.ndarray]  # in.<name>, out.<name>, mag.<name>
    terms: dict[str, int]  # of each output

    def members(self) -> Iterator[tuple[str, np.ndarray]]:
        """The tensors with their names in a stage's archive: <case>/in.<name>, ..."""
        for name, tensor in self.tensors.items():
            yield f"{self.case.name}/{name}", tensor

    def tensor_entries(self) -> dict[str, dict]:
        return {
            name: {
                "dtype": tensor.dtype.name,
                "shape": list(tensor.shape),
                "sha256": tensor_sha256(tensor),
            }
            for name, tensor in self.tensors.items()
        }

    def entry(self) -> dict:
        """The manifest's entry."""
        case, spec = self.case, self.case.spec
        return {
            "name": case.name,
            "op": spec.op.name,
            "task": spec.task,
            "group": spec.group,
            "visible": case.visible,
            "summary": spec.summary,
            "seed": case.seed,
            "params": dict(case.params),
            "inputs": [name for name in spec.inputs if f"in.{name}" in self.tensors],
            "outputs": [{"name": name, "terms": terms} for name, terms in self.terms.items()],
            "tensors": self.tensor_entries(),
        }


def make_case(case: Case) -> MadeCase:
    """Fills the inputs and computes the outputs. Raises SpecError, and DataError where
    the operation does not keep what it declares."""
    op = case.spec.op
    inputs = {}
    for name, shape in op.inputs(case.params).items():
        try:
            inputs[name] = case.spec.inputs[name].fill(name, shape, case.seed)
        except InputProblem as problem:
            raise case.spec.error(problem) from None
    outputs = op.compute(case.params, inputs)
    _check_outputs(case, outputs)
    tensors = {f"in.{name}": tensor for name, tensor in inputs.items()}
    for name, output in outputs.items():
        tensors[f"out.{name}"] = np.ascontiguousarray(output.value)
        if output.terms:
            tensors[f"mag.{name}"] = rounded_up(output.magnitude)
    return MadeCase(case, tensors, {name: output.terms for name, output in outputs.items()})


def _check_outputs(case: Case, outputs: Mapping[str, Output]) -> None:
    """Raises DataError unless compute() gives what outputs() declares."""
    op = case.spec.op
    where = f'{case.spec.text.path}: case "{case.name}": compute of {op.name} gives'
    declared = op.outputs(case.params)
    if set(outputs) != set(declared):
        names = f"{', '.join(outputs) or 'nothing'}, but its outputs are {', '.join(declared)}"
        raise DataError(f"{where} {names}.")
    for name, output in outputs.items():
        tensors = {name: output.value}
        if output.terms:
            tensors[f"the magnitude of {name}"] = output.magnitude
        for what, tensor in tensors.items():
            if np.shape(tensor) != tuple(declared[name]):
                shapes = f"{np.shape(tensor)}, but its outputs declare {tuple(declared[name])}"
                raise DataError(f"{where} {what} the shape {shapes}.")


def rounded_up(magnitude: np.ndarray) -> np.ndarray:
    """Each element rounded up to 16 significant bits: a bound grows by at most 2^-15 of itself, and
    the zeros at the end make the file a third smaller."""
    fraction, exponent = np.frexp(magnitude)
    return np.ldexp(np.ceil(np.ldexp(fraction, _MAGNITUDE_BITS)), exponent - _MAGNITUDE_BITS)
