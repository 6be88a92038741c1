# SPDX-License-Identifier: MIT
"""Writes plain SVG: a picture has a title and a description, text stays text, nothing is loaded."""

from __future__ import annotations

from html import escape


def number(value: float) -> str:
    """12.50 -> "12.5", -3.0 -> "-3": short, and the same on every machine."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def opening(tag: str, **attributes: object) -> str:
    """`font_size` stands for font-size; None leaves an attribute out; numbers are made short."""
    words = [tag]
    for name, value in attributes.items():
        if value is not None:
            text = value if isinstance(value, str) else number(value)
            words.append(f'{name.replace("_", "-")}="{escape(text)}"')
    return f"<{' '.join(words)}>"


def element(tag: str, text: str | None = None, **attributes: object) -> str:
    """An element without children, around `text` if there is any."""
    start = opening(tag, **attributes)
    return f"{start[:-1]}/>" if text is None else f"{start}{escape(text)}</{tag}>"


def document(
    width: int, height: int, title: str, description: str, parts: list[str], **attributes: object
) -> str:
    """The picture of these elements; attributes hold for all of them."""
    start = opening(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_labelledby="title desc",
        **attributes,
    )
    about = [element("title", title, id="title"), element("desc", description, id="desc")]
    return "\n".join([start, *about, *parts, "</svg>"]) + "\n"
