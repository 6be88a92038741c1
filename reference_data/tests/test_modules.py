# SPDX-License-Identifier: MIT
"""Modules of the generator do not import each other in a circle, and name no stage."""

import ast
import re
from pathlib import Path

import pytest

from convkit_reference.stages import stage_folders

PACKAGE = Path(__file__).resolve().parents[1] / "convkit_reference"


def _modules(package):
    """The files of a package by dotted name; a package stands for its __init__.py."""
    files = {}
    for file in package.rglob("*.py"):
        parts = (package.name, *file.relative_to(package).with_suffix("").parts)
        files[".".join(parts).removesuffix(".__init__")] = file
    return files


def _imported(name, file, known):
    """The modules of the package that a file imports, wherever in the file and for whatever use:
    inside functions and under TYPE_CHECKING, too."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            base = ".".join(part for part in (above, node.module) if part)
            for alias in node.names:  # `from .package import module` or `from .module import name`
                module = f"{base}.{alias.name}"
                yield from (
                    found for found in [module if module in known else base] if found in known
                )


def circle(package):
    """The names along one circle of imports; [] if there is none."""
    files = _modules(package)
    imports = {name: set(_imported(name, file, files)) for name, file in files.items()}
    done = set()

    def search(name, path):
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return []
        for other in sorted(imports[name]):
            if found := search(other, [*path, name]):
                return found
        done.add(name)
        return []

    return next((found for name in sorted(files) if (found := search(name, []))), [])


@pytest.mark.parametrize(
    "package",
    [PACKAGE, *(folder / "reference" for folder in stage_folders())],
    ids=lambda package: f"{package.parent.name}/{package.name}",
)
def test_there_is_no_circle_of_imports(package):
    found = circle(package)
    assert not found, "Modules import each other: " + " -> ".join(found)


@pytest.mark.parametrize(
    "line",
    [
        "from .b import x",
        "from . import b",
        "import sample.b",
        "from sample import b",
        "def f():\n    from .b import x",
        "if TYPE_CHECKING:\n    from .b import x",
    ],
)
def test_a_circle_is_found(tmp_path, line):
    package = tmp_path / "sample"
    (package / "inner").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "inner" / "__init__.py").write_text("")
    (package / "a.py").write_text(line)
    (package / "b.py").write_text("from .inner import c")
    (package / "inner" / "c.py").write_text("import json\n")
    assert circle(package) == []
    (package / "inner" / "c.py").write_text("from ..a import y")
    assert circle(package) == ["sample.a", "sample.b", "sample.inner.c", "sample.a"]


def test_the_generator_names_no_stage():
    """What a stage needs lies in its folder."""
    stage = re.compile("|".join(["[Ss]tage 0[0-9]", *(folder.name for folder in stage_folders())]))
    named = [
        f"{file}:{number}: {line.strip()}"
        for file in sorted(PACKAGE.parent.rglob("*.py"))
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if stage.search(line)
    ]
    assert not named, "\n".join(named)
