# SPDX-License-Identifier: MIT
"""Mistakes that people planted in the solutions without knowing what the kit can name, and correct
programs that look unusual; and what `check` says about them."""

import re
import sys
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import ClassVar

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/end_to_end"))

from driver import Convkit, Ran, kit_copy  # noqa: E402

# What a training teaches and whether it succeeds has tests of its own, and takes half a minute.
EDITS = [
    ("assignments/07_mnist_cnn/stage.toml", r"^\[\[training\]\]\n(?:(?!\[\[)[\s\S])*", ""),
]


@dataclass
class Planted:
    """README.md explains the keys."""

    stage: str
    name: str
    about: str
    edit: list[dict[str, str]] = field(default_factory=list)
    file: list[dict[str, str]] = field(default_factory=list)

    @property
    def id(self) -> str:
        return f"{self.stage}/{self.name}"

    def hand_in(self, folder: Path) -> None:
        """Puts the solution, changed, into the folder."""
        solution = ROOT / "solutions" / self.stage
        texts = {
            str(p.relative_to(solution)): p.read_text() for p in solution.rglob("*") if p.is_file()
        }
        for edit in self.edit:
            text = texts[edit["file"]]
            assert text.count(edit["find"]) == 1, f"{self.id}: `find` must occur once: {edit}"
            texts[edit["file"]] = text.replace(edit["find"], edit["replace"])
        texts |= {whole["file"]: whole["text"] for whole in self.file}
        for name, text in texts.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")


@dataclass
class Mistake(Planted):
    function: str = ""
    must_say: list[str] = field(default_factory=list)
    named: bool = False
    escapes: str = ""

    FOLDER: ClassVar[str] = "entries"
    TABLE: ClassVar[str] = "mistake"

    def is_named_in(self, ran: Ran) -> bool:
        said = words_of(ran)
        return all(re.search(pattern, said, re.IGNORECASE) for pattern in self.must_say)


@dataclass
class Variation(Planted):
    notes: str = ""

    FOLDER: ClassVar[str] = "variations"
    TABLE: ClassVar[str] = "variation"


def load(kind: type[Planted]) -> list[Planted]:
    known, found = {f.name for f in fields(kind)} - {"stage"}, []
    for file in sorted((Path(__file__).parent / kind.FOLDER).glob("*.toml")):
        for table in tomllib.loads(file.read_text(encoding="utf-8"))[kind.TABLE]:
            unknown = set(table) - known
            assert not unknown, f"{file.name}: {table.get('name')}: unknown keys {unknown}"
            found.append(kind(stage=file.stem, **table))
    names = [one.id for one in found]
    assert len(set(names)) == len(names), "two have the same name"
    return found


def words_of(ran: Ran) -> str:
    """What is said of the cases that `check` shows, and of the build: without their names and the
    table of groups, whose words say nothing of the cause."""
    shown = re.split(r"\n\n", ran.out, maxsplit=1)[-1] if "points\n" in ran.out else ran.out
    told = re.compile(r"^\s+(?:[A-Z_]+ +\d\d_\w+ / |Reproduce: )")
    return "\n".join(line for line in shown.splitlines() if not told.match(line))


def check(
    planted: Planted, kit: Path, home: Path, cache: Path, *options: str, tries_changes: bool = False
) -> Ran:
    user = Convkit(home, cache)
    user.tries_changes = tries_changes
    user.environment["CONVKIT_ROOT"] = str(kit)
    planted.hand_in(user.work / planted.stage)
    return user.judge("check", planted.stage, "--device", "cpu", *options, timeout=600)


def prepared_kit(folder: Path) -> Path:
    return kit_copy(folder, EDITS)
