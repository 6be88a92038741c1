#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a large class of stages 01 to 03 in a folder and prints what `class similar` costs:

    python3 tests/classroom/similar/made_class.py FOLDER [STUDENTS]

Each student has, file by file, one of twenty variants of the solution or of an honest source, in a
disguise of their own. That is more alike than a class is, so the index is fuller."""

import random
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "classroom"), str(Path(__file__).parent)]

from convkit_class.batch import Files  # noqa: E402
from convkit_class.book import Book, Student  # noqa: E402
from convkit_class.kit import Kit  # noqa: E402
from convkit_class.similarity.command import similar  # noqa: E402
from disguises import dead_statements, other_comments, renamed  # noqa: E402
from measure import honest_sources  # noqa: E402

STAGES = ("01_cpu_conv", "02_direct_conv", "03_tiled_conv")
VARIANTS = 20


def variants() -> dict[str, list[str]]:
    """By path in a submission."""
    chance = random.Random("variants")
    found: dict[str, list[str]] = {}
    for stage in STAGES:
        for file in sorted((ROOT / "solutions" / stage).iterdir()):
            if not file.is_file():
                continue
            texts = [file.read_text(encoding="utf-8")]
            honest = Path(__file__).with_name("honest") / file.name
            if honest.exists():
                texts += honest_sources(honest).values()
            found[f"{stage}/{file.name}"] = [
                dead_statements(chance.choice(texts), chance) for _ in range(VARIANTS)
            ]
    return found


def make(folder: Path, students: int) -> Book:
    book = Book(folder / "course.db", create=True)
    files = variants()
    for number in range(students):
        chance = random.Random(number)
        login = f"student{number:03}"
        book.put_student(Student(login))
        submission = book.add_submission(
            login, login, f"{login}.zip", f"{number}", "2026-10-01T00:00:00Z"
        )
        archive = Files(book.file).folder / f"submissions/{submission.id}/{login}.zip"
        archive.parent.mkdir(parents=True)
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
            for path, texts in files.items():
                source = chance.choice(texts)
                packed.writestr(path, other_comments(renamed(source, chance), chance))
    return book


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    book = make(folder, int(sys.argv[2]) if len(sys.argv) > 2 else 300)
    began = time.process_time()
    said = similar(Kit(), book, list(STAGES), folder / "similar.html")
    print(f"{time.process_time() - began:.1f} s of CPU time")
    for line in said.splitlines():
        if not line.startswith("  "):
            print(line[:200])


if __name__ == "__main__":
    main()
