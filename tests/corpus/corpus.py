# SPDX-License-Identifier: MIT
"""The corpus: small submissions with one fault each (or none), what the grader must say of them,
and the layers of the sandbox that they are tried with."""

import csv
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/end_to_end"))

from driver import Convkit, Ran, kit_copy  # noqa: E402, F401


class _All(set):
    """Every function."""

    def __contains__(self, _: object) -> bool:
        return True


ALL = _All()
ENTRIES = Path(__file__).with_name("entries")
STAGE = "01_cpu_conv"
DIRECT_STAGE = "02_direct_conv"
GPU_STAGE = "03_tiled_conv"
TOY_STAGE = "training_test"


@dataclass
class Entry:
    """README.md explains the keys."""

    kind: str
    name: str
    about: str
    # What is handed in: the solution of `stage` with changes.
    stage: str = STAGE
    function: str = "sigmoid_forward"  # the one that `prelude`, `start` and `body` change
    prelude: str = ""
    start: str = ""
    body: str | None = None
    edit: list[dict[str, str]] = field(default_factory=list)
    files: dict[str, str | bool] = field(default_factory=dict)
    encode: dict[str, str] = field(default_factory=dict)
    training: dict[str, str] | None = None
    # What the grader must say.
    status: str = "PASS"
    says: str = ""
    fails: list[str] | None = None  # ["*"]: all functions of the stage
    points: float | None = None
    speed: str = ""
    prints: str = ""
    notes: str = ""
    # Where it is tried.
    device: str = "cpu"
    layers: list[str] = field(default_factory=list)
    xfail: str = ""

    @property
    def id(self) -> str:
        return f"{self.kind}/{self.name}"

    @property
    def failing(self) -> set[str]:
        """The functions that must not pass."""
        if self.fails is not None:
            return ALL if "*" in self.fails else set(self.fails)
        return set() if self.status == "PASS" else {self.function}


def load(folder: Path = ENTRIES) -> list[Entry]:
    known = {f.name for f in fields(Entry)} - {"kind"}
    found = []
    for file in sorted(folder.glob("*.toml")):
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        common = data.get("common", {})
        for table in data["entry"]:
            unknown = (set(table) | set(common)) - known
            assert not unknown, f"{file.name}: {table.get('name')}: unknown keys {unknown}"
            found.append(Entry(kind=file.stem, **common | table))
    names = [entry.id for entry in found]
    assert len(set(names)) == len(names), "two entries have the same name"
    return found


def filled(text: str) -> str:
    """The text with @ROOT@ replaced by the kit's folder, for submissions that look for it."""
    return text.replace("@ROOT@", str(ROOT))


def with_function(entry: Entry, text: str) -> str:
    """A source with the entry's prelude, and with its function changed."""
    head = rf"^\w+ {entry.function}\([^{{]*\{{\n"
    match = re.search(rf"(?P<head>{head})(?P<body>.*?)(?P<end>^\}}\n)", text, re.M | re.S)
    body = match["body"] if entry.body is None else entry.body
    changed = f"{match['head']}{filled(entry.start)}\n{filled(body)}\n{match['end']}"
    return f"{filled(entry.prelude)}\n{text[: match.start()]}{changed}{text[match.end() :]}"


def encoded(text: str, how: str) -> bytes:
    if how == "crlf":
        return text.replace("\n", "\r\n").encode()
    return text.encode(how)


def submitted_files(entry: Entry) -> dict[str, bytes]:
    """The submission by path in the stage's folder."""
    folder = ROOT / "solutions" / entry.stage
    texts = {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()}
    if entry.prelude or entry.start or entry.body is not None:
        defines = re.compile(rf"^\w+ {entry.function}\(", re.M)
        (file,) = [name for name, text in texts.items() if defines.search(text)]
        texts[file] = with_function(entry, texts[file])
    for edit in entry.edit:
        text = texts[edit["file"]]
        assert text.count(edit["find"]) == 1, f"{entry.id}: `find` must occur once in {edit}"
        texts[edit["file"]] = text.replace(edit["find"], filled(edit["replace"]))
    for name, content in entry.files.items():
        if content is False:
            del texts[name]
        else:
            texts[name] = filled(content)
    return {name: encoded(text, entry.encode.get(name, "utf-8")) for name, text in texts.items()}


def hand_in(entry: Entry, folder: Path, data: Path) -> Path:
    """The submission as a folder. `data`: where the data sets of trainings lie."""
    if entry.training is not None:
        import toy_training

        parts = {key: code.replace("@DATA@", str(data)) for key, code in entry.training.items()}
        return toy_training.hand_in(folder, **parts)
    for name, content in submitted_files(entry).items():
        file = folder / entry.stage / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return folder


def sentence(entry: Entry, ran: Ran) -> tuple[str, str]:
    """The status that the entry is about, and the sentence with it."""
    if not ran.result.get("stages"):
        return "REFUSED", ran.result.get("error", ran.err)
    stage = ran.stage
    if entry.speed and stage["speed"]:
        timed = [s for s in stage["speed"] if s["max_points"] > 0]
        worst = next((s for s in timed if not s.get("pairs")), timed[0])
        return worst["status"], worst["message"]
    bad = [c for c in stage["cases"] if c["op"] in entry.failing and c["status"] != "PASS"]
    if bad and stage["status"] not in ("BUILD_FAILED", "POLICY") and bad[0]["message"]:
        return bad[0]["status"], bad[0]["message"]
    named = [c for c in stage["cases"] if c["status"] not in ("PASS", "SKIPPED") and c["message"]]
    if stage["status"] in ("CRASHED", "WRONG", "POLICY", "TIMED_OUT", "LIMIT") and named:
        return named[0]["status"], named[0]["message"]
    return stage["status"], stage["message"]


def earned_by(entry: Entry, stage: dict) -> float:
    """What the stage is worth if exactly the functions that must fail earn nothing."""
    points = 0.0
    for group in stage["groups"]:
        cases = [case for case in stage["cases"] if case["group"] == group["name"]]
        right = sum(case["op"] not in entry.failing for case in cases)
        points += group["max_points"] * right / len(cases) if cases else 0
    return points


# As CONVKIT_SANDBOX names them, each with those before it.
LAYERS = ["none", "limits", "landlock", "seccomp", "bubblewrap"]


def layers_of(config) -> str:
    return config.getoption("--layers") or strongest_layer()


@cache
def strongest_layer() -> str:
    ran = subprocess.run(
        [os.environ["CONVKIT_BINARY"], "doctor"],
        env=os.environ | {"CONVKIT_ROOT": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    line = next(line for line in ran.stdout.splitlines() if line.startswith("sandbox")).lower()
    return next((layer for layer in reversed(LAYERS) if layer in line), "none")


# The table of a run: each entry's name, kind, status, points and sentence.
_HEAD = ["kind", "name", "status", "points", "sentence"]


def _rows(graded: Iterable) -> list[list[str]]:
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
        csv.writer(out, lineterminator="\n").writerows([_HEAD, *_rows(graded)])
    else:
        for row in [_HEAD, ["---"] * len(_HEAD), *_rows(graded)]:
            out.write("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n")
    file.write_text(out.getvalue(), encoding="utf-8")
