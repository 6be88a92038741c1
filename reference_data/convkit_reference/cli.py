# SPDX-License-Identifier: MIT
"""The command line of generate.py."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from pathlib import Path

from .check import check_set
from .draw import draw_cases
from .errors import DataError, UserError
from .made_case import make_case
from .manifest import ARCHIVE, write_set
from .secret import secret_of
from .spec import Spec
from .stages import SPEC, stage_folders

ROOT = Path(__file__).resolve().parents[1]
_EXAMPLES = """examples:
  generate.py                              make the visible cases of all stages
  generate.py --stage 1 --check            prove that those of a stage are reproduced
  generate.py --stage 1 --seed fall-2026   make a hidden set from a secret
exit codes: 0 done, 2 wrong use, 3 --check found a difference, a stage's Python has an error, or
a file could not be written
"""


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        specs = [Spec(path) for path in _spec_files(options.stage, options.spec)]
        if options.out is not None and len(specs) > 1:
            raise UserError("--out holds one stage; name it with --stage or --spec.")
        options.seed = secret_of(options.seed, options.seed_file)
        results = [_run(spec, options) for spec in specs]
        return max(results)
    except UserError as problem:
        print(f"generate.py: {problem}", file=sys.stderr)
        return 2
    except DataError as problem:
        print(f"generate.py: {problem}", file=sys.stderr)
        return 3
    except OSError as problem:
        print(f"generate.py: {problem.filename}: {problem.strerror}.", file=sys.stderr)
        return 3
    except Exception as error:
        print(f"generate.py: {_place(error)}: {_what(error)}", file=sys.stderr)
        return 3


def _place(error: Exception) -> str:
    """File and line of the error: the last place in a stage's Python, if there is one."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    in_stage = [frame for frame in frames if Path(frame.filename).parent.name == "reference"]
    frame = (in_stage or frames)[-1]
    return f"{frame.filename}:{frame.lineno}"


def _what(error: Exception) -> str:
    text = error.msg if isinstance(error, SyntaxError) else " ".join(str(error).split())
    return f"{type(error).__name__}{': ' * bool(text)}{text.rstrip('.')}."


def _run(spec: Spec, options: argparse.Namespace) -> int:
    if options.list:
        return _list(spec, options.seed)
    kind = "visible" if options.seed is None else "hidden"
    folder = options.out or ROOT / kind / spec.stage
    start = time.monotonic()
    if options.check:
        problems = check_set(folder, spec, options.seed)
        for problem in problems:
            print(problem, file=sys.stderr)
        if problems:
            return 3
        print(f"{folder}: every case is reproduced ({time.monotonic() - start:.1f} s).")
        return 0
    # As a list: every mistake in a size is found before anything is written.
    cases = list(draw_cases(spec, options.seed))
    entries = write_set(folder, spec, map(make_case, cases), options.seed)
    size = (folder / ARCHIVE).stat().st_size
    print(
        f"{folder}: {len(entries)} {kind} cases, {size / 1000:.0f} kB "
        f"({time.monotonic() - start:.1f} s)."
    )
    return 0


def _list(spec: Spec, secret: str | None) -> int:
    for case in draw_cases(spec, secret):
        params = " ".join(f"{key}={value}" for key, value in case.params.items())
        spec_case = case.spec
        what = f"{spec_case.task}  {spec_case.group:<12} {case.name:<36} {spec_case.op.name}"
        print(f"{what}  {params}")
    return 0


def _spec_files(stage: str | None, spec: Path | None) -> list[Path]:
    if spec is not None:
        return [spec]
    folders = stage_folders()
    if stage is not None:
        wanted = stage.zfill(2) if stage.isdigit() else stage
        chosen = [folder for folder in folders if wanted in (folder.name, folder.name[:2])]
        if not chosen:
            known = ", ".join(folder.name for folder in folders)
            raise UserError(f'there is no {SPEC} for stage "{stage}"; there are: {known}.')
        folders = chosen
    return [folder / SPEC for folder in folders]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="generate.py",
        description="Makes reference cases from specs, or checks those that are there.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--stage", metavar="N", help="number or name of a stage (default: all)")
    which.add_argument("--spec", type=Path, metavar="FILE", help="a spec file of your own")
    parser.add_argument(
        "--out", type=Path, metavar="DIR",
        help="folder of the cases (default: visible/<stage>, with --seed hidden/<stage>)",
    )  # fmt: skip
    secret = parser.add_mutually_exclusive_group()
    secret.add_argument("--seed", metavar="SECRET", help="make a hidden set: any word or number")
    secret.add_argument(
        "--seed-file", metavar="FILE",
        help="the same from a file of one line; from standard input if FILE is -, which asks "
        "without showing the answer if that is a terminal",
    )  # fmt: skip
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="compare with what is there")
    mode.add_argument("--list", action="store_true", help="name the cases and make nothing")
    return parser
