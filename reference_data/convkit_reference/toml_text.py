# SPDX-License-Identifier: MIT
"""A TOML file with the lines of its keys, which the parsers do not give."""

from __future__ import annotations

import re
from pathlib import Path

from .errors import SpecError, UserError

try:
    import tomllib
except ImportError:  # Python 3.10
    try:
        import tomli as tomllib
    except ImportError:
        tomllib = None

_HEADER = re.compile(r"^\s*\[\[?\s*([A-Za-z0-9_.\-]+)\s*\]\]?\s*(#.*)?$")


class TomlText:
    """`data` is the parsed document; line_of() finds a key by searching the text."""

    def __init__(self, path: Path):
        self.path = path
        if tomllib is None:
            raise UserError(
                "Reading a spec needs Python 3.11, or the tomli package on Python 3.10: "
                "apt install python3-tomli, or pip install tomli."
            )
        try:
            self.bytes = path.read_bytes()
            text = self.bytes.decode("utf-8")
        except UnicodeDecodeError:
            raise UserError(f"{path}: the spec is not UTF-8 text.") from None
        except OSError as problem:
            raise UserError(f"{path}: cannot read the spec: {problem.strerror}.") from None
        self._lines = text.splitlines()
        try:
            self.data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as problem:
            place = re.search(r"at line (\d+)", str(problem))
            line = int(place.group(1)) if place else max(1, len(self._lines))
            reason = re.sub(r"\s*\(at .*\)$", "", str(problem))
            raise SpecError(path, line, f"not valid TOML: {reason}.") from None

    def line_of(self, table: str, index: int = 0, keys: tuple[str, ...] = ()) -> int | None:
        """The line of keys[-1] inside keys[0] ... of the index-th [table] (or [[table]]).

        The line of the header if no keys are given; "" is the part before the first header.
        None if there is no such table or key.
        """
        first, last = self._block(table, index)
        if first is None:
            return None
        line, column = first, 0
        for key in keys:
            found = self._find(key, line, column, last)
            if found is None:
                return None
            line, column = found
        return line + 1

    def _block(self, table: str, index: int) -> tuple[int | None, int]:
        first = 0 if table == "" else None
        for number, text in enumerate(self._lines):
            header = _HEADER.match(text)
            if not header:
                continue
            if first is not None:
                return first, number
            if header.group(1) == table:
                if index == 0:
                    first = number
                index -= 1
        return first, len(self._lines)

    def _find(self, key: str, line: int, column: int, last: int) -> tuple[int, int] | None:
        pattern = re.compile(r"(?:^|(?<=[\s{,.]))[\"']?" + re.escape(key) + r"[\"']?(?=\s*[=.])")
        for number in range(line, last):
            code = _without_comment(self._lines[number])
            found = pattern.search(code, column if number == line else 0)
            if found:
                return number, found.end()
        return None


def _without_comment(line: str) -> str:
    """The line without its comment: up to a '#' outside quotes."""
    quote = ""
    for position, char in enumerate(line):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char == "#":
            return line[:position]
    return line
