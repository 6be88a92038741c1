# SPDX-License-Identifier: MIT
"""Names that are the same in every export of a book, and say nothing without its key."""

from __future__ import annotations

import base64
import hashlib
import hmac

from .book import Book

_LETTERS = 8  # of 5 bits


def pseudonyms(book: Book, logins: list[str]) -> dict[str, str]:
    """By login: "s-" and letters. They follow from the login and from a key that is drawn once and
    never leaves the book."""
    key = book.secret("pseudonyms")
    found: dict[str, str] = {}
    for login in sorted(logins):
        digest = hmac.new(key, login.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
        text = base64.b32encode(digest).decode().lower()
        length = _LETTERS
        while f"s-{text[:length]}" in found.values():
            length += 1
        found[login] = f"s-{text[:length]}"
    return found
