#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/evening.md: an evening from a download of Moodle to an import into Canvas, as the
program really goes through it.

    docs/evening.py              # writes the page
    docs/evening.py --check      # says whether it would be another one, times and hashes aside
    docs/evening.py --pictures   # also takes pictures of both pages, with chromium and pngquant
"""

from __future__ import annotations

import argparse
import difflib
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests/classroom"), str(ROOT / "tests/classroom/similar")]
os.environ.setdefault("CONVKIT_BINARY", str(ROOT / "build/default/bin/convkit"))

import planted_class as planting  # noqa: E402
from disguises import other_comments, renamed  # noqa: E402
from measure import honest_sources  # noqa: E402

CONVKIT = os.environ["CONVKIT_BINARY"]
PAGE = Path(__file__).with_name("evening.md")
HONEST = ROOT / "tests/classroom/similar/honest"
PICTURES = Path(__file__).with_name("pictures")
STAGE = planting.ONE

# What each student has of each file: the style of an honest program (HONEST), "" for the starter's.
# `None`: the whole stage as `MADE` says. No two have the same style but those who share.
FILES = ("conv2d", "pooling", "dense", "activations", "layout", "lenet")
SHARED = ("padded_copy", "rows_then_columns", "outer_product", "lambdas", "walking_pointers")
SHARED += ("two_buffers",)
WORK = (
    ("bounds_first", "pointers", "algorithms", "textbook", "index_functions", "vectors"),
    ("plain", "clipped", "plain", "plain", "", "buffer_per_layer"),
    ("from_the_handout", "plain", "", "", "", ""),
    SHARED,
    ("textbook", "template", "", "", "", ""),
    ("helpers", "textbook", "unrolled", "", "", ""),
    ("local_names", "flags", "textbook", "", "", ""),
    None,
    None,
    SHARED,
    None,
    None,
)
# kind, and the wrong variant or entry of the corpus: made from the solution, which is how
# `class similar` sees them, too.
MADE = {7: ("starter", ""), 8: ("hostile", "forks"), 10: ("wrong", "writes_past_end")}
MADE[11] = ("unreadable", "")
DISGUISED = 9  # the second of those who share
# By student: a file, what is in it, and what the student wrote instead.
MISTAKES = {
    1: (  # the kernel is rotated
        "conv2d",
        "* shape->kh + p) * shape->kw + q]",
        "* shape->kh + shape->kh - 1 - p) * shape->kw + shape->kw - 1 - q]",
    ),
    2: (  # the zeros of the padding take part
        "pooling",
        "if (r < 0 || r >= shape->h || s < 0 || s >= shape->w) continue;\n              float v = ",
        "bool in = r >= 0 && r < shape->h && s >= 0 && s < shape->w;\n"
        "              float v = !in ? 0 : ",
    ),
    4: (  # the kernel is rotated
        "conv2d",
        "* sh.kh + kr) * sh.kw + kc]",
        "* sh.kh + sh.kh - 1 - kr) * sh.kw + sh.kw - 1 - kc]",
    ),
    5: ("dense", "double sum = 0;", "double sum = 0"),
    6: ("dense", "std::exp(row[i] - maximum)", "std::exp(row[i])"),
}
MISSPELT = 4  # the roster has another name and no number

# A sentence, and what is typed; "" types nothing.
STEPS = (
    (
        'Moodle\'s "Download all submissions" gives one zip, and the list of participants a CSV '
        "file. Nothing has to be unpacked or renamed.",
        "ls",
    ),
    ("The roster says who is in the class.", "head -4 roster.csv"),
    (
        "**Grade.** Each line is a submission that has ended. Without `--no-speed`, the timing "
        "follows, one at a time: about half a minute for each submission that has points for "
        "speed to earn.",
        "./convkit class grade download.zip --roster roster.csv --no-speed",
    ),
    (
        "One submission fits nobody: Moodle's name is not the roster's. Say whose it is.",
        './convkit class match "{misspelt}" {misspelt_login}',
    ),
    ("**Look.** The class:", "./convkit class show"),
    ("What went wrong most often:", "./convkit class stats"),
    (
        "One student, with what judged the submission:",
        "./convkit class show {wrong_login}",
    ),
    (
        "Pages for you and for each student (below):",
        "./convkit class report --out pages",
    ),
    (
        "Who shares more than the task explains? Look at both before you think anything "
        "([similarity.md](similarity.md)).",
        "./convkit class similar --out similar.html",
    ),
    (
        "**Decide.** Points by hand have a reason and survive every regrading.",
        './convkit class points {broken_login} 1 10 --reason "a semicolon; the rest is right"',
    ),
    (
        "{late_name} was ill.",
        './convkit class extend {late_login} 1 2026-10-20T23:59 --reason "ill, note of 14 October"',
    ),
    (
        "**Prove.** A sample is graded again, without anything from the cache, and compared.",
        "./convkit class audit --sample 3 --seed 2026",
    ),
    (
        "**Hand over.** Canvas takes this file under Grades, Import.",
        "./convkit class export --to canvas --out grades.csv",
    ),
    ("", "cat grades.csv"),
    (
        "**An appeal**, days later: one command repeats the grading and shows both.",
        './convkit class appeal {wrong_login} 1 --reason "says that the kernel is right"',
    ),
)

HEAD = """<!-- written by docs/evening.py; a test runs it again -->
# One evening, from Moodle to Canvas

"""
ABOUT = (
    "Twelve students have handed in stage 01 at Moodle; the grades go to Canvas. Every command is "
    "shown with what it prints and how long it took on two cores that were also at other work. "
    "[course.md](course.md) explains the commands."
)
TAIL = """`pages/index.html` and a page of `pages/students/`:

![The page of a class, in dark: what needs attention, progress, mistakes](pictures/class_page.png)

![The page of a student: points by part, then a mistake with its picture](pictures/student_page.png)
"""

# What differs from run to run, and the words for it in a comparison.
VARYING = (
    (r"\b\d+(\.\d+)? (s|min|h)\b", "TIME"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "WHEN"),
    (r"\b[0-9a-f]{12}\b", "HASH"),
    (r"compiler  ? ?.*?(;|$)", "COMPILER;"),
    (r"sandbox  ? ?.*?(;|$)", "SANDBOX;"),
    (r"kit \d[\w.]*|^  kit .*", "KIT"),
    (r" {2,}", "  "),
)


def planned() -> list[planting.Planted]:
    class_ = []
    for like in planting.planned(len(WORK)):
        kind, what = MADE.get(like.number, ("solution", ""))
        class_.append(replace(like, kind=kind, what=what or kind, stage=STAGE))
    return class_


def write_folder(class_: list[planting.Planted], folder: Path) -> None:
    planting.write_download(class_, folder / "download.zip", sources=own_sources)
    rows = (folder / "roster.csv").read_text().splitlines()
    login, name, _, email = rows[1 + MISSPELT].split(",")
    rows[1 + MISSPELT] = f"{login},{name.split()[0]}-Lu {name.split()[1]},,{email}"
    (folder / "roster.csv").write_text("\n".join([*rows, ""]))


def own_sources(planted: planting.Planted, folder: Path) -> None:
    work = WORK[planted.number]
    if work is None:
        return
    for file in folder.glob("*.h"):
        file.unlink()
    mistaken, right, wrong = MISTAKES.get(planted.number, ("", "", ""))
    for name, style in zip((*FILES, "conv2d_fast"), (*work, work[0])):
        text = own_text(name, style if name != "conv2d_fast" or mistaken != "conv2d" else "")
        if planted.number == DISGUISED:
            chance = planting.random.Random(1)
            text = other_comments(renamed(text, chance), chance)
        if name == mistaken:
            assert text.count(right) == 1, f"{name} of {planted.login} has no {right}"
            text = text.replace(right, wrong)
        (folder / f"{name}.cpp").write_text(text)


def own_text(name: str, style: str) -> str:
    """The fast convolution is the first one under its name: right, and slow."""
    if not style:
        return (ROOT / "starter" / STAGE / f"{name}.cpp").read_text()
    file = HONEST / f"{name.removesuffix('_fast')}.cpp"
    text = honest_sources(file)[style]
    return text.replace("conv2d_forward", "conv2d_fast") if name == "conv2d_fast" else text


def walked(folder: Path) -> str:
    class_ = planned()
    write_folder(class_, folder)
    names = {
        "misspelt": f"{class_[MISSPELT].name} ({1000 + MISSPELT})",
        "misspelt_login": class_[MISSPELT].login,
        "wrong_login": class_[1].login,
        "broken_login": class_[5].login,
        "late_login": class_[7].login,
        "late_name": class_[7].name,
    }
    environment = os.environ | {
        "CONVKIT_ROOT": str(ROOT),
        "CONVKIT_CACHE": os.environ.get("CONVKIT_CACHE", str(folder.parent / "cache")),
        "LOGNAME": "lee",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }
    parts = [HEAD + wrapped(ABOUT)]
    for about, typed in STEPS:
        command = typed.format(**names)
        words = shlex.split(command)
        if words[0] == "./convkit":
            words[0] = CONVKIT
        began = time.perf_counter()
        ran = subprocess.run(
            words,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        seconds = time.perf_counter() - began
        if ran.returncode not in (0, 1):
            sys.exit(f"{command} ended with {ran.returncode}:\n{ran.stdout}")
        printed = ran.stdout.replace(platform.node(), "office").rstrip()
        parts.append(wrapped(about.format(**names)) if about else "")
        parts.append(f"```sh\n{command}\n```\n")
        parts.append(f"```text\n{printed}\n```\n")
        if words[0] == CONVKIT:
            parts.append(f"({seconds:.1f} s)\n")
    parts.append(TAIL)
    return "\n".join(part for part in parts if part)


def wrapped(text: str) -> str:
    return textwrap.fill(text, 120, break_on_hyphens=False) + "\n"


def compared(page: str) -> list[str]:
    """The lines without what differs from run to run; what ended first is first by chance."""
    lines = []
    for line in page.splitlines():
        for pattern, word in VARYING:
            line = re.sub(pattern, word, line)
        lines.append(re.sub(r"^ *\d+ of (\d+)  ", r"one of \1  ", line))
    at = [i for i, line in enumerate(lines) if line.startswith(("one of ", "SAME", "DIFFERS"))]
    for where, line in zip(at, sorted(lines[i] for i in at)):
        lines[where] = line
    return lines


def difference(page: str, kept: str) -> str:
    lines = difflib.unified_diff(compared(kept), compared(page), "kept", "now", lineterm="")
    return "\n".join(lines)


def take_pictures(folder: Path, student: str) -> None:
    for program in ("chromium", "pngquant"):
        if not shutil.which(program):
            sys.exit(f"{program} is not installed.")
    for page, name, size, dark in (
        ("index.html", "class_page.png", "900,1290", ["--force-dark-mode"]),
        (f"students/{student}.html", "student_page.png", "900,2050", []),
    ):
        command = ["chromium", "--headless", "--no-sandbox", "--hide-scrollbars", *dark]
        command += [f"--screenshot={PICTURES / name}", f"--window-size={size}"]
        subprocess.run(
            [*command, (folder / "pages" / page).as_uri()], check=True, capture_output=True
        )
        # 32 colours are enough for such a page, and packages hold the pictures.
        colours = ["pngquant", "32", "--force", "--strip", "--output", PICTURES / name]
        subprocess.run([*colours, PICTURES / name], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--pictures", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="convkit-evening-") as temporary:
        folder = Path(temporary) / "evening"
        folder.mkdir()
        page = walked(folder)
        if options.pictures:
            take_pictures(folder, planned()[1].login)
    if options.check:
        told = difference(page, PAGE.read_text(encoding="utf-8"))
        print(told or "docs/evening.md is up to date.")
        return 1 if told else 0
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
