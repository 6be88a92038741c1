# SPDX-License-Identifier: MIT
"""Submissions of stage 01 and one user, as in tests/end_to_end."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "end_to_end"))

from driver import Convkit, submission


@pytest.fixture(scope="session")
def cache(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def convkit(tmp_path, cache) -> Convkit:
    return Convkit(tmp_path / "home", cache)


@pytest.fixture
def handed_in(tmp_path):
    """handed_in({"dense.cpp": text}): a submission that differs from the solution in some files."""
    return lambda changes=None: submission(tmp_path / "ada", changes)
