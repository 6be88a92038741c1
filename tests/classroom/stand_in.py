# SPDX-License-Identifier: MIT
"""Stands in for `convkit grade`: grades a file that holds JSON, such as
{"points": 80, "sleep": 0, "until": "file", "do": "crash", "untimed": true, "stage": {...}}. With
`until` it ends when the file is there; after Ctrl-C it ends `late` seconds later. OTHERWISE in the
environment changes what all files say, as another machine would. It keeps a list of its calls, and
a journal that it locks, as `grade` does."""

import fcntl
import hashlib
import json
import os
import signal
import sys
import time
from pathlib import Path

WORDS = sys.argv[1:]
DEPENDS = json.loads(os.environ.get("DEPENDS", "{}"))
OTHERWISE = json.loads(os.environ.get("OTHERWISE", "{}"))
KEPT = {"points": 0}  # of the earlier result


def remember_call() -> None:
    with Path(os.environ["CALLS"]).open("a") as calls:
        calls.write(json.dumps(WORDS) + "\n")


def remember_when(began: float) -> None:
    """For tests on a cluster: node, user, beginning and end."""
    if "WHEN" in os.environ:
        node = os.environ.get("SLURMD_NODENAME")
        with Path(os.environ["WHEN"]).open("a") as when:
            when.write(json.dumps([node, os.getuid(), began, time.time(), WORDS]) + "\n")


def result(told: dict, gpu: bool, ended: bool, measured: bool) -> dict:
    points = told["gpu_points" if gpu and "gpu_points" in told else "points"]
    status = "PASS" if points == 80 else "WRONG"
    case = {"name": "one", "group": "all", "op": "f", "status": status, "hidden": False}
    if "mistake" in told:
        case["mistake"] = told["mistake"]
    pending = 0 if measured else 20
    speed = {"name": "fast", "title": "large", "points": 20 - pending, "pending_points": pending}
    speed["status"] = "PASS" if measured else "PENDING"
    if measured:
        speed["ratio"] = {"median": told.get("ratio", 2)}
    stage = {
        "id": "01_cpu_conv",
        "status": status,
        "points": points + speed["points"],
        "max_points": 100,
        "pending_points": pending,
        "groups": [{"name": "all", "points": points, "max_points": 80}],
        "cases": [case],
        "speed": [speed],
    } | told.get("stage", {})
    nonce = "b" * 64
    if "--nonce" in WORDS:
        nonce = json.loads(Path(WORDS[WORDS.index("--nonce") + 1]).read_text())["nonce"]
    return {
        "kit_version": told.get("kit", "0"),
        "device": "H200" if gpu else "cpu",
        "sandbox": told.get("sandbox", "none"),
        "nonce": nonce,
        "submission": {"name": Path(WORDS[1]).name, "sha256": sha256_of(Path(WORDS[1]))},
        "points": stage["points"],
        "max_points": 100,
        "pending_points": pending,
        "interrupted": not ended,
        "depends": DEPENDS,
        "choices": {"hidden": True},
        "fingerprints": {},
        "kept_points": KEPT["points"],
        "stages": [stage],
    }


def sha256_of(submission: Path) -> str:
    return hashlib.sha256(submission.read_bytes()).hexdigest()


def grade(submission: Path, out: Path) -> int:
    told = json.loads(submission.read_text()) | OTHERWISE
    if "--nonce" in WORDS:
        kept = json.loads(Path(WORDS[WORDS.index("--nonce") + 1]).read_text())
        if kept["submission"]["sha256"] != sha256_of(submission):
            print("--nonce is of another submission.")
            return 2
    if "--keep-verdicts" in WORDS:
        KEPT.update(json.loads(Path(WORDS[WORDS.index("--keep-verdicts") + 1]).read_text()))
    gpu = WORDS[WORDS.index("--device") + 1] == "gpu"
    journal = out.with_suffix(".json.journal")

    def write(ended: bool, measured: bool) -> None:
        unfinished = out.with_suffix(".part")
        unfinished.write_text(json.dumps(result(told, gpu, ended, measured)))
        unfinished.replace(out)

    def interrupted(*_) -> None:
        time.sleep(told.get("late", 0))
        write(False, False)
        sys.exit(130)

    signal.signal(signal.SIGINT, interrupted)
    if told.get("do") == "crash":
        print("GRADER_ERROR  it broke")
        return 3
    locked = journal.open("a+")
    try:
        fcntl.flock(locked, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"{journal} is in use by another grading.")
        return 2
    if "--resume" in WORDS and journal.read_text() not in ("", str("--no-speed" in WORDS)):
        print("It was started with another kit, so it cannot be resumed.")
        return 2
    write(False, False)
    journal.write_text(str("--no-speed" in WORDS))
    began = time.time()
    if "--resume" in WORDS:
        time.sleep(told.get("timing_sleep", 0))
    else:
        time.sleep(told.get("sleep", 0))
        while not Path(told.get("until", "/")).exists():
            time.sleep(0.02)
    remember_when(began)
    later = "--speed-later" in WORDS and told.get("untimed", False)
    write(True, told.get("untimed", False) and not later and "--no-speed" not in WORDS)
    if not later:
        journal.unlink()
    return 1


if __name__ == "__main__":
    remember_call()
    if WORDS[0] == "doctor":
        print(json.dumps(DEPENDS))
        sys.exit(0)
    sys.exit(grade(Path(WORDS[1]), Path(WORDS[WORDS.index("--json") + 1])))
