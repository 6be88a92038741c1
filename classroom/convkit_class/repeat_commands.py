# SPDX-License-Identifier: MIT
"""`class audit` and `class appeal`: gradings that are repeated and compared."""

from __future__ import annotations

import argparse
import json
import os
import random
import secrets
from pathlib import Path

from .batch import Files
from .book import Book, Grading
from .differences import Difference
from .errors import UsageError
from .grades import Grades
from .judged_by import judged_by
from .kit import Kit
from .live import plain_text
from .repeat import Again, Repeated, Repeater, kept
from .views import table

_SAME, _DIFFERS, _FAILED = 0, 1, 3
_MOST_SHOWN = 12  # differences of one grading; the book has all


def declare(command) -> None:
    """`command(name, run, about)` makes the parser of one."""
    audit = command("audit", _audit, "Repeat some gradings, here or elsewhere, and compare.")
    audit.add_argument("who", nargs="*", metavar="STUDENT", help="default: a sample of all")
    audit.add_argument("--sample", type=int, default=10, metavar="N", help="so many (default: 10)")
    audit.add_argument("--seed", help="draws the sample of an earlier audit again")
    audit.add_argument("--device", choices=("cpu", "gpu"), help="default: that of each grading")
    audit.add_argument("--workers", type=int, default=os.cpu_count(), help="default: processors")
    audit.add_argument("--list", action="store_true", help="the audits and appeals so far")
    audit.add_argument(
        "--take-from", type=Path, metavar="COPY", help="audits that a copy of this book has"
    )

    appeal = command("appeal", _appeal, "Repeat what counts of a student in a stage.")
    appeal.add_argument("login")
    appeal.add_argument("stage")
    appeal.add_argument("--reason", required=True)
    appeal.add_argument("--no-speed", dest="speed", action="store_false", help="time nothing")
    appeal.add_argument("--count", action="store_true", help="the new grading counts from now on")


def _audit(options: argparse.Namespace) -> int:
    book = Book(options.book)
    if options.list:
        print(_list(book))
        return _SAME
    if options.take_from:
        return _take(book, Book(options.take_from))
    if options.workers < 1 or options.sample < 1:
        raise UsageError("--workers and --sample are at least 1.")
    kit = Kit()
    wanted = _audited(book, options.who, options.device)
    seed = ""
    if not options.who:
        seed = options.seed or str(secrets.randbits(32))
        drawn = random.Random(seed).sample(wanted, min(options.sample, len(wanted)))
        print(f"{len(drawn)} of {len(wanted)} gradings, drawn with --seed {seed}.")
        wanted = sorted(drawn, key=lambda again: again.grading.id)
    outcomes = []
    with Repeater(kit, book) as repeater:
        for repeated in repeater.repeat(wanted, options.workers):
            kept(book, repeated, "audit", sample=seed)
            outcomes.append(repeated.outcome)
            print(_told(book, repeated), flush=True)
    counts = {outcome: outcomes.count(outcome) for outcome in ("same", "differs", "failed")}
    print(
        f"{counts['same']} of {len(outcomes)} agree, {counts['differs']} differ, "
        f"{counts['failed']} could not be repeated. The book keeps it; no grade has changed."
    )
    return _code(outcomes)


def _code(outcomes: list[str]) -> int:
    return _DIFFERS if "differs" in outcomes else _FAILED if "failed" in outcomes else _SAME


def _audited(book: Book, who: list[str], device: str | None) -> list[Again]:
    """Of each submission the newest grading that has a document."""
    if unknown := [name for name in who if name not in {s.login for s in book.students()}]:
        raise UsageError(f"There is no student {', '.join(unknown)} in {book.file}.")
    newest: dict[tuple[int, str], int] = {}
    meant = {s.id for s in book.submissions() if not who or s.login in who}
    for run in book.runs():
        if run.state in ("done", "untimed") and run.submission in meant:
            newest[run.submission, run.device] = run.id
    if not newest:
        raise UsageError("Nothing has been graded that could be repeated.")
    chosen = [n for (_, on), n in newest.items() if device is None or on == device]
    # Elsewhere: what no such device has judged is compared with what another one has.
    of_device = {s for (s, on) in newest if on == device}
    chosen += [
        n for (s, on), n in newest.items() if device not in (None, on) and s not in of_device
    ]
    gradings = [book.grading(number) for number in sorted(chosen)]
    return [Again(g, device or g.device) for g in gradings]


def _told(book: Book, repeated: Repeated) -> str:
    grading, comparison = repeated.grading, repeated.comparison
    name = plain_text(_whose(book, grading))
    if comparison is None:
        return f"FAILED   {name}: {plain_text(repeated.error)}"
    counts = f"{comparison.verdicts} verdicts"
    if comparison.unjudged:
        counts += f", {comparison.unjudged} pending on one side"
    if comparison.agrees:
        lines = [f"SAME     {name}: {counts}{_and_points(grading)}"]
    else:
        lines = [f"DIFFERS  {name}: {len(comparison.differences)} of {counts}"]
    lines += [f"  {line}" for line in _differences(comparison.differences)]
    lines += [f"  other {plain_text(_arrow(c))}" for c in comparison.changed]
    return "\n".join(lines)


def _and_points(grading: Grading) -> str:
    result = grading.result()
    return f", {result['points']:g} of {result['max_points']:g} points as then"


def _differences(differences: tuple[Difference, ...]) -> list[str]:
    lines = [
        plain_text(f"{d.stage} {_arrow(d)}: {d.meaning}".strip()) for d in differences[:_MOST_SHOWN]
    ]
    if len(differences) > _MOST_SHOWN:
        lines.append(f"and {len(differences) - _MOST_SHOWN} more, which the book has.")
    return lines


def _arrow(d: Difference) -> str:
    return f"{d.what}: {d.before} -> {d.after}" if d.before else f"{d.what}: {d.after}"


def _whose(book: Book, grading: Grading) -> str:
    submission = next(s for s in book.submissions() if s.id == grading.submission)
    return f"{submission.login or submission.claimed} (grading {grading.id} on {grading.device})"


def _appeal(options: argparse.Namespace) -> int:
    kit, book = Kit(), Book(options.book)
    stage = kit.stage(options.stage)
    grade = Grades(book, kit.policy).of(book.student(options.login)).stages.get(stage)
    if grade is None:
        raise UsageError(f"{options.login} has nothing graded in {stage}.")
    outcomes = []
    with Repeater(kit, book) as repeater:
        for number in grade.score.gradings:
            grading = book.grading(number)
            again = Again(
                grading, grading.device, (stage,), options.speed and _timed(grading, stage)
            )
            # One at a time: what is timed needs the machine.
            for repeated in repeater.repeat([again], 1):
                number = kept(book, repeated, "appeal", reason=options.reason)
                outcomes.append(repeated.outcome)
                print(_side_by_side(repeated, stage))
                print(f"Kept as appeal {number}: {plain_text(options.reason)}")
                if options.count and repeated.document:
                    _count(book, repeated, stage)
    if not options.count:
        print("No grade has changed. `--count` lets the new grading count, `class points` adds.")
    return _code(outcomes)


def _timed(grading: Grading, stage: str) -> bool:
    found = [s for s in grading.result()["stages"] if s["id"] == stage]
    return any("ratio" in speed for s in found for speed in s["speed"])


def _side_by_side(repeated: Repeated, stage: str) -> str:
    grading, comparison = repeated.grading, repeated.comparison
    head = f"Grading {grading.id} on {grading.device}, {grading.started}, repeated"
    if comparison is None or repeated.document is None:
        return f"{head}: FAILED\n  {plain_text(repeated.error)}"
    before, after = grading.result(), repeated.document
    old, new = judged_by(before, [stage]), judged_by(after, [stage])
    rows = [["", "then", "now"]]
    rows += [["sha256", *(r["submission"]["sha256"][:12] for r in (before, after))]]
    rows += [["nonce", *(r["nonce"][:12] for r in (before, after))]]
    rows += [[what, old.get(what, "-"), new.get(what, "-")] for what in dict.fromkeys([*old, *new])]
    pair = [next((s for s in r["stages"] if s["id"] == stage), None) for r in (before, after)]
    rows.append(["status", *(s["status"] if s else "-" for s in pair)])
    rows.append(
        ["points", *(f"{s['points']:g} of {s['max_points']:g}" if s else "-" for s in pair)]
    )
    for name in dict.fromkeys(g["name"] for s in pair if s for g in s["groups"]):
        of_name = [next((g for g in s["groups"] if g["name"] == name), None) for s in pair if s]
        rows.append([name, *(f"{g['points']:g}" if g else "-" for g in of_name)])
    rows += [[d.what, d.before, d.after] for d in comparison.times]
    told = {"status of the stage"}
    rows += [[d.what, d.before, d.after] for d in comparison.differences if d.what not in told]
    lines = [f"{head}: {comparison.verdicts} verdicts, {len(comparison.differences)} differ"]
    cells = [[plain_text(cell) for cell in row] for row in rows]
    width = [max(len(row[i]) for row in cells) for i in (0, 1)]
    for what, then, now in cells:
        mark = "  <- differs" if then != now and what else ""
        lines.append(f"  {what:<{width[0]}}  {then:<{width[1]}}  {now}{mark}".rstrip())
    lines += [f"  {text}" for text in dict.fromkeys(d.meaning for d in comparison.differences)]
    return "\n".join(lines)


def _count(book: Book, repeated: Repeated, stage: str) -> None:
    text = json.dumps(repeated.document)
    grading = repeated.grading
    number = book.begin(grading.submission, grading.device, stage)
    Files(book.file).result(number).write_text(text, encoding="utf-8")
    depends = json.dumps((repeated.document or {}).get("depends", {}))
    book.end(number, "done", document=text, depends=depends)
    print(f"Grading {number} is the new one, and counts from now on.")


def _list(book: Book) -> str:
    rows = [["kind", "when", "by", "on", "grading", "outcome", "why"]]
    for one in book.repeats():
        grading = book.grading(one.grading)
        why = one.reason or (f"seed {one.sample}" if one.sample else "named")
        differing = len(json.loads(one.differences))
        outcome = f"{one.outcome}, {differing}" if differing else one.outcome
        rows.append(
            [one.kind, one.at, one.author, one.machine, _whose(book, grading), outcome, why]
        )
    if len(rows) == 1:
        return "Nothing has been audited yet."
    return table([[plain_text(cell) for cell in row] for row in rows])


def _take(book: Book, copy: Book) -> int:
    """Audits that were made with a copy of the book, on another machine."""
    known = {(r.grading, r.at, r.machine) for r in book.repeats()}
    ours = {run.id: run.started for run in book.runs()}
    theirs = {run.id: run.started for run in copy.runs()}
    taken = [
        one
        for one in copy.repeats()
        if (one.grading, one.at, one.machine) not in known
        and ours.get(one.grading) == theirs[one.grading]
    ]
    for one in taken:
        book.add_repeat(one)
    print(f"{len(taken)} repeated gradings were taken from {copy.file}.")
    return _code([one.outcome for one in taken])
