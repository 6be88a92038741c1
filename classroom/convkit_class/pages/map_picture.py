# SPDX-License-Identifier: MIT
"""The map of wrong elements (grader/compare/region_map.h), from characters to a picture.

Each state has a shape of its own, so that nobody needs the colours."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .markup import Markup, drawn, tag

_CAPTION = re.compile(
    r"(?P<what>.+?)(?:; each character is (?P<each>[^:]+))?: (?P<legend>\S (?:right|wrong|NaN|"
    r"unwritten|computed from unwritten).*)"
)
_SIZE = re.compile(r".+, (\d+) x (\d+)$")
_ELEMENTS = re.compile(r".+, (\d+) elements$")
_STATES = {
    ".": ("right", "right"),
    "#": ("wrong", "wrong"),
    "N": ("nan", "NaN"),
    "+": ("derived", "computed from unwritten"),
    "?": ("unwritten", "unwritten"),
}
_CELL = 10
_ROOM = 15  # around the cells, for the numbers of rows and columns


@dataclass(frozen=True)
class Map:
    what: str  # "y[0,0,:,:], 62 x 62"
    each: str  # "4 x 2 elements", '' where a character is one element
    rows: list[str]

    @property
    def size(self) -> tuple[int, int]:
        """Of the tensor's plane, in elements."""
        if found := _SIZE.match(self.what):
            return int(found[1]), int(found[2])
        found = _ELEMENTS.match(self.what)
        return 1, int(found[1]) if found else len(self.rows[0])


def read_map(text: str) -> Map | None:
    """None: not such a map; then it is shown as text."""
    caption, *rows = text.split("\n")
    found = _CAPTION.fullmatch(caption)
    if not found or not rows or not set("".join(rows)) <= set(_STATES):
        return None
    if len({len(row) for row in rows}) != 1 or not rows[0]:
        return None
    return Map(found["what"], found["each"] or "", rows)


def map_figure(text: str) -> Markup:
    """The picture with its legend, and the characters themselves, folded."""
    found = read_map(text)
    if found is None:
        return tag("pre", text, class_="map-text", tabindex="0")
    seen = [mark for mark in _STATES if any(mark in row for row in found.rows)]
    legend = [tag("li", _swatch(mark), _STATES[mark][1]) for mark in seen]
    caption = [tag("code", found.what)]
    if found.each:
        caption += [f"; each cell is the worst of {found.each.replace(' x ', ' × ')}"]
    return tag(
        "figure",
        _picture(found, seen),
        tag("figcaption", caption, tag("ul", legend, class_="legend")),
        tag(
            "details",
            tag("summary", "The map as text"),
            tag("pre", text, class_="map-text", tabindex="0"),
        ),
        class_="map",
    )


def _picture(found: Map, seen: list[str]) -> Markup:
    lines, wide = len(found.rows), len(found.rows[0])
    scale = 1.8 if wide <= 16 else 1.25  # the widest map fits on the page
    width, height = wide * _CELL * scale, lines * _CELL * scale
    cells = [
        tag(
            "path",
            d="".join(_shape(mark, x, y) for x, y in _places(found, mark)),
            class_=f"state-{_STATES[mark][0]}",
        )
        for mark in seen
    ]
    rows, columns = (str(n - 1) for n in found.size)
    axes = [
        tag("text", "0", x=-4, y=11, text_anchor="end"),
        tag("text", "0", x=1, y=-4),
        tag("text", columns, x=width - 1, y=-4, text_anchor="end") if wide > 2 else None,
        tag("text", rows, x=-4, y=height - 2, text_anchor="end") if lines > 1 else None,
    ]
    left = _ROOM + 6 * max(0, len(rows) - 1)
    body = tag(
        "g",
        tag("rect", x=0, y=0, width=width, height=height, class_="map-ground"),
        tag("g", cells, transform=f"scale({scale})"),
        axes,
        transform=f"translate({left} {_ROOM})",
    )
    across, down = width + left + 2, height + _ROOM + 2
    return drawn(across, down, _told(found, seen), body, class_="cells", width=across, height=down)


def _places(found: Map, mark: str) -> list[tuple[int, int]]:
    return [
        (x * _CELL, y * _CELL)
        for y, row in enumerate(found.rows)
        for x, character in enumerate(row)
        if character == mark
    ]


def _shape(mark: str, x: int, y: int) -> str:
    """In a cell whose upper left corner is (x, y)."""
    if mark == ".":
        return f"M{x + 4} {y + 4}h2v2h-2z"
    if mark == "#":
        return f"M{x + 1} {y + 1}h8v8h-8z"
    if mark == "N":
        return f"M{x + 2} {y + 2}l6 6m0-6l-6 6"
    if mark == "+":
        return f"M{x + 1} {y + 9}v-8l8 8z"
    return f"M{x + 2} {y + 2}h6v6h-6z"


def _swatch(mark: str) -> Markup:
    shape = tag("path", d=_shape(mark, 0, 0), class_=f"state-{_STATES[mark][0]}")
    return drawn(_CELL, _CELL, "", shape, class_="swatch")


def _told(found: Map, seen: list[str]) -> str:
    """What the picture shows, in words: where each state lies."""
    cell = "cell" if found.each else "element"
    sentences = [f"Map of {found.what}."]
    for mark in seen:
        if mark == ".":
            continue
        places = _places(found, mark)
        rows = sorted({y // _CELL for _, y in places})
        columns = sorted({x // _CELL for x, _ in places})
        count = f"{len(places)} of {len(found.rows) * len(found.rows[0])} {cell}s"
        where = f"in {_range('row', rows)} and {_range('column', columns)}"
        sentences.append(f"{count} {_STATES[mark][1]}, {where}.")
    return " ".join(sentences)


def _range(what: str, places: list[int]) -> str:
    if len(places) == 1:
        return f"{what} {places[0]}"
    inside = "" if len(places) == places[-1] - places[0] + 1 else ", not all of them"
    return f"{what}s {places[0]} to {places[-1]}{inside}"
