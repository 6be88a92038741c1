# SPDX-License-Identifier: MIT
"""What Python reads by name is in the schemas: columns of the book, members of a result."""

import json
import re
import sqlite3
from dataclasses import fields

import pytest
from conftest import ROOT
from convkit_class import book, roster
from convkit_class.pages import document

RESULT = json.loads((ROOT / "docs/result.schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", [book.Student, book.Submission, book.Grading, book.Repeat])
def test_a_row_has_the_columns_of_its_table(tmp_path, kind):
    file = tmp_path / "course.db"
    book.Book(file, create=True).close()
    columns = sqlite3.connect(file).execute(f"PRAGMA table_info({kind.__name__.lower()})")
    assert [f.name for f in fields(kind)] == [column[1] for column in columns]


@pytest.mark.parametrize("kind", [document.Stage, document.Group, document.Case, document.Speed])
def test_pages_read_members_that_a_result_has(kind):
    schema = RESULT["$defs"][kind.__name__.lower()]
    assert {f.name for f in fields(kind)} <= set(schema["properties"])


def test_a_roster_fills_every_column_of_a_student():
    names = {f.name for f in fields(book.Student)}
    assert set(roster._COLUMNS.values()) == names - {"listed"}


def test_the_documented_tables_are_those_of_the_book(tmp_path):
    file = tmp_path / "course.db"
    book.Book(file, create=True).close()
    rows = sqlite3.connect(file).execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    page = (ROOT / "docs/gradebook.md").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^\| `(\w+)` \|", page) == [name for (name,) in rows]
    assert f"now {book.VERSION}" in page
