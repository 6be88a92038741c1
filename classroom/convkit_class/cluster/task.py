# SPDX-License-Identifier: MIT
"""What a node runs: one task of an array, which is one `convkit grade`.

A copy of this file lies in the run's folder (run_folder.py), so a node needs the kit's program and
a Python 3.6, nothing else. All that an attempt writes lies in a folder of its own. The folder gets
its last name by one rename when the grading has ended, so a result is there as a whole or not at
all, also where a lost node and the one that does its work again write at the same time."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

CANNOT_WRITE = 97
INTERRUPTED = 130
KEPT = ("result.json", "result.json.journal")


def main(folder: Path, index: str) -> int:
    manifest = json.loads((folder / "manifest.json").read_text())
    result = folder / "results" / index
    if result.exists() or (folder / "given_up").exists():
        return 0
    task = manifest["tasks"][int(index)]
    began = time.time()
    attempt = folder / "attempts" / f"{index}.{began:.6f}.{os.getpid()}"
    attempt.mkdir()
    node = os.environ.get("SLURMD_NODENAME") or socket.gethostname()
    (attempt / "node").write_text(node)
    environment = {**os.environ, **manifest["environment"]}
    if not Path(environment.get("TMPDIR", "/")).is_dir():
        del environment["TMPDIR"]  # the head's, which this node does not have
    submission = folder / "submissions" / index / task["name"]
    command = [manifest["program"], "grade", str(submission), *task["words"]]
    command += ["--json", str(attempt / "result.json")]
    earlier = folder / "earlier" / f"{index}.json"
    # A journal has already what was kept of an earlier result.
    from_the_start = command + (["--keep-verdicts", str(earlier)] if earlier.exists() else [])
    resumes = copy_journal(folder, index, attempt)
    words = [*command, "--resume"] if resumes else from_the_start
    code = run(words, environment, attempt / "printed.txt")
    if resumes and code == 2:  # the journal is of a node with another compiler or device
        for name in KEPT:
            with contextlib.suppress(FileNotFoundError):
                (attempt / name).unlink()
        code = run(from_the_start, environment, attempt / "printed.txt")
    if code == INTERRUPTED:
        return INTERRUPTED
    end = {"exit_code": code, "seconds": time.time() - began, "node": node}
    (attempt / "end.json").write_text(json.dumps(end))
    try:
        attempt.rename(result)
    except OSError:
        if not result.exists():  # else another attempt has ended before this one
            raise
    return 0


def newest_attempt(folder: Path, index: str) -> "Path | None":
    """That of the task which has got a journal last."""
    found = list((folder / "attempts").glob(f"{index}.*/result.json.journal"))
    found.sort(key=lambda journal: float(journal.parent.name.split(".", 1)[1].rsplit(".", 1)[0]))
    return found[-1].parent if found else None


def copy_journal(folder: Path, index: str, attempt: Path) -> bool:
    """The journal of an attempt before this one, or that which the head has sent."""
    earlier = newest_attempt(folder, index) or folder / "before" / index
    if not (earlier / "result.json.journal").exists():
        return False
    for name in KEPT:
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(str(earlier / name), str(attempt / name))
    return True


def run(command: list, environment: dict, printed: Path) -> int:
    with printed.open("w") as out:
        try:
            process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out
            )
        except OSError as error:
            out.write(f"{command[0]} cannot be started: {error.strerror}.\n")
            return 127
    ended = False

    def end(*_: object) -> None:
        nonlocal ended
        ended = True
        process.send_signal(signal.SIGINT)  # it closes its journal

    signal.signal(signal.SIGTERM, end)
    code = process.wait()
    # Slurm ends all processes of a task at the same time, so `grade` may have got it first.
    return INTERRUPTED if ended or code == -signal.SIGTERM else code


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1]), os.environ["SLURM_ARRAY_TASK_ID"]))
    except OSError as error:
        print(error, file=sys.stderr)
        sys.exit(CANNOT_WRITE)
