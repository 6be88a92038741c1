# SPDX-License-Identifier: MIT
"""The pictures of the documents show the program as it is."""

import os
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONVKIT = Path(os.environ.get("CONVKIT_BINARY", ROOT / "build/default/bin/convkit"))
sys.path.insert(0, str(ROOT / "docs/pictures"))

import check_mode  # noqa: E402
import failing_check  # noqa: E402
import svg  # noqa: E402
from terminal_svg import COLOURS, FOREGROUND, lines_of, picture_of  # noqa: E402


def test_the_readmes_picture_is_what_check_prints():
    if not CONVKIT.exists():
        pytest.skip(f"{CONVKIT.name} is not built")
    kept = failing_check.PICTURE.read_text(encoding="utf-8")
    assert failing_check.draw() == kept, "draw it again with docs/pictures/failing_check.py"


@pytest.mark.parametrize("name", check_mode.PROGRAMS)
def test_the_pictures_of_check_mode_are_what_it_reports(name):
    if not CONVKIT.exists():
        pytest.skip(f"{CONVKIT.name} is not built")
    kept = check_mode.picture(name).read_text(encoding="utf-8")
    assert check_mode.draw(name) == kept, "draw it again with docs/pictures/check_mode.py"


@pytest.mark.parametrize(
    "picture", sorted((ROOT / "docs/pictures").glob("*.svg")), ids=lambda p: p.name
)
def test_pictures_are_well_formed_and_have_their_own_background(picture):
    root = ElementTree.parse(picture).getroot()
    _, _, width, height = root.attrib["viewBox"].split()
    first_shape = next(child for child in root if child.tag.endswith("rect"))
    assert (first_shape.get("width"), first_shape.get("height")) == (width, height)
    assert first_shape.get("fill", "").startswith("#")


def test_python_writes_svg_in_one_place():
    files = [
        file
        for part in ("assignments", "benchmarks", "docs")
        for file in (ROOT / part).rglob("*.py")
    ]
    writers = [file for file in files if "www.w3.org/2000/svg" in file.read_text(encoding="utf-8")]
    assert writers == [ROOT / "docs/pictures/svg.py"]


@pytest.mark.parametrize("value", ["a<b", 'say "x"', "it's", "&amp;"])
def test_special_characters_in_a_drawing_are_escaped(value):
    text = svg.document(9, 9, value, "", [svg.element("text", value, fill=value, x_y=None)])
    root = ElementTree.fromstring(text)
    assert root[0].text == value
    assert (root[2].text, root[2].attrib) == (value, {"fill": value})


@pytest.mark.parametrize(
    ("value", "text"), [(3.0, "3"), (12.50, "12.5"), (-0.001, "0"), (1 / 3, "0.33"), (100, "100")]
)
def test_numbers_are_short(value, text):
    assert svg.number(value) == text


def test_colours_and_bold_become_spans_and_other_sequences_vanish():
    assert lines_of("a\x1b[31mb\x1b[0m\x1b[Kc\x1b[1md\n", 80) == [
        [
            ("a", FOREGROUND, False),
            ("b", COLOURS[31], False),
            ("c", FOREGROUND, False),
            ("d", FOREGROUND, True),
        ]
    ]


def test_long_lines_wrap_at_the_terminals_width():
    wrapped = lines_of("abcdefgh\nx", 3)
    assert ["".join(text for text, _, _ in line) for line in wrapped] == ["abc", "def", "gh", "x"]


def test_markup_in_the_output_stays_text():
    text = "".join(ElementTree.fromstring(picture_of(lines_of("a < b & c", 80), "t<")).itertext())
    assert "a < b & c" in text
