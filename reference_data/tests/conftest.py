# SPDX-License-Identifier: MIT
import sys
from pathlib import Path

import pytest

_TESTS = Path(__file__).resolve().parent
_ASSIGNMENTS = _TESTS.parents[1] / "assignments"
sys.path[:0] = [str(_TESTS.parent), str(_TESTS)]

_HEAD = """stage = "90_sample"
[defaults.conv2d_forward]
task = "90.1"
group = "conv"
"""
_CASE = """
[[case]]
name = "small"
op = "conv2d_forward"
summary = "A small case"
params = { h = 4, w = 5, kh = 2, kw = 3 }
"""


# The ops.py of a stage that uses the library's operations and has no others.
_OPERATIONS = """from convkit_reference.ops import OPS as LIBRARY

OPS = tuple(LIBRARY.values())
"""


def pytest_configure(config):
    """A test run of the whole generator also runs the tests in the stages' folders."""
    if any(Path(argument).resolve() == _TESTS for argument in config.args):
        config.args += map(str, sorted(_ASSIGNMENTS.glob("*/reference/tests")))
        config.option.importmode = (
            "importlib"  # files with the same name in two stages are different modules
        )


@pytest.fixture
def write_spec(tmp_path):
    """Writes a spec of the given text (by default one small case) and returns its path."""

    def write(case: str = _CASE, head: str = _HEAD, name: str = "cases.toml"):
        path = tmp_path / name
        (tmp_path / "reference").mkdir(exist_ok=True)
        (tmp_path / "reference" / "ops.py").write_text(_OPERATIONS)
        path.write_text(head + case, encoding="utf-8")
        return path

    return write


@pytest.fixture
def small_case():
    """The text of a sound case, for tests that break one thing in it."""
    return _CASE
