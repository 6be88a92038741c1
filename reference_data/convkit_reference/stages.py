# SPDX-License-Identifier: MIT
"""Finds what belongs to a stage in the stage's folder: cases.toml, and the Python modules in
reference/, of which ops.py declares the operations."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from types import ModuleType

from .errors import UserError
from .ops.op import Op

ASSIGNMENTS = Path(__file__).resolve().parents[2] / "assignments"
SPEC = "cases.toml"


def stage_folders() -> list[Path]:
    """The stages that have cases."""
    return sorted(path.parent for path in ASSIGNMENTS.glob(f"[0-9][0-9]_*/{SPEC}"))


def reference_module(stage: Path, name: str) -> ModuleType:
    """`reference/<name>.py` of a stage's folder. Raises UserError if it does not exist.

    The folder is its own package: its modules import each other with a dot, and equal names in two
    stages do not clash.
    """
    folder = stage.resolve() / "reference"
    if not (folder / f"{name}.py").is_file():
        raise UserError(f"{folder / name}.py is missing; docs/references.md says what it holds.")
    package = re.sub(r"\W", "_", str(folder))
    if package not in sys.modules:
        sys.modules[package] = ModuleType(package)
        sys.modules[package].__path__ = [str(folder)]
    return importlib.import_module(f"{package}.{name}")


def operations(stage: Path) -> dict[str, Op]:
    """The operations that the stage's reference/ops.py declares in OPS, by name."""
    module = reference_module(stage, "ops")
    declared = getattr(module, "OPS", None)
    if not isinstance(declared, tuple) or not all(isinstance(op, Op) for op in declared):
        raise UserError(f"{module.__file__}: OPS is missing or not a tuple of Op.")
    return {op.name: op for op in declared}
