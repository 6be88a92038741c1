# SPDX-License-Identifier: MIT
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

_HEAD = """stage = "01_cpu_conv"
[defaults.conv2d_forward]
task = "01.1"
group = "conv"
"""
_CASE = """
[[case]]
name = "small"
op = "conv2d_forward"
summary = "A small case"
params = { h = 4, w = 5, kh = 2, kw = 3 }
"""


@pytest.fixture
def write_spec(tmp_path):
    """Writes a spec of the given text (by default one small case) and returns its path."""

    def write(case: str = _CASE, head: str = _HEAD, name: str = "01_cpu_conv.toml"):
        path = tmp_path / name
        path.write_text(head + case, encoding="utf-8")
        return path

    return write


@pytest.fixture
def small_case():
    """The text of a sound case, for tests that break one thing in it."""
    return _CASE
