# SPDX-License-Identifier: MIT
"""A canvas that writes plain SVG: text stays text, colours are explicit, nothing is loaded.

Every figure has its own light background, so that it reads the same on a dark page.
Coordinates are in pixels of the viewBox; y grows downwards.
"""

from __future__ import annotations

from html import escape

INK, SOFT, RULE, PAPER = "#1f2328", "#57606a", "#8c959f", "#ffffff"
INPUT, KERNEL, OUTPUT = "#dbe9ff", "#ffe3c2", "#d7f0da"
INPUT_EDGE, KERNEL_EDGE, OUTPUT_EDGE = "#2f6fbd", "#b86200", "#2b7a36"
PADDING, PLAIN, WRONG, WRONG_FILL = "#eef0f2", "#ffffff", "#b3261e", "#fbe3e1"

SANS = "DejaVu Sans, Verdana, Arial, sans-serif"
MONO = "DejaVu Sans Mono, Menlo, Consolas, monospace"


def number(value: float) -> str:
    """12.50 -> "12.5", -3.0 -> "-3": short, and the same on every machine."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def signed(value: float) -> str:
    """Like number(), with the minus sign of typography."""
    return number(value).replace("-", "\u2212")


class Svg:
    def __init__(self, width: int, height: int, title: str, description: str) -> None:
        self.size = (width, height)
        self.lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" aria-labelledby="title desc" '
            f'font-family="{SANS}" font-size="14" fill="{INK}">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="desc">{escape(description)}</desc>',
            '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
            f'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="{SOFT}"/></marker>'
            "</defs>",
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" '
            f'fill="{PAPER}" stroke="#d0d7de"/>',
        ]

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
        extra = f' stroke-dasharray="{dash}"' if dash else ""
        extra += f' rx="{number(radius)}"' if radius else ""
        self.lines.append(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}" '
            f'fill="{fill}" stroke="{edge}" stroke-width="{number(width)}"{extra}/>'
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
        extra = ' font-weight="bold"' if bold else ""
        extra += f' font-family="{MONO}"' if mono else ""
        self.lines.append(
            f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" '
            f'text-anchor="{anchor}" fill="{colour}" xml:space="preserve"{extra}>'
            f"{escape(text)}</text>"
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
        extra = ' marker-end="url(#head)"' if arrow else ""
        extra += f' stroke-dasharray="{dash}"' if dash else ""
        self.lines.append(
            f'<line x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}" '
            f'stroke="{colour}" stroke-width="{number(width)}"{extra}/>'
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
        return "\n".join([*self.lines, "</svg>"]) + "\n"
