# SPDX-License-Identifier: MIT
"""Reads a set of cases as the grader does, and judges an answer by the grader's rule."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from convkit_reference.stages import stage_folders

VISIBLE = Path(__file__).resolve().parents[1] / "visible"
STAGES = [folder.name for folder in stage_folders()]


@dataclass
class Loaded:
    stage: str
    name: str
    op: str
    group: str
    params: dict
    inputs: dict
    output: str
    expected: np.ndarray
    allowed: np.ndarray

    def passes(self, got):
        """The shapes are equal and |got - expected| <= allowed; NaN only where NaN is expected."""
        got = np.asarray(got)
        if got.shape != self.expected.shape:
            return False
        nan = np.isnan(self.expected)
        with np.errstate(invalid="ignore"):
            near = np.abs(got - self.expected) <= self.allowed
        return bool(np.where(nan, np.isnan(got), near).all())


def load(stage):
    """All cases of a stage, one entry for each output."""
    folder, cases = VISIBLE / stage, []
    archive = np.load(folder / "cases.npz")
    for entry in json.loads((folder / "manifest.json").read_text())["cases"]:
        tensors = {name: archive[f"{entry['name']}/{name}"] for name in entry["tensors"]}
        inputs = {name: tensors[f"in.{name}"] for name in entry["inputs"]}
        for output in entry["outputs"]:
            name, terms = output["name"], output["terms"]
            expected = tensors[f"out.{name}"]
            gamma = terms * 2.0**-24 / (1 - terms * 2.0**-24)
            magnitude = tensors.get(f"mag.{name}", np.zeros(expected.shape))
            cases.append(
                Loaded(
                    stage,
                    entry["name"],
                    entry["op"],
                    entry["group"],
                    entry["params"],
                    inputs,
                    name,
                    expected,
                    gamma * magnitude + terms * 2.0**-149,
                )
            )
    return cases
