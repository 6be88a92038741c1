#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws what a command prints on a terminal as an SVG.

    terminal_svg.py [--prompt TEXT] [--columns N] -- COMMAND...  > picture.svg
    terminal_svg.py [--prompt TEXT] [--columns N] < captured.txt > picture.svg

The command runs with a terminal as its standard output, so that it uses its colours; what it says
on standard error (progress) is left out. Understood are the SGR colours that convkit uses; other
escape sequences are dropped. Lines longer than the terminal wrap, as they do on a real one.
"""

import argparse
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator

from svg import document, element, opening

FONT_SIZE, LINE_HEIGHT, MARGIN, TITLE_BAR = 13, 19, 16, 30
CHARACTER_WIDTH = 0.602 * FONT_SIZE  # of the usual monospace fonts; spans are placed one by one
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace"
BACKGROUND, BAR, FOREGROUND = "#16191f", "#262b33", "#d7dce3"
COLOURS = {  # SGR code -> fill; chosen for contrast on BACKGROUND
    31: "#ff7b72",
    32: "#7ee787",
    33: "#e3b341",
    35: "#d2a8ff",
    90: "#9aa4b2",
}

Span = tuple[str, str, bool]  # text, fill, bold
Line = list[Span]


def run_on_terminal(command: list[str]) -> str:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm-256color", "NO_COLOR": ""},
    )
    os.close(theirs)
    chunks = []
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # Linux reports the end of a terminal as EIO
            break
        if not chunk:
            break
        chunks.append(chunk)
    process.wait()
    return b"".join(chunks).decode("utf-8", "replace").replace("\r\n", "\n")


def spans(text: str) -> Iterator[Span]:
    """Pieces of one style; a piece never holds an escape sequence."""
    fill, bold = FOREGROUND, False
    for piece in re.split(r"(\x1b\[[0-9;?]*[A-Za-z])", text):
        style = re.fullmatch(r"\x1b\[([0-9;]*)m", piece)
        if style:
            for code in (int(c or 0) for c in style[1].split(";")):
                if code == 0:
                    fill, bold = FOREGROUND, False
                elif code == 1:
                    bold = True
                else:
                    fill = COLOURS.get(code, fill)
        elif not piece.startswith("\x1b") and piece:
            yield piece, fill, bold


def lines_of(text: str, columns: int) -> list[Line]:
    lines: list[Line] = [[]]
    used = 0
    for piece, fill, bold in spans(text):
        for part in re.split(r"(\n)", piece):
            if part == "\n":
                lines.append([])
                used = 0
                continue
            while part:
                if used == columns:
                    lines.append([])
                    used = 0
                taken, part = part[: columns - used], part[columns - used :]
                lines[-1].append((taken, fill, bold))
                used += len(taken)
    while lines and not lines[-1]:
        lines.pop()
    return lines


def picture_of(lines: list[Line], title: str) -> str:
    columns = max(sum(len(text) for text, _, _ in line) for line in lines)
    width = round(columns * CHARACTER_WIDTH + 2 * MARGIN)
    height = TITLE_BAR + len(lines) * LINE_HEIGHT + 2 * MARGIN - 4
    plain = "\n".join("".join(text for text, _, _ in line) for line in lines)
    title_bar = f"M0 {TITLE_BAR}V8a8 8 0 0 1 8-8H{width - 8}a8 8 0 0 1 8 8V{TITLE_BAR}z"
    parts = [
        element("rect", width=width, height=height, rx=8, fill=BACKGROUND),
        element("path", d=title_bar, fill=BAR),
    ]
    for i, fill in enumerate(("#ff5f57", "#febc2e", "#28c840")):
        parts.append(element("circle", cx=18 + 18 * i, cy=15, r=5.5, fill=fill))
    look = {"font_family": FONT, "font_size": FONT_SIZE, "xml:space": "preserve"}
    parts.append(opening("g", **look))
    for row, line in enumerate(lines):
        y = TITLE_BAR + MARGIN + row * LINE_HEIGHT + FONT_SIZE - 2
        at = 0
        for text, fill, bold in line:
            if text.strip():
                x = f"{MARGIN + at * CHARACTER_WIDTH:.1f}"
                weight = "bold" if bold else None
                parts.append(element("text", text, x=x, y=y, fill=fill, font_weight=weight))
            at += len(text)
    return document(width, height, title, plain, [*parts, "</g>"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--prompt", default="", help="the command shown in the first line")
    parser.add_argument("--columns", type=int, default=100, help="where lines wrap")
    parser.add_argument("command", nargs="*", help="after --; without one, text is read from stdin")
    options = parser.parse_args()
    text = run_on_terminal(options.command) if options.command else sys.stdin.read()
    if options.prompt:
        text = f"\x1b[90m$\x1b[0m \x1b[1m{options.prompt}\x1b[0m\n{text}"
    if not text.strip():
        print("terminal_svg.py: the command printed nothing.", file=sys.stderr)
        return 1
    sys.stdout.write(picture_of(lines_of(text, options.columns), options.prompt or "terminal"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
