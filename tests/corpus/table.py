# SPDX-License-Identifier: MIT
"""The table of a run: each entry's name, kind, status, points and sentence."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from corpus import ROOT

HEAD = ["kind", "name", "status", "points", "sentence"]


def rows(graded: Iterable) -> list[list[str]]:
    found = []
    for one in graded:
        status, said = one.sentence
        points = f"{one.ran.result.get('points', 0):.4g}"
        first = said.strip().splitlines()[0] if said.strip() else ""
        first = first.replace(f"{ROOT}/", "")  # the table is the same on every machine
        note = " (expected to fail: " + one.entry.xfail + ")" if one.entry.xfail else ""
        found.append([one.entry.kind, one.entry.name, status, points, first + note])
    return found


def write_table(file: Path, graded: Iterable) -> None:
    out = io.StringIO()
    if file.suffix == ".csv":
        csv.writer(out, lineterminator="\n").writerows([HEAD, *rows(graded)])
    else:
        for row in [HEAD, ["---"] * len(HEAD), *rows(graded)]:
            out.write("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n")
    file.write_text(out.getvalue(), encoding="utf-8")
