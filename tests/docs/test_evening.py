# SPDX-License-Identifier: MIT
"""docs/evening.md shows what the program prints, from a download to an import."""

import os
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONVKIT = Path(os.environ.get("CONVKIT_BINARY", ROOT / "build/default/bin/convkit"))
sys.path.insert(0, str(ROOT / "docs"))

import evening  # noqa: E402

PAGE = (ROOT / "docs/evening.md").read_text(encoding="utf-8")


def test_the_evening_is_as_the_page_tells_it(tmp_path):
    if not CONVKIT.exists():
        pytest.skip(f"{CONVKIT.name} is not built")
    folder = tmp_path / "evening"
    folder.mkdir()
    told = evening.difference(evening.walked(folder), PAGE)
    assert told == "", "write it again with docs/evening.py"


def test_the_two_who_share_are_the_only_pair_to_look_at():
    class_ = evening.planned()
    shared = [class_[n].login for n, work in enumerate(evening.WORK) if work == evening.SHARED]
    assert re.findall(r"(?m)^ +\d+ %  (\w+) +(\w+) +\d+ %", PAGE) == [tuple(shared)]


def test_another_number_of_points_is_a_difference_and_another_time_is_none():
    points = re.sub(r"\d+(\.\d+) of 100", r"1\1 of 100", PAGE, count=1)
    assert points != PAGE and evening.difference(points, PAGE)
    time = re.sub(r"\(\d+\.\d s\)", "(0.1 s)", PAGE)
    assert time != PAGE and not evening.difference(time, PAGE)


def test_pictures_of_the_pages_are_small_enough_to_be_kept():
    for name in ("class_page.png", "student_page.png"):
        picture = ROOT / "docs/pictures" / name
        assert picture.read_bytes().startswith(b"\x89PNG")
        assert picture.stat().st_size <= 256_000
