# SPDX-License-Identifier: MIT
"""The canvas of the handouts' figures, with their colours.

Every figure has its own light background, so that it reads the same on a dark page.
Coordinates are in pixels of the viewBox; y grows downwards.
"""

from __future__ import annotations

from svg import document, element, number

INK, SOFT, RULE, PAPER = "#1f2328", "#57606a", "#8c959f", "#ffffff"
INPUT, KERNEL, OUTPUT = "#dbe9ff", "#ffe3c2", "#d7f0da"
INPUT_EDGE, KERNEL_EDGE, OUTPUT_EDGE = "#2f6fbd", "#b86200", "#2b7a36"
PADDING, PLAIN, WRONG, WRONG_FILL = "#eef0f2", "#ffffff", "#b3261e", "#fbe3e1"

SANS = "DejaVu Sans, Verdana, Arial, sans-serif"
MONO = "DejaVu Sans Mono, Menlo, Consolas, monospace"


def signed(value: float) -> str:
    """Like number(), with the minus sign of typography."""
    return number(value).replace("-", "\u2212")


_ARROW_HEAD = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
    f'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="{SOFT}"/></marker></defs>'
)


class Svg:
    def __init__(self, width: int, height: int, title: str, description: str) -> None:
        self.size = (width, height)
        self.about = (title, description)
        self.parts = [_ARROW_HEAD]
        self.parts.append(
            element(
                "rect",
                x=0.5,
                y=0.5,
                width=width - 1,
                height=height - 1,
                rx=8,
                fill=PAPER,
                stroke="#d0d7de",
            )
        )

    def rect(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        fill: str = PLAIN,
        edge: str = RULE,
        width: float = 1,
        dash: str = "",
        radius: float = 0,
    ) -> None:
        self.parts.append(
            element(
                "rect",
                x=x,
                y=y,
                width=w,
                height=h,
                fill=fill,
                stroke=edge,
                stroke_width=width,
                stroke_dasharray=dash or None,
                rx=radius or None,
            )
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 14,
        anchor: str = "middle",
        colour: str = INK,
        bold: bool = False,
        mono: bool = False,
    ) -> None:
        self.parts.append(
            element(
                "text",
                text,
                x=x,
                y=y,
                font_size=size,
                text_anchor=anchor,
                fill=colour,
                **{"xml:space": "preserve"},
                font_weight="bold" if bold else None,
                font_family=MONO if mono else None,
            )
        )

    def line(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        colour: str = SOFT,
        width: float = 1.5,
        arrow: bool = False,
        dash: str = "",
    ) -> None:
        self.parts.append(
            element(
                "line",
                x1=x1,
                y1=y1,
                x2=x2,
                y2=y2,
                stroke=colour,
                stroke_width=width,
                marker_end="url(#head)" if arrow else None,
                stroke_dasharray=dash or None,
            )
        )

    def cell(
        self,
        x: float,
        y: float,
        side: float,
        label: str,
        fill: str = PLAIN,
        edge: str = RULE,
        colour: str = INK,
        size: float = 15,
        bold: bool = False,
    ) -> None:
        """One array element: a square with its value in the middle."""
        self.rect(x, y, side, side, fill, edge)
        if label:
            self.text(
                x + side / 2, y + side / 2 + size * 0.36, label, size, colour=colour, bold=bold
            )

    def grid(
        self,
        x: float,
        y: float,
        values: list[list],
        side: float = 34,
        fill: str = PLAIN,
        edge: str = RULE,
        marked: tuple = (),
        mark_fill: str = PLAIN,
        size: float = 15,
    ) -> None:
        """A matrix of cells; those in `marked` (row, column) get `mark_fill`."""
        for i, row in enumerate(values):
            for j, value in enumerate(row):
                label = value if isinstance(value, str) else number(value)
                hit = (i, j) in marked
                self.cell(
                    x + j * side,
                    y + i * side,
                    side,
                    label,
                    mark_fill if hit else fill,
                    edge,
                    size=size,
                    bold=hit,
                )

    def finish(self) -> str:
        look = {"font_family": SANS, "font_size": 14, "fill": INK}
        return document(*self.size, *self.about, self.parts, **look)


def box(s: Svg, x: float, y: float, w: float, h: float, label: str, fill: str, edge: str) -> None:
    """A labelled step or array."""
    s.rect(x, y, w, h, fill, edge, 1.5, radius=4)
    s.text(x + w / 2, y + h / 2 + 5, label, 13)


def paragraph(s: Svg, x: float, y: float, *lines: str) -> None:
    """Soft small print, line below line."""
    for k, line in enumerate(lines):
        s.text(x, y + 20 * k, line, 13, "start", SOFT)
