# SPDX-License-Identifier: MIT
"""The page: one HTML file that shows the sources of each pair side by side. It loads nothing and
runs no script; what students wrote is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path

from .compare import Comparison, Pair, Work
from .passages import Passage, passages
from .words import ABOUT, more_words, near_words, percent, solution_words

_STYLE = Path(__file__).with_name("page.css")
_TINTS = 6


def page(comparisons: list[Comparison], notes: list[str]) -> str:
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="generator" content="convkit class similar">',
        # Should anything that a student wrote ever come through, it still cannot run or load.
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        "<title>What submissions share</title>",
        f"<style>\n{_STYLE.read_text(encoding='utf-8')}</style></head><body>",
        "<h1>What submissions share</h1>",
        *(f"<p>{_text(paragraph)}</p>" for paragraph in ABOUT),
    ]
    if notes:
        parts += ["<ul>", *(f"<li>{_text(note)}</li>" for note in notes), "</ul>"]
    for comparison in comparisons:
        parts += _overview(comparison)
    for comparison in comparisons:
        for number, pair in enumerate(comparison.pairs, 1):
            parts += _pair(comparison, pair, f"{comparison.stage}-{number}")
    return "\n".join([*parts, "</body></html>", ""])


def _text(text: str) -> str:
    """Characters that steer a terminal or the direction of writing become visible."""
    shown = "".join(c if c in "\n\t" or c.isprintable() else "\ufffd" for c in text)
    return escape(shown.replace("\r\n", "\n"))


def _overview(comparison: Comparison) -> Iterable[str]:
    yield f"<h2>{_text(comparison.stage)}: {len(comparison.works)} submissions</h2>"
    if not comparison.pairs:
        yield "<p>No pair shares enough to be listed.</p>"
    else:
        yield (
            '<div class="wide"><table><tr><th>share</th><th>students</th><th>of the first</th>'
            "<th>of the second</th><th>most in</th><th>reference solution</th></tr>"
        )
        for number, pair in enumerate(comparison.pairs, 1):
            link = f'<a href="#{comparison.stage}-{number}">{percent(pair.share)}</a>'
            cells = (percent(pair.of_one), percent(pair.of_other), pair.file, solution_words(pair))
            yield (
                f"<tr><td>{link}</td><td>{_text(pair.one.who)}, {_text(pair.other.who)}</td>"
                + "".join(f"<td>{_text(cell)}</td>" for cell in cells)
                + "</tr>"
            )
        yield "</table></div>"
    if comparison.more:
        yield f"<p>{more_words(comparison)}</p>"
    if comparison.near:
        yield f"<p>{_text(near_words(comparison.near))}</p>"


def _pair(comparison: Comparison, pair: Pair, anchor: str) -> Iterable[str]:
    left, right = passages(pair, comparison.vocabulary)
    yield f'<section id="{anchor}"><h2>{_text(comparison.stage)}: '
    where = f" ({_text(pair.file)})" if pair.file else ""
    yield f"{_text(pair.one.who)} and {_text(pair.other.who)} share {percent(pair.share)}{where}"
    yield "</h2>"
    said = solution_words(pair)
    yield f"<p>{_text(said[:1].upper() + said[1:] + '. ' if said else '')}Look at both.</p>"
    yield '<div class="sides">'
    for side, work, found in (("l", pair.one, left), ("r", pair.other, right)):
        yield f"<div><h3>{_text(work.who)}</h3>"
        for file, marks in found.items():
            yield f"<h4>{_text(file)}</h4>"
            yield f"<pre>{_marked(work.files[file], marks, anchor, side)}</pre>"
        yield _others(work, found) + "</div>"
    yield "</div></section>"


def _others(work: Work, found: dict[str, list[Passage]]) -> str:
    rest = [file for file in work.files if file not in found]
    return f"<p>Without a shared passage: {_text(', '.join(rest))}.</p>" if rest else ""


def _marked(source: str, marks: list[Passage], anchor: str, side: str) -> str:
    """Each passage is a link to the one on the other side."""
    there = "r" if side == "l" else "l"
    parts, at = [], 0
    for mark in marks:
        begin = max(mark.begin, at)  # passages may overlap by a token that several codes stand for
        parts.append(_text(source[at:begin]))
        tint = mark.number % _TINTS
        parts.append(
            f'<a class="t{tint}" id="{anchor}-{side}{mark.number}" '
            f'href="#{anchor}-{there}{mark.number}"><sup>{mark.number}</sup>'
            f"{_text(source[begin : mark.end])}</a>"
        )
        at = mark.end
    return "".join([*parts, _text(source[at:])])
