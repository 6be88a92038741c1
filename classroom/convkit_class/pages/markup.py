# SPDX-License-Identifier: MIT
"""Writes HTML and SVG in which text stays text: only what `tag` has made is markup.

A page holds words of strangers: names, messages, what a program printed. So a plain str is escaped
wherever it is put, and characters that would act on the reader's screen are shown by name."""

from __future__ import annotations

import re
from html import escape

_VOID = {"br", "hr", "link", "meta"}
# Directions that reach beyond their text: U+202E turns around what follows it.
_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# Controls but tab and line feed, halves of a pair (JSON may hold one), and what is no character.
_UNSEEN = re.compile(
    f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029{_DIRECTIONS}\ud800-\udfff\ufffe\uffff]"
)


class Markup(str):
    """Made here: it is not escaped again."""

    __slots__ = ()


def visible(text: str) -> str:
    """Text in which every character can be seen: ESC becomes U+241B, which looks like "ESC"."""
    return _UNSEEN.sub(_named, text.replace("\r\n", "\n"))


def _named(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"[U+{code:04X}]"


def number(value: float) -> str:
    """12.50 -> "12.5", -3.0 -> "-3": short, and the same on every machine."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def joined(*children: object) -> Markup:
    """Children one after the other; None is nothing, a list is its elements."""
    return Markup("".join(_child(child) for child in children))


def _child(child: object) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, (list, tuple)):
        return joined(*child)
    return escape(visible(child if isinstance(child, str) else number(child)))


def tag(name: str, /, *children: object, **attributes: object) -> Markup:
    """`class_` stands for class, `aria_label` for aria-label; None and False leave one out."""
    words = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        if value is True:
            words.append(key)
            continue
        text = value if isinstance(value, str) else number(value)
        words.append(f'{key}="{escape(visible(text))}"')
    start = f"<{' '.join(words)}>"
    return Markup(start if name in _VOID else f"{start}{joined(*children)}</{name}>")


def drawn(
    wide: float, high: float, about: str, *parts: object, class_: str, **attributes: object
) -> Markup:
    """An SVG picture. `about` is what a reader hears who does not see it; '' where the text beside
    it says the same."""
    told = {"role": "img", "aria_label": about} if about else {"aria_hidden": "true"}
    box = f"0 0 {number(wide)} {number(high)}"
    return tag("svg", *parts, viewBox=box, class_=class_, **told, **attributes)
