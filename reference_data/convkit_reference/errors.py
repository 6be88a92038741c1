# SPDX-License-Identifier: MIT
"""The mistakes that a user can make, each as one sentence."""

from __future__ import annotations

from pathlib import Path


class UserError(Exception):
    """The command, a spec or a file it names is wrong. Exit code 2."""


class SpecError(UserError):
    """A spec breaks a rule; the message names the file, the line and the key."""

    def __init__(self, path: Path, line: int, sentence: str):
        super().__init__(f"{path}:{line}: {sentence}")
        self.line = line


class DataError(Exception):
    """The data or the Python of a stage is at fault. Exit code 3."""


class CaseProblem(Exception):
    """A key of a case has an impossible value. CaseSpec.error() adds file and line.

    The message continues the key's name: CaseProblem("seed", "is -1; it must be at least 0").
    """

    table = ""  # the case's table that holds the key; "" for the case itself

    def __init__(self, key: str, sentence: str):
        super().__init__(sentence)
        self.key = key


class ParamProblem(CaseProblem):
    table = "params"


class InputProblem(CaseProblem):
    table = "inputs"


class JitterProblem(CaseProblem):
    table = "jitter"
