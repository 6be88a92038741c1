# SPDX-License-Identifier: MIT
"""Numbers, lists, paragraphs and tables of a Markdown document."""

from __future__ import annotations

from textwrap import wrap


def paragraph(*sentences: str, item: bool = False) -> list[str]:
    """Lines of prose, as long as those of the documents; an item has no empty line after it."""
    text, how = " ".join(sentences), {"break_long_words": False, "break_on_hyphens": False}
    if item:
        return wrap(f"- {text}", 120, subsequent_indent="  ", **how)
    return [*wrap(text, 120, **how), ""]


def between(marks: tuple[str, str], text: str, lines: list[str]) -> str:
    """The document with `lines` between its marks."""
    begin, end = marks
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    return before + begin + "\n\n" + "\n".join(lines).rstrip() + "\n\n" + end + after


def number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(header: list[str], rows: list[list[str]]) -> list[str]:
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return ["| " + " | ".join(line) + " |" for line in lines] + [""]


def listed(parts: list[str]) -> str:
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else parts[0]
