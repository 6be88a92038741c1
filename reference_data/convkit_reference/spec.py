# SPDX-License-Identifier: MIT
"""Reads a spec: the cases of a stage. Every mistake is a SpecError with file, line and key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from .case_spec import (
    CASE_KEYS,
    REQUIRED_KEYS,
    SHARED_KEYS,
    TYPES,
    CaseSpec,
    make_case_spec,
    with_defaults,
)
from .errors import SpecError
from .stages import ASSIGNMENTS, operations
from .toml_text import TomlText

_STAGE = re.compile(r"[0-9]{2}_[a-z][a-z0-9_]*")
_TOP_KEYS = ("stage", "defaults", "case")


class Spec:
    """A checked spec file. Raises UserError, and SpecError for a mistake in the file.

    Its operations are those of its own folder, if that has any, otherwise those of the stage that
    it names.
    """

    def __init__(self, path: Path):
        self.path = path
        self.text = TomlText(path)
        data = self.text.data
        self._check_top(data)
        self.stage: str = data["stage"]
        beside = (path.parent / "reference" / "ops.py").exists()
        self.ops = operations(path.parent if beside else ASSIGNMENTS / self.stage)
        for op, table in data.get("defaults", {}).items():
            self._check_defaults(op, table)
        self.cases = [self._case(index, table) for index, table in enumerate(data["case"])]
        self._check_names()

    def _fail(self, line: int | None, sentence: str) -> None:
        raise SpecError(self.path, line or 1, sentence)

    def _check_top(self, data: Mapping[str, object]) -> None:
        def line_of(key: str) -> int | None:
            return self.text.line_of("", 0, (key,)) or self.text.line_of(key)

        for key in data:
            if key not in _TOP_KEYS:
                known = ", ".join(_TOP_KEYS)
                self._fail(line_of(key), f'unknown key "{key}"; there are: {known}.')
        stage = data.get("stage")
        if not isinstance(stage, str) or not _STAGE.fullmatch(stage):
            self._fail(line_of("stage"), 'key "stage" is missing or not like "NN_name".')
        folder = self.path.resolve().parent.name
        if _STAGE.fullmatch(folder) and stage != folder:
            # The cases of another stage would be overwritten.
            self._fail(line_of("stage"), f'key "stage" is "{stage}" in the folder {folder}.')
        if not isinstance(data.get("defaults", {}), dict):
            self._fail(line_of("defaults"), 'key "defaults" is not a table; write [defaults.OP].')
        cases = data.get("case")
        if not cases or not isinstance(cases, list) or not all(isinstance(c, dict) for c in cases):
            self._fail(line_of("case"), 'key "case" is missing or not a [[case]].')

    def _check_defaults(self, op: str, table: object) -> None:
        where = f"[defaults.{op}]"
        header = self.text.line_of(f"defaults.{op}") or self.text.line_of("defaults", 0, (op,))
        if op not in self.ops:
            self._fail(header, f'{where}: unknown op "{op}"; there are: {", ".join(self.ops)}.')
        if not isinstance(table, dict):
            self._fail(header, f"{where} is not a table.")
        for key, value in table.items():
            line = self.text.line_of(f"defaults.{op}", 0, (key,)) or header
            self._check_key(line, where, key, value, SHARED_KEYS)

    def _check_key(
        self, line: int | None, where: str, key: str, value: object, known: tuple[str, ...]
    ) -> None:
        if key not in known:
            self._fail(line, f'{where}: unknown key "{key}"; there are: {", ".join(known)}.')
        kind, description = TYPES[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self._fail(line, f'{where}: key "{key}" must be {description}.')

    def _case(self, index: int, table: Mapping[str, object]) -> CaseSpec:
        header = self.text.line_of("case", index)
        name = table.get("name")
        where = f'case "{name}"' if isinstance(name, str) else f"case number {index + 1}"
        for key, value in table.items():
            line = self.text.line_of("case", index, (key,)) or header
            self._check_key(line, where, key, value, CASE_KEYS)
        op = table.get("op")
        if op is not None and op not in self.ops:
            line = self.text.line_of("case", index, ("op",)) or header
            self._fail(line, f'{where}: unknown op "{op}"; there are: {", ".join(self.ops)}.')
        keys = with_defaults(self.text.data.get("defaults", {}).get(op, {}), table)
        for key in REQUIRED_KEYS:
            if key not in keys:
                self._fail(header, f'{where}: key "{key}" is missing.')
        return make_case_spec(self.text, index, self.ops[op], keys)

    def _check_names(self) -> None:
        seen: dict[str, int] = {}
        for case in self.cases:
            line = case.line_of("", "name")
            for name in case.instance_names():
                if name in seen:
                    self._fail(line, f'case "{name}" is already defined in line {seen[name]}.')
                seen[name] = line
