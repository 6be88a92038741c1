# SPDX-License-Identifier: MIT
"""A class as a system for courses hands it out, of which it is known what each submission must get:
solutions, wrong variants, broken builds, hostile code, and what is no submission. The sources are
the kit's own: `solutions/`, wrong variants, and entries of tests/corpus."""

from __future__ import annotations

import hashlib
import io
import random
import re
import shutil
import sys
import time
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / part) for part in ("tests/corpus", "docs/pictures", "classroom")]

import corpus  # noqa: E402
from convkit_class.book import Book  # noqa: E402
from wrong_variant import write_wrong_variant  # noqa: E402

ONE, TWO, THREE = "01_cpu_conv", "02_direct_conv", "03_tiled_conv"

# What `verify` expects of them: the status, and a function whose cases show it.
WRONG = {
    ONE: [
        ("flipped_kernel", "WRONG", "conv2d_forward"),
        ("missing_bias", "WRONG", "conv2d_forward"),
        ("off_by_one_border", "WRONG", "conv2d_forward"),
        ("stride_ignored", "WRONG", "conv2d_forward"),
        ("pad_value_in_max_pool", "WRONG", "max_pool2d_forward"),
        ("softmax_overflow", "WRONG", "softmax_forward"),
        ("transposed_dense", "WRONG", "dense_forward"),
        ("leaky_as_relu", "WRONG", "leaky_relu_forward"),
        ("crash_null", "CRASHED", "dense_forward"),
        ("writes_past_end", "CRASHED", "conv2d_forward"),
    ],
    TWO: [
        ("flipped_kernel", "WRONG", "conv2d_direct"),
        ("missing_bias", "WRONG", "conv2d_direct"),
        ("grid_truncated", "CRASHED", "conv2d_direct"),
        ("result_not_copied", "WRONG", "matrix_product"),
        ("swapped_xy", "WRONG", "matrix_product"),
        ("vector_tail_left_out", "WRONG", "vector_add"),
        ("missing_bounds_check", "CRASHED", "conv2d_direct"),
        ("too_many_threads", "CRASHED", "conv2d_direct"),
    ],
    THREE: [
        ("halo_as_zero", "WRONG", "conv2d_tiled"),
        ("missing_first_barrier", "WRONG", "conv2d_tiled"),
        ("partial_tile_unwritten", "WRONG", "conv2d_tiled"),
        ("pad_ignored", "WRONG", "conv2d_tiled_single"),
        ("stale_filters", "WRONG", "conv2d_blocked"),
        ("shared_too_small", "CRASHED", "conv2d_tiled"),
    ],
}
# Entries of the corpus, by what they are.
BROKEN = ("forgets_a_semicolon", "calls_what_is_nowhere", "is_in_no_language", "is_empty")
HOSTILE = (
    *("forks", "uses_all_memory", "prints_a_gigabyte", "opens_a_socket", "kills_its_parent"),
    *("starts_a_shell", "reads_the_references", "leaves_a_file", "prints_a_verdict"),
    *("replies_before_it_works", "floods_the_channel", "throws_the_words_of_the_kit"),
    *("includes_the_references", "runs_a_program", "recurses_without_end", "loops_for_ever"),
    *("convolves_on_the_host", "adds_on_the_host_beside_an_empty_kernel"),
)
# Of a hundred submissions; the rest are solutions.
SHARES = {"wrong": 30, "broken": 12, "hostile": 10, "starter": 6, "unreadable": 2}

FIRST = (
    *("Ada", "Ben", "Cleo", "Dina", "Emil", "Faye", "Gus", "Hana", "Ivo"),
    *("Jana", "Karl", "Lena", "Milo", "Nora", "Omar", "Pia", "Quin", "Rosa"),
)
LAST = (
    *("Adler", "Brandt", "Castro", "Dahl", "Eder", "Fuchs", "Gallo"),
    *("Huber", "Ivanov", "Jansen", "Kern", "Lind", "Moser", "Nagy"),
)


@dataclass(frozen=True)
class Planted:
    number: int
    name: str
    login: str
    kind: str
    what: str  # the variant or entry
    stage: str
    status: str  # a pattern; "" where there is no stage
    op: str = ""  # a function of which a case has the status
    attempt: int = 1

    @property
    def saved(self) -> tuple[int, int, int, int, int, int]:
        """When it was handed in: local time, as a zip has it."""
        return 2026, 10, 1 + self.number % 28, 8 + self.number % 12, self.number % 60, 0


def handed_in_again(planted: Planted) -> Planted:
    """The same mistake in a new archive, in which one file has changed."""
    return replace(planted, attempt=planted.attempt + 1)


def planned(count: int, seed: int = 1, stages: tuple[str, ...] = (ONE, TWO, THREE)):
    """The same class for the same arguments."""
    draw = random.Random(seed)
    kinds = [kind for kind, share in SHARES.items() for _ in range(round(count * share / 100))]
    kinds += ["solution"] * (count - len(kinds))
    draw.shuffle(kinds)
    entries = {entry.name: entry for entry in corpus.load()}
    told = dict.fromkeys(kinds, 0)
    class_ = []
    for number, kind in enumerate(kinds):
        stage = stages[number % len(stages)]
        what, status, op = kind, "PASS", ""
        if kind == "wrong":
            what, status, op = draw.choice(WRONG[stage])
        elif kind == "starter":
            status = "NOT_STARTED"
        elif kind == "unreadable":
            status = ""
        elif kind == "broken" and stage != ONE:
            status = "BUILD_FAILED"
        elif kind in ("broken", "hostile"):
            names = BROKEN if kind == "broken" else HOSTILE
            fitting = [n for n in names if entries[n].stage in stages]
            what = fitting[told[kind] % len(fitting)]
            told[kind] += 1
            stage, status = entries[what].stage, entries[what].status
        # Each name once: after all pairs of a first and a last name, with a second first name.
        first, last = FIRST[number % len(FIRST)], LAST[number // len(FIRST) % len(LAST)]
        second = FIRST[number // (len(FIRST) * len(LAST)) - 1] + " " if number >= 252 else ""
        login = f"{first[0]}{second[:1]}{last}{number}".lower()
        name = f"{first} {second}{last}"
        class_.append(Planted(number, name, login, kind, what, stage, status, op))
    return class_


def files_of(planted: Planted, folder: Path, sources=None) -> Path:
    """The stage's folder as the student has it, in `folder`. `sources(planted, folder)` may change
    it first."""
    at = folder / planted.stage
    if planted.kind == "wrong":
        write_wrong_variant(planted.stage, planted.what, at)
    elif planted.what in BROKEN + HOSTILE:
        entry = next(e for e in corpus.load() if e.name == planted.what)
        corpus.hand_in(entry, folder, folder)
    else:
        where = "starter" if planted.kind == "starter" else "solutions"
        shutil.copytree(ROOT / where / planted.stage, at)
    if sources:
        sources(planted, at)
    written = sorted(f for f in at.rglob("*") if f.suffix in (".cpp", ".cu"))
    if planted.kind == "broken" and planted.what == "broken":
        text = written[0].read_text()
        written[0].write_text(text[: text.rindex("}")])
    # No two submissions have a file in common, as in a class where everybody works alone. A comment
    # says so, for `class similar` would count code.
    for source in written:
        attempt = planted.attempt if source == written[0] else 1
        mine = f"// The work of {planted.login}, {attempt}.\n".encode()
        source.write_bytes(mine + source.read_bytes())
    return at


def archive_of(planted: Planted, folder: Path, twice: bool, sources=None) -> bytes:
    """`twice`: an archive in an archive, as some hand it in."""
    if planted.kind == "unreadable":
        return f"PK\3\4 and no more, of {planted.login}, {planted.attempt}".encode()
    at = files_of(planted, folder, sources)
    parts = [
        (f"{planted.stage}/{f.relative_to(at)}", f.read_bytes())
        for f in sorted(at.rglob("*"))
        if f.is_file()
    ]
    inner = zipped(parts, planted.saved)
    return zipped([("my work/conv.zip", inner)], planted.saved) if twice else inner


def zipped(parts: list[tuple[str, bytes]], saved: tuple[int, ...]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in parts:
            packed.writestr(zipfile.ZipInfo(name, saved), data)
    return out.getvalue()


def write_download(
    class_: list[Planted], out: Path, platform: str = "moodle", sources=None
) -> dict[str, str]:
    """The download as one zip, with a roster.csv beside it; the sha256 of each archive by login."""
    digests = {}
    with zipfile.ZipFile(out, "w") as download:
        for planted in class_:
            work = out.parent / "work"
            shutil.rmtree(work, ignore_errors=True)
            data = archive_of(planted, work, planted.number % 3 == 2, sources)
            shutil.rmtree(work, ignore_errors=True)
            digests[planted.login] = hashlib.sha256(data).hexdigest()
            info = zipfile.ZipInfo(name_in_download(planted, platform), planted.saved)
            download.writestr(info, data)
    rows = [f"{p.login},{p.name},{1000 + p.number},{p.login}@uni.example" for p in class_]
    number = "moodle_id" if platform == "moodle" else "lms_id"
    text = "\n".join([f"login,name,{number},email", *rows, ""])
    (out.parent / "roster.csv").write_text(text)
    return digests


def name_in_download(planted: Planted, platform: str) -> str:
    number = 1000 + planted.number
    if platform == "moodle":
        return f"{planted.name}_{number}_assignsubmission_file_/conv.zip"
    last_first = "".join(planted.name.split()[::-1]).lower()
    return f"{last_first}_{number}_{90000 + planted.number}_conv.zip"


def problems(book: Book, class_: list[Planted], digests: dict[str, str]) -> list[str]:
    """Row by row: what the book has otherwise than it was planted, one sentence each."""
    found = []
    of_class = {planted.login for planted in class_}
    if others := {s.login for s in book.students()} ^ of_class:
        found.append(f"students differ: {sorted(others)}")
    if len(book.submissions()) != len(class_):
        found.append(f"{len(book.submissions())} submissions instead of {len(class_)}")
    for planted in class_:
        found += [f"{planted.login} ({planted.what}): {p}" for p in _of(book, planted, digests)]
    return found


def _of(book: Book, planted: Planted, digests: dict[str, str]):
    submissions = book.submissions(planted.login)
    if len(submissions) != 1:
        yield f"{len(submissions)} submissions"
        return
    submission = submissions[0]
    if submission.sha256 != digests[planted.login]:
        yield "the sha256 is another one"
    handed_in = time.gmtime(time.mktime((*planted.saved, 0, 0, -1)))
    if submission.handed_in != time.strftime("%Y-%m-%dT%H:%M:%SZ", handed_in):
        yield f"handed in {submission.handed_in}"
    gradings = book.gradings(submission.id)
    if [g.state for g in gradings] not in (["done"], ["untimed"]):
        yield f"gradings {[(g.state, g.error) for g in gradings]}"
        return
    result = gradings[0].result()
    rows = book.stage_results(gradings[0].id)
    if not planted.status:
        if result["stages"] or rows or not result.get("error"):
            yield "it was read"
        return
    if [row[0] for row in rows] != [planted.stage]:
        yield f"stages {[row[0] for row in rows]}"
        return
    ((_, status, points, most, pending),) = rows
    (stage,) = result["stages"]
    yield from _of_stage(planted, stage)
    stated = (stage["status"], stage["points"], stage["max_points"], stage["pending_points"])
    if (status, points, most, pending) != stated:
        yield "the row is not what the document says"
    if gradings[0].exit_code not in (None, 0 if status == "PASS" else 1):
        yield f"exit code {gradings[0].exit_code}"


def _of_stage(planted: Planted, stage: dict):
    full = stage["max_points"] - stage["pending_points"]
    failed = {case["op"] for case in stage["cases"] if case["status"] != "PASS"}
    if planted.what in BROKEN + HOSTILE:
        entry = next(e for e in corpus.load() if e.name == planted.what)
        expected = failed if entry.failing is corpus.ALL else entry.failing
        if failed != expected:
            yield f"{sorted(failed)} fail instead of {sorted(expected)}"
        points = corpus.earned_by(entry, stage) if entry.points is None else entry.points
        if abs(stage["points"] - points) > 0.01:
            yield f"{stage['points']} points instead of {points}"
        statuses = {stage["status"], *(c["status"] for c in stage["cases"])}
        if not any(re.fullmatch(entry.status, status) for status in statuses):
            yield f"{stage['status']} instead of {entry.status}"
        return
    if stage["status"] != planted.status:
        yield f"{stage['status']} instead of {planted.status}"
    if planted.op and not any(
        case["op"] == planted.op and case["status"] == planted.status for case in stage["cases"]
    ):
        yield f"no case of {planted.op} is {planted.status}"
    if planted.kind == "solution" and (failed or abs(stage["points"] - full) > 0.01):
        yield f"{stage['points']} points instead of {full}"
    if planted.kind == "starter" and stage["points"] != 0:
        yield f"{stage['points']} points for a starter"
    if planted.kind in ("wrong", "broken") and stage["points"] >= full:
        yield "all points"


def contents(book: Book) -> list[tuple]:
    """What a book says, without what differs from run to run: times, nonces, numbers, and the exit
    code, which nobody has seen of a grading that outlived its batch."""
    rows = []
    for submission in book.submissions():
        of_one = []
        for grading in book.gradings(submission.id):
            result = grading.result() if grading.document else {}
            for stage in result.get("stages", []):
                for key in ("build_s", "run_s"):
                    stage.pop(key, None)
            kept = {k: v for k, v in result.items() if k not in ("started", "nonce")}
            of_one.append((grading.state, grading.device, kept, grading.error))
        rows.append((submission.login, submission.claimed, submission.sha256, of_one))
    return sorted(rows, key=lambda row: row[2])
