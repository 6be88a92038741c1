# SPDX-License-Identifier: MIT
"""What all pages have: head, style, landmarks, and the parts that repeat."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from .markup import Markup, joined, number, tag

GENERATOR = "convkit class report"
MOST_BYTES = 1_000_000  # of a page; where it would be longer, it says less
_HERE = Path(__file__).parent
_MARKS = {"PASS": "good", "SLOW": "fair", "UNFINISHED": "fair", "PENDING": "open"}
_MARKS |= {"NOT_STARTED": "open", "SKIPPED": "open", "GRADER_ERROR": "open"}


def page(title: str, lead: object, body: object, sections: list[tuple[str, str]], script="") -> str:
    """An HTML document. `sections`: (id, words) of what the table of contents lists. The policy in
    its head forbids everything but this style and this script: no word of a submission can run."""
    style = (_HERE / "page.css").read_text(encoding="utf-8")
    source = (_HERE / script).read_text(encoding="utf-8") if script else ""
    scripts = f"'{_digest(source)}'" if source else "'none'"
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src {scripts}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    links = [tag("li", tag("a", words, href=f"#{to}")) for to, words in sections]
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content=GENERATOR),
        tag("meta", name="robots", content="noindex"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        tag("link", rel="icon", href="data:,"),
        tag("style", Markup(style)),
    )
    content = tag(
        "body",
        tag("a", "Skip to the content", href="#content", class_="skip"),
        tag("header", tag("div", lead, class_="inner")),
        tag("nav", tag("ul", links), aria_label="On this page") if links else None,
        tag("main", body, id="content", tabindex="-1"),
        tag(
            "footer",
            tag("div", "Made by ./convkit class report.", class_="inner"),
        ),
        tag("script", Markup(source)) if source else None,
    )
    return f"<!DOCTYPE html>\n{tag('html', head, content, lang='en')}\n"


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def badge(status: str) -> Markup:
    return tag("span", status.replace("_", " "), class_=f"badge {_MARKS.get(status, 'bad')}")


def name(text: str) -> Markup:
    """Of a person or file: its direction of writing ends with it."""
    return tag("bdi", text)


def moment(utc: str) -> Markup:
    """2026-10-15T21:59:00Z as "2026-10-15 21:59 UTC"."""
    return tag("time", f"{utc[:10]} {utc[11:16]} UTC", datetime=utc)


def section(id_: str, title: object, *body: object, level: int = 2) -> Markup:
    heading = tag(f"h{level}", title, id=f"{id_}-title")
    return tag("section", heading, *body, id=id_, aria_labelledby=f"{id_}-title")


def table(
    caption: str,
    head: list[object],
    rows: list[list[object]],
    numeric: set[int] = frozenset(),
    **more,
) -> Markup:
    """The first cell of each row is its header. `numeric`: columns of numbers. A column "Share" has
    bars, which say the same as the numbers beside them; a phone has no room for them."""
    kinds = [
        "number" if i in numeric else "share" if text == "Share" else None
        for i, text in enumerate(head)
    ]
    cells = [tag("th", text, scope="col", class_=kind) for text, kind in zip(head, kinds)]
    lines = []
    for row in rows:
        first, *rest = row
        lines.append(
            tag(
                "tr",
                tag("th", first, scope="row"),
                [tag("td", cell, class_=kind) for cell, kind in zip(rest, kinds[1:])],
            )
        )
    body = tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", cells)),
        tag("tbody", lines),
        **more,
    )
    # Wider than a phone, it scrolls by itself, also by keyboard.
    return tag("div", body, class_="scroll", tabindex="0", role="group", aria_label=caption)


def folded(summary: object, *body: object) -> Markup:
    return tag("details", tag("summary", summary), *body)


@dataclass(frozen=True)
class Room:
    """How much of a result a page may hold."""

    text: int  # characters of a log, of what a program printed, of a message
    cases: int  # of a function that fail for no known reason, each told by itself


def said(text: str, room: Room, label: str) -> Markup:
    """What a program or compiler wrote."""
    block = tag("pre", text[: room.text], tabindex="0", role="group", aria_label=label)
    if len(text) <= room.text:
        return block
    rest = f"{len(text) - room.text} more characters are in the result file."
    return joined(block, tag("p", rest, class_="aside"))


_CODE = re.compile(r"`([^`\n]{1,200})`")


def words(text: str) -> list[object]:
    """A message of the grader, in which `backquotes` mark code."""
    parts = _CODE.split(text)
    return [tag("code", part) if i % 2 else part for i, part in enumerate(parts)]


def count(number_: int, what: str, many: str = "") -> str:
    """1 case, 2 cases"""
    return f"{number_} {what if number_ == 1 else many or what + 's'}"


def points(value: float, most: float) -> str:
    return f"{number(value)} of {number(most)}"
