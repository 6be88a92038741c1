# SPDX-License-Identifier: MIT
"""The trained weights committed in reference_data/weights."""

from __future__ import annotations

import zipfile
from functools import lru_cache
from pathlib import Path

import numpy as np

from .errors import InputProblem

FOLDER = Path(__file__).resolve().parents[1] / "weights"


def stored_weights(archive: str, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """The member `name` of weights/<archive>.npz. Raises InputProblem for the input `name`."""
    members = _load(name, archive)
    if name not in members:
        raise InputProblem(
            name, f"is not in weights/{archive}.npz, which has: {', '.join(members)}"
        )
    if members[name].shape != shape:
        raise InputProblem(
            name, f"has shape {members[name].shape} in weights/{archive}.npz, not {shape}"
        )
    return members[name]


@lru_cache(maxsize=4)
def _load(name: str, archive: str) -> dict[str, np.ndarray]:
    path = FOLDER / f"{archive}.npz"
    try:
        with np.load(path, allow_pickle=False) as file:
            return {member: file[member] for member in file.files}
    except FileNotFoundError:
        raise InputProblem(name, f"asks for weights/{archive}.npz, which does not exist") from None
    except (OSError, ValueError, zipfile.BadZipFile):
        raise InputProblem(name, f"asks for weights/{archive}.npz, which is damaged") from None
