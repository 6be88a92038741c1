# SPDX-License-Identifier: MIT
"""What a program, or a submission, could leave on the machine: processes, files, shared memory."""

import ctypes
import os
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
# Files that an entry tries to leave have this in their names.
MARK = "convkit_corpus"


def adopt_orphans() -> None:
    """From now on, a process whose parent has ended becomes a child of this one, and is seen."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants() -> dict[int, str]:
    """The command lines of living processes that this one or a descendant of it has started."""
    started: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:  # it has just ended
            continue
        if state != "Z":
            started.setdefault(int(parent), []).append(int(entry.name))
    found, to_visit = {}, [os.getpid()]
    while to_visit:
        for process in started.get(to_visit.pop(), []):
            try:
                line = Path(f"/proc/{process}/cmdline").read_bytes()
            except OSError:
                continue
            found[process] = line.replace(b"\0", b" ").decode(errors="replace").strip()
            to_visit.append(process)
    return found


def files() -> set[str]:
    """Files with the mark, where everybody may write, and all System V objects."""
    found = {
        str(path)
        for folder in ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue")
        for path in Path(folder).glob(f"*{MARK}*")
    }
    for kind in ("shm", "msg", "sem"):
        table = Path("/proc/sysvipc") / kind
        lines = table.read_text().splitlines()[1:] if table.exists() else []
        found |= {f"{kind} {line.split()[1]}" for line in lines}
    return found
