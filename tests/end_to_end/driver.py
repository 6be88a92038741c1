# SPDX-License-Identifier: MIT
"""Drives the real convkit binary, as a user at a shell would."""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from leftovers import descendants

ROOT = Path(__file__).resolve().parents[2]
STAGE = "01_cpu_conv"
SOLUTION = ROOT / "solutions" / STAGE
STAGE_FILE = f"assignments/{STAGE}/stage.toml"
PASSED, FALLS_SHORT, USED_WRONGLY, GRADER_FAILED, INTERRUPTED = 0, 1, 2, 3, 130


@dataclass
class Ran:
    code: int
    out: str
    err: str
    result: dict = field(default_factory=dict)  # the JSON result, where one was written

    @property
    def stage(self) -> dict:
        return self.result["stages"][0]

    def case(self, name: str) -> dict:
        return next(case for case in self.stage["cases"] if case["name"] == name)

    def cases_of(self, op: str) -> list[dict]:
        return [case for case in self.stage["cases"] if case["op"] == op]

    def statuses(self) -> set[str]:
        return {case["status"] for case in self.stage["cases"]}


def begin_with(compiled: str | None, cache: Path) -> None:
    """A cache begins with what tests/kit has compiled in the same `./convkit test`, if it has: an
    object's name is a hash of all that went into it."""
    if compiled and Path(compiled).is_dir():
        shutil.copytree(compiled, cache, copy_function=_link_or_copy, dirs_exist_ok=True)


def _link_or_copy(file: str, copy: str) -> None:
    try:
        os.link(file, copy)
    except OSError:  # on another disk
        shutil.copy2(file, copy)


class Convkit:
    """One user: a work folder and a folder for temporary files of their own."""

    def __init__(self, home: Path, cache: Path):
        self.binary = Path(os.environ["CONVKIT_BINARY"])
        self.home = home
        self.work = home / "work"
        self.temporary = home / "tmp"
        self.temporary.mkdir(parents=True)
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("CONVKIT_")}
        self.tries_changes = False  # `check`, by itself: for 20 s where it knows no cause
        for name in ("NO_COLOR", "CXX"):
            inherited.pop(name, None)
        self.environment = inherited | {
            "CONVKIT_ROOT": str(ROOT),
            "CONVKIT_WORK": str(self.work),
            "CONVKIT_CACHE": str(cache),
            "CONVKIT_PYTHON": os.environ.get("CONVKIT_PYTHON", "python3"),
            "HOME": str(home),
            "TMPDIR": str(self.temporary),
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm",
        }

    def start(self, *arguments: object, **options) -> subprocess.Popen:
        words = [str(argument) for argument in arguments]
        if "check" in words[:1] and "--mend" not in words and not self.tries_changes:
            words.insert(1, "--no-mend")
        return subprocess.Popen(
            [self.binary, *words],
            env=self.environment | options.pop("env", {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
            cwd=options.pop("cwd", self.home),
            **options,
        )

    def run(self, *arguments: object, timeout: float = 60, **options) -> Ran:
        process = self.start(*arguments, **options)
        try:
            out, err = process.communicate(timeout=timeout)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise
        return Ran(process.returncode, out, err)

    def judge(self, *arguments: object, **options) -> Ran:
        """Runs `grade` or `check` and reads the result it wrote."""
        file = self.home / "result.json"
        file.unlink(missing_ok=True)
        ran = self.run(*arguments, "--json", file, **options)
        if file.exists():
            ran.result = json.loads(file.read_text())
        return ran

    def grade(self, submission: Path, *arguments: object, speed: bool = False, **options) -> Ran:
        return self.judge(
            "grade", submission, *arguments, *([] if speed else ["--no-speed"]), **options
        )

    def left_behind(self) -> list[str]:
        """Files in the temporary folder, and command lines of what this test session started."""
        return [str(path) for path in self.temporary.iterdir()] + list(descendants().values())


class Terminal:
    """A convkit that believes it runs in a terminal."""

    def __init__(self, convkit: Convkit, *arguments: object, env: dict[str, str] | None = None):
        self.seen = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(convkit.home)
            os.execve(
                convkit.binary,
                [str(convkit.binary), *map(str, arguments)],
                convkit.environment | (env or {}),
            )

    def read(self, seconds: float) -> bool:
        """Reads what was printed; False when no more output can follow."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:  # the other end is closed
            return False
        self.seen += data.decode(errors="replace")
        return bool(data)

    def wait_for(self, pattern: str, seconds: float = 30) -> str:
        """Everything up to the end of the first match; the rest is kept for the next wait."""
        deadline = time.monotonic() + seconds
        while not (match := re.search(pattern, self.seen, re.DOTALL)):
            assert time.monotonic() < deadline, f"{pattern!r} was not printed: {self.seen}"
            alive = self.read(0.2)
            assert alive or re.search(pattern, self.seen, re.DOTALL), self.seen
        before, self.seen = self.seen[: match.end()], self.seen[match.end() :]
        return before

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def press_ctrl_c(self) -> None:
        os.write(self.fd, b"\x03")

    def end(self) -> int:
        while self.read(30):
            pass
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def replace_body(text: str, function: str, body: str) -> str:
    """The source with the body of one function of a solution replaced."""
    pattern = rf"(void {function}\([^{{]*\{{\n).*?(^\}}\n)"
    changed, count = re.subn(
        pattern, lambda m: m[1] + body + "\n" + m[2], text, flags=re.DOTALL | re.MULTILINE
    )
    assert count == 1, f"{function} must be defined exactly once"
    return changed


def submission(folder: Path, changes: dict[str, str | bytes | None] | None = None) -> Path:
    """The solution as a student's folder, with some files replaced, added or (None) removed."""
    stage = folder / STAGE
    shutil.copytree(SOLUTION, stage)
    for name, content in (changes or {}).items():
        file = stage / name
        if content is None:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def changed(file: str, function: str, body: str, prelude: str = "") -> dict[str, str | bytes]:
    """`submission()`'s changes: one function of one file of the solution with another body."""
    text = (SOLUTION / file).read_text()
    return {file: prelude + replace_body(text, function, body)}


def kit_copy(folder: Path, edits: list[tuple[str, str, str]] = ()) -> Path:
    """A checkout that a test may change: links to the real one, with copies of assignments and
    reference data.

    `edits`: (file, pattern, replacement), each of which must match.
    """
    for part in ROOT.iterdir():
        if part.name in ("VERSION", "cpu_device", "runtime", "solutions", "starter"):
            (folder / part.name).symlink_to(part)
    for part in ("assignments", "reference_data/visible"):
        shutil.copytree(ROOT / part, folder / part)
    for file, pattern, replacement in edits:
        path = folder / file
        text, count = re.subn(pattern, replacement, path.read_text(), flags=re.MULTILINE)
        assert count > 0, f"{pattern} is not in {file}"
        path.write_text(text)
    return folder


def leave_out_cases(kit: Path, stage: str, of_each: int = 2) -> None:
    """In a copy of the kit, leaves that many visible cases of each operation in each group."""
    leave_out_of(kit / "reference_data/visible" / stage, of_each)


def leave_out_of(cases: Path, of_each: int = 2) -> None:
    manifest = cases / "manifest.json"
    content = json.loads(manifest.read_text())
    kept: Counter[tuple[str, str]] = Counter()
    few = []
    for case in content["cases"]:
        kept[case["op"], case["group"]] += 1
        if kept[case["op"], case["group"]] <= of_each:
            few.append(case)
    manifest.write_text(json.dumps(content | {"cases": few}))


def one_small_shape(none: float, full: float) -> tuple[str, str, str]:
    """`kit_copy()`'s edit: the stage times one shape only, which takes little time."""
    shape = f"""
[[speed]]
name = "small"
title = "2x8x24x24 -> 16, 3x3, pad 1"
op = "conv2d_fast"
points = 20
none = {none}
full = {full}
terms = 73
flop = 2654208
params = {{n = 2, c = 8, h = 24, w = 24, m = 16, kh = 3, kw = 3, pad_h = 1, pad_w = 1, \
stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1, groups = 1}}
inputs = {{x = [2, 8, 24, 24], w = [16, 8, 3, 3], b = [16]}}
output = {{y = [2, 16, 24, 24]}}
"""
    return STAGE_FILE, r"^\[\[speed\]\][\s\S]*", shape
