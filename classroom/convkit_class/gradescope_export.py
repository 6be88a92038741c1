# SPDX-License-Identifier: MIT
"""`submission_metadata.yml` of an export of Gradescope: who handed in each folder, and when.

Only the few keys that are needed are read, line by line: the file is YAML that Ruby has written,
with one block for each submission, and all else in it (results, history) lies deeper."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from .book import utc
from .errors import UsageError

METADATA = "submission_metadata.yml"

_SUBMISSION = re.compile(r"^(submission_\d+):\s*$")
_KEY = re.compile(r"^(?P<indent> *)(?P<item>- )?:?(?P<key>\w+): *(?P<value>.*?)\s*$")


@dataclass
class ExportedSubmission:
    created: str = ""  # UTC; "": not known
    people: list[dict[str, str]] = field(default_factory=list)  # name, sid, email


def read_metadata(file: Path) -> dict[str, ExportedSubmission]:
    """By the name of the folder."""
    found: dict[str, ExportedSubmission] = {}
    current, section = None, ""
    for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
        if head := _SUBMISSION.match(line):
            current, section = found.setdefault(head[1], ExportedSubmission()), ""
            continue
        if current is None or not (match := _KEY.match(line)):
            continue
        key, value = match["key"], _scalar(match["value"])
        if len(match["indent"]) == 2 and not match["item"]:
            section = key
            if key == "created_at":
                current.created = _time(value)
        elif section == "submitters" and key in ("name", "sid", "email"):
            if match["item"]:
                current.people.append({})
            if current.people and value:
                current.people[-1][key] = value
    if not found:
        raise UsageError(f"{file} names no submissions.")
    return found


def _scalar(text: str) -> str:
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1].replace("''", "'")
    return "" if text in ("null", "~") else text


def _time(text: str) -> str:
    """2026-03-05 18:22:11.123456000 -05:00"""
    match = re.match(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? ?(Z|[+-]\d\d:?\d\d)?", text)
    if not match:
        return ""
    zone = (match[3] or "+0000").replace("Z", "+0000").replace(":", "")
    return utc(datetime.strptime(f"{match[1]} {match[2]} {zone}", "%Y-%m-%d %H:%M:%S %z"))
