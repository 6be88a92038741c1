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
from xml.sax.saxutils import escape

FONT_SIZE, LINE_HEIGHT, MARGIN, TITLE_BAR = 13, 19, 16, 30
CHARACTER_WIDTH = 0.602 * FONT_SIZE  # of the usual monospace fonts; spans are placed one by one
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


def svg(lines: list[Line], title: str) -> str:
    columns = max(sum(len(text) for text, _, _ in line) for line in lines)
    width = round(columns * CHARACTER_WIDTH + 2 * MARGIN)
    height = TITLE_BAR + len(lines) * LINE_HEIGHT + 2 * MARGIN - 4
    plain = "\n".join("".join(text for text, _, _ in line) for line in lines)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(plain)}</desc>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{BACKGROUND}"/>',
        f'<path d="M0 {TITLE_BAR}V8a8 8 0 0 1 8-8H{width - 8}a8 8 0 0 1 8 8V{TITLE_BAR}z" '
        f'fill="{BAR}"/>',
        *(
            f'<circle cx="{18 + 18 * i}" cy="15" r="5.5" fill="{fill}"/>'
            for i, fill in enumerate(("#ff5f57", "#febc2e", "#28c840"))
        ),
        "<g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', "
        f'monospace" font-size="{FONT_SIZE}" xml:space="preserve">',
    ]
    for row, line in enumerate(lines):
        y = TITLE_BAR + MARGIN + row * LINE_HEIGHT + FONT_SIZE - 2
        at = 0
        for text, fill, bold in line:
            weight = ' font-weight="bold"' if bold else ""
            if text.strip():
                x = MARGIN + at * CHARACTER_WIDTH
                out.append(f'<text x="{x:.1f}" y="{y}" fill="{fill}"{weight}>{escape(text)}</text>')
            at += len(text)
    return "\n".join([*out, "</g>", "</svg>", ""])


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
    sys.stdout.write(svg(lines_of(text, options.columns), options.prompt or "terminal"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
