# SPDX-License-Identifier: MIT
"""`convkit class ...`: the commands for a class."""

from __future__ import annotations

import argparse
import getpass
import os
import signal
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from . import forget, repeat_commands
from .batch import Batch, Files, Plan
from .book import Book, Student, utc
from .cluster.batch import ArrayList, ClusterBatch
from .cluster.options import add_cluster_options, cluster_options
from .download import opened
from .errors import GraderError, UsageError
from .exports import ANONYMOUS, FORMATS, Exported
from .grades import Grades
from .kit import Kit
from .live import LiveView, duration, plain_text
from .names import HandedIn, find_submissions
from .pages.document import read_result
from .pages.stage_part import Course, course_of
from .pages.student_page import result_page
from .pages.write import write_class
from .policy import read_time
from .roster import Roster, read_roster
from .similarity.command import similar
from .views import class_table, statistics_view, student_view, table

_OK, _USAGE, _FAILED, _INTERRUPTED = 0, 2, 3, 130


def main(words: list[str] | None = None) -> int:
    options = _parser().parse_args(words)
    try:
        return options.run(options)
    except UsageError as error:
        print(plain_text(str(error)), file=sys.stderr)
        return _USAGE
    except GraderError as error:
        print(f"GRADER_ERROR  {error}", file=sys.stderr)
        return _FAILED
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:  # `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="./convkit class",
        description="Grade a class and keep its book (docs/course.md).",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run, about: str) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=about, description=about)
        one.add_argument("--book", type=Path, default=Path("course.db"), help="default: course.db")
        one.set_defaults(run=run)
        return one

    grade = command(
        "grade", _grade, "Grade all submissions in a folder, or those that the book has."
    )
    grade.add_argument(
        "folder",
        type=Path,
        nargs="?",
        help="a folder, or the zip of a download of Canvas, Moodle, ...",
    )
    grade.add_argument("--roster", type=Path, help="CSV: login, name, email, lms_id, github, team")
    grade.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    grade.add_argument("--stage", action="append", default=[], help="this stage only (repeatable)")
    grade.add_argument("--only", nargs="+", default=[], metavar="NAME", help="logins or sources")
    grade.add_argument("--workers", type=int, default=os.cpu_count(), help="default: processors")
    grade.add_argument("--no-speed", dest="speed", action="store_false", help="time nothing")
    grade.add_argument(
        "--no-hidden", dest="hidden", action="store_false", help="visible cases only"
    )
    grade.add_argument("--resume", action="store_true", help="go on with the book that is there")
    grade.add_argument(
        "--regrade-changed",
        action="store_true",
        help="also what another kit, other cases or other limits have judged",
    )
    grade.add_argument("--regrade-all", action="store_true", help="everything once more")
    add_cluster_options(grade)

    show = command("show", _show, "The grades of the class, or all about one student.")
    show.add_argument("login", nargs="?")

    export = command("export", _export, "The grades as a file.")
    export.add_argument("--to", choices=list(FORMATS), default="csv")
    export.add_argument("--stage", action="append", default=[])
    export.add_argument("--out", type=Path, help="default: standard output")
    export.add_argument(
        "--anonymous", action="store_true", help="csv and json: pseudonyms, and no text of people"
    )

    command("stats", _stats, "How each stage went, and which mistakes were made most.")

    report = command("report", _report, "The grades as HTML pages, for staff and each student.")
    report.add_argument("--result", type=Path, help="of this result alone, without a book")
    report.add_argument("--out", type=Path, help="default: pages/, of a result a file beside it")

    similar = command("similar", _similar, "Which submissions share more than the task explains.")
    similar.add_argument(
        "--stage", action="append", default=[], help="this stage only (repeatable)"
    )
    similar.add_argument("--out", type=Path, help="a page with the sources side by side")

    match = command("match", _match, "Say whose a submission is that matched nobody.")
    match.add_argument("claimed", help="the name that `class grade` lists")
    match.add_argument("login")

    points = command("points", _points, "Add points by hand, or take them away.")
    points.add_argument("login")
    points.add_argument("stage")
    points.add_argument("points", type=float)
    points.add_argument("--reason", required=True)

    extend = command("extend", _extend, "A later deadline for one student or team.")
    extend.add_argument("who")
    extend.add_argument("stage")
    extend.add_argument("until", help="2026-10-15T23:59")
    extend.add_argument("--reason", required=True)

    nickname = command("nickname", _nickname, "Put a student on the leaderboard, or take off ('').")
    nickname.add_argument("login")
    nickname.add_argument("nickname")
    board = command("leaderboard", _leaderboard, "The speeds of those who have a nickname.")
    board.add_argument("stage")

    repeat_commands.declare(command)

    forget.declare(command)
    return parser


def _grade(options: argparse.Namespace) -> int:
    kit = Kit()
    if options.workers < 1:
        raise UsageError(f"--workers is {options.workers}; it is at least 1.")
    if options.folder is None and not options.book.exists():
        raise UsageError("Name the folder of submissions: there is no book yet.")
    stages = [kit.stage(s) for s in options.stage]
    cluster = cluster_options(options) if options.executor == "slurm" else None
    book = Book(options.book, create=not options.resume)
    if options.roster:
        for student in read_roster(options.roster):
            book.put_student(student)
    if options.folder:
        _take(book, options.folder)
    wanted = [s for s in book.submissions() if _is_meant(s, options.only)]
    if options.only and not wanted:
        raise UsageError(f"No submission is called {', '.join(options.only)}.")
    plan = Plan(
        options.device,
        stages,
        options.speed,
        options.hidden,
        options.workers,
        options.regrade_all,
        options.regrade_changed,
    )
    if cluster:
        batch = ClusterBatch(book, kit, plan, LiveView(), cluster)
    else:
        ArrayList(Files(book.file).folder).refuse()
        batch = Batch(book, kit, plan, LiveView())
    done = batch.run(wanted)
    _say_how_it_stands(book, wanted, options.speed)
    return _OK if done else _INTERRUPTED


def _is_meant(submission, only: list[str]) -> bool:
    return not only or bool({submission.login, submission.claimed, submission.source} & set(only))


def _take(book: Book, folder: Path) -> None:
    roster = Roster([s for s in book.students() if s.listed])
    files = Files(book.file)
    with opened(folder) as unpacked:
        for handed_in in find_submissions(unpacked, roster):
            if handed_in.login and not roster:
                book.put_student(Student(handed_in.login))
            submission = book.add_submission(
                handed_in.login,
                handed_in.claimed,
                handed_in.source,
                handed_in.sha256(),
                handed_in.handed_in,
            )
            files.keep(submission.id, handed_in)
            _learn_number(book, submission.login, handed_in)


def _learn_number(book: Book, login: str | None, handed_in: HandedIn) -> None:
    """The number that a system has for a person is in the name of the download. Without it that
    system takes no grades back."""
    column, number = handed_in.number
    if login and column:
        known = book.student(login)
        # A roster's lms_id may be the number at Moodle.
        if not getattr(known, column) and number != known.lms_id:
            book.put_student(replace(known, **{column: number}))


def _say_how_it_stands(book: Book, wanted: list, speed: bool) -> None:
    last = [g[-1] for s in wanted if (g := book.runs(s.id))]
    states = Counter(grading.state for grading in last)
    graded = states["done"] + (0 if speed else states["untimed"])
    seconds = sum(g.seconds for g in last)
    timing = sum(g.timing_s for g in last)
    print(
        f"{len(wanted)} submissions: {graded} graded, {states['failed']} failed, "
        f"{len(wanted) - graded - states['failed']} open. Cases took {duration(seconds)} summed, "
        f"timing {duration(timing)}."
    )
    if states["untimed"]:
        print(f"{states['untimed']} have speed points to earn: without --no-speed they are timed.")
    failed = [g for g in last if g.state == "failed"]
    for grading in last:
        if grading.state in ("done", "untimed") and not book.stage_results(grading.id):
            result = book.grading(grading.id).result()
            source = next(s for s in wanted if s.id == grading.submission)
            print(
                f"UNREAD  {plain_text(source.login or source.claimed)}: "
                f"{plain_text(result.get('error') or 'no file of a stage')}"
            )
    for grading in failed:
        source = next(s.source for s in wanted if s.id == grading.submission)
        print(f"FAILED  {plain_text(source)}: {plain_text(grading.error)}")
    unmatched = book.unmatched()
    for submission in unmatched:
        print(
            f"UNMATCHED  {plain_text(submission.claimed)} ({plain_text(submission.source)}): "
            "nobody in the roster; `class match` says whose it is."
        )


def _show(options: argparse.Namespace) -> int:
    kit, book = Kit(), Book(options.book)
    grades = Grades(book, kit.policy)
    if options.login:
        print(student_view(book, grades, book.student(options.login)))
        return _OK
    students = grades.all()
    print(class_table(students, _graded_stages(kit, students), kit.policy))
    for submission in book.unmatched():
        print(f"UNMATCHED  {plain_text(submission.claimed)} ({plain_text(submission.source)})")
    return _OK


def _graded_stages(kit: Kit, students: list) -> dict[str, float]:
    """Those that anybody has handed in."""
    seen = {stage for student in students for stage in [*student.stages, *student.unattempted]}
    return {stage: points for stage, points in kit.points.items() if stage in seen}


def _export(options: argparse.Namespace) -> int:
    kit, book = Kit(), Book(options.book)
    students = Grades(book, kit.policy).all()
    stages = {s: kit.points[s] for s in map(kit.stage, options.stage)}
    stages = stages or _graded_stages(kit, students)
    if options.anonymous and options.to not in ANONYMOUS:
        raise UsageError(f"{options.to} needs names; --anonymous is for {', '.join(ANONYMOUS)}.")
    data = Exported(book, students, stages, kit.policy, options.anonymous)
    text = FORMATS[options.to](data)
    if options.out is None:
        sys.stdout.write(text)
        return _OK
    if not options.anonymous:
        book.wrote(options.out, "export")
    try:
        options.out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{options.out} cannot be written: {error.strerror}.") from None
    print(f"{options.out} has the grades of {len(students)} students.")
    return _OK


def _stats(options: argparse.Namespace) -> int:
    kit, book = Kit(), Book(options.book)
    students = Grades(book, kit.policy).all()
    print(statistics_view(book, students, kit.points))
    return _OK


def _report(options: argparse.Namespace) -> int:
    kit = Kit()
    courses = {stage: course_of(tables) for stage, tables in kit.stage_files.items()}
    if options.result:
        return _report_result(options.result, options.out, courses)
    book, out = Book(options.book), options.out or Path("pages")
    stages = _graded_stages(kit, Grades(book, kit.policy).all())
    count = write_class(book, kit.policy, stages, courses, out)
    print(f"{out / 'index.html'} is for staff, {out / 'students'} has a page for each of {count}.")
    return _OK


def _report_result(file: Path, out: Path | None, courses: dict[str, Course]) -> int:
    result, out = read_result(file), out or file.with_suffix(".html")
    try:
        text = result_page(result, courses)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise UsageError(f"{file} is no whole result of `convkit grade`.") from None
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}.") from None
    print(f"{out} shows {file}.")
    return _OK


def _similar(options: argparse.Namespace) -> int:
    kit, book = Kit(), Book(options.book)
    print(similar(kit, book, [kit.stage(s) for s in options.stage], options.out))
    return _OK


def _match(options: argparse.Namespace) -> int:
    book = Book(options.book)
    count = book.match(options.claimed, options.login)
    if not count:
        raise UsageError(f"No unmatched submission is called {options.claimed}.")
    what = "1 submission" if count == 1 else f"{count} submissions"
    print(f"{what} of {plain_text(options.claimed)}: now {options.login}'s.")
    return _OK


def _points(options: argparse.Namespace) -> int:
    kit, book = Kit(), Book(options.book)
    stage = kit.stage(options.stage)
    book.add_manual(options.login, stage, options.points, options.reason, getpass.getuser())
    print(f"{options.login} has {options.points:+g} in {stage}: {plain_text(options.reason)}")
    return _OK


def _extend(options: argparse.Namespace) -> int:
    kit, book = Kit(), Book(options.book)
    stage, until = kit.stage(options.stage), utc(read_time(options.until))
    book.extend(options.who, stage, until, options.reason)
    print(f"{options.who} may hand in {stage} until {until}.")
    return _OK


def _nickname(options: argparse.Namespace) -> int:
    Book(options.book).set_nickname(options.login, options.nickname)
    return _OK


def _leaderboard(options: argparse.Namespace) -> int:
    kit, book = Kit(), Book(options.book)
    stage = kit.stage(options.stage)
    documents = {g.id: g for g in book.gradings()}
    rows = []
    for grade in Grades(book, kit.policy).all():
        if not grade.student.nickname or stage not in grade.stages:
            continue
        for number in grade.stages[stage].score.gradings:
            of_stage = next(s for s in documents[number].result()["stages"] if s["id"] == stage)
            rows += [
                (speed["name"], speed["ratio"]["median"], grade.student.nickname)
                for speed in of_stage["speed"]
                if "ratio" in speed
            ]
    if not rows:
        print(f"Nobody with a nickname has a speed in {stage}.")
        return _OK
    rows.sort(key=lambda row: (row[0], -row[1]))
    head = [["shape", "x baseline", "nickname"]]
    print(table(head + [[shape, f"{ratio:.2f}", plain_text(name)] for shape, ratio, name in rows]))
    return _OK
