# SPDX-License-Identifier: MIT
"""A page as a strict reader sees it: every element that is opened is closed in its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"br", "hr", "link", "meta"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    parent: Element | None = None
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(c if isinstance(c, str) else c.text for c in self.children)

    def all(self, tag: str = "", **wanted: str) -> list[Element]:
        """In the order of the document. `class_` is one of the classes."""
        found = []
        for child in self.children:
            if isinstance(child, Element):
                if child.is_a(tag, wanted):
                    found.append(child)
                found += child.all(tag, **wanted)
        return found

    def is_a(self, tag: str, wanted: dict[str, str]) -> bool:
        classes = self.attributes.get("class", "").split()
        return (not tag or self.tag == tag) and all(
            value in classes if name == "class_" else self.attributes.get(name) == value
            for name, value in wanted.items()
        )

    def one(self, tag: str = "", **wanted: str) -> Element:
        (found,) = self.all(tag, **wanted)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.open = Element("", {})

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs), (tag, attrs)
        element = Element(tag, {name: value or "" for name, value in attrs}, self.open)
        self.open.children.append(element)
        if tag not in _VOID:
            self.open = element

    def handle_endtag(self, tag):
        assert self.open.tag == tag, f"</{tag}> closes <{self.open.tag}>"
        self.open = self.open.parent

    def handle_data(self, data):
        self.open.children.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")

    handle_pi = unknown_decl = handle_comment


def read_page(text: str) -> Element:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.open is reader.root, f"<{reader.open.tag}> stays open"
    return reader.root.one("html")
