# SPDX-License-Identifier: MIT
"""From a folder of submissions, as Canvas, Moodle, Gradescope, GitHub Classroom or a person made
it, to who handed in what and when."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from .book import utc
from .errors import UsageError
from .gradescope_export import METADATA, read_metadata
from .roster import Roster, plain

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tar.zst")

# doejane_LATE_12345_678901_conv-2.zip: name, number of the person and of the file, its name.
_CANVAS = re.compile(r"^(?P<name>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_(?P<file>.+)$")
# Jane Doe_12345_assignsubmission_file_: a folder, or the beginning of a file's name.
_MOODLE = re.compile(
    r"^(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?P<kind>file|onlinetext)_(?P<file>.*)$"
)
# What systems and machines leave beside submissions.
_NOT_HANDED_IN = re.compile(r"^(\.|__MACOSX$|Thumbs\.db$|desktop\.ini$)", re.IGNORECASE)


@dataclass(frozen=True)
class HandedIn:
    login: str | None  # None: nobody in the roster
    claimed: str  # whose it is as its name says
    source: str  # how a report calls it
    parts: tuple[tuple[str, Path], ...]  # names, and the files and folders that have them
    handed_in: str  # UTC
    number: tuple[str, str] = ("", "")  # of the person, as the system calls them: (column, number)

    def sha256(self) -> str:
        """Of the content: of one archive its bytes, else of all paths and contents."""
        if len(self.parts) == 1 and self.parts[0][1].is_file():
            return _file_sha256(self.parts[0][1])
        whole = hashlib.sha256()
        for name, part in self.parts:
            files = sorted(p for p in part.rglob("*") if p.is_file()) if part.is_dir() else [part]
            for file in files:
                if ".git" in file.relative_to(part).parts:
                    continue
                inside = file.relative_to(part).as_posix() if part.is_dir() else ""
                whole.update(f"{name}/{inside}\0{_file_sha256(file)}\n".encode())
        return whole.hexdigest()


def _file_sha256(file: Path) -> str:
    with file.open("rb") as stream:
        digest = hashlib.sha256()
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def stem(name: str) -> str:
    """Without the ending of an archive: "conv.tar.gz" is "conv"."""
    ending = next((e for e in sorted(ARCHIVES, key=len)[::-1] if name.lower().endswith(e)), "")
    return name[: len(name) - len(ending)] if ending else name


def find_submissions(folder: Path, roster: Roster) -> list[HandedIn]:
    """All that lies in the folder, each with its owner. UsageError where there is nothing."""
    if not folder.is_dir():
        raise UsageError(f"There is no folder or zip {folder}.")
    if (folder / METADATA).is_file():
        found = _gradescope(folder, roster)
    else:
        entries = [p for p in sorted(folder.iterdir()) if not _NOT_HANDED_IN.match(p.name)]
        found = _by_names(entries, roster)
    if not found:
        raise UsageError(f"{folder} holds no submissions.")
    return found


def _by_names(entries: list[Path], roster: Roster) -> list[HandedIn]:
    together: dict[tuple[str, str, str], list[tuple[str, Path]]] = {}
    alone: list[HandedIn] = []
    slug = _assignment_of([p.name for p in entries if (p / ".git").exists()])
    for entry in entries:
        if moodle := _MOODLE.match(entry.name):
            if moodle["kind"] == "file":
                owner = (moodle["name"], moodle["id"], "moodle_id")
                together.setdefault(owner, []).extend(_moodle_parts(entry, moodle["file"]))
        elif (canvas := _CANVAS.match(entry.name)) and entry.is_file():
            owner = (canvas["name"], canvas["id"], "lms_id")
            together.setdefault(owner, []).append((canvas["file"], entry))
        elif entry.is_dir() or entry.name.lower().endswith(ARCHIVES):
            alone.append(_of_one_name(entry, slug, roster))
    for (name, number, system), parts in together.items():
        # A roster may call the number of either system lms_id.
        login = roster.find({system: number, "lms_id": number, "name": name})
        if not roster:
            login = f"{plain(name)}-{number}"
        alone.append(
            HandedIn(
                login,
                f"{name} ({number})",
                parts[0][1].name if len(parts) == 1 else f"{name} ({len(parts)} files)",
                tuple(sorted(parts)),
                _saved(*(p for _, p in parts)),
                (system, number),
            )
        )
    return alone


def _moodle_parts(entry: Path, rest: str) -> list[tuple[str, Path]]:
    if entry.is_file():
        return [(rest, entry)]
    return [(p.name, p) for p in sorted(entry.iterdir()) if not _NOT_HANDED_IN.match(p.name)]


def _of_one_name(entry: Path, slug: str, roster: Roster) -> HandedIn:
    """A repository of GitHub Classroom, or a name that begins with a login."""
    name = stem(entry.name)
    if (entry / ".git").exists():
        name = name.removeprefix(slug)
        login = roster.find({"github": name, "login": name})
    else:
        login = roster.find({"login": name, "email": name, "name": name})
        login = login or roster.login_at_the_front(name)
    if not roster:
        login = name
    return HandedIn(login, name, entry.name, ((entry.name, entry),), _saved(entry))


def _assignment_of(repositories: list[str]) -> str:
    """GitHub Classroom calls a repository ASSIGNMENT-USER: what all have in common, to a dash."""
    if len(repositories) < 2:
        return ""
    first, last = min(repositories), max(repositories)
    alike = [a == b for a, b in zip(first, last)]
    common = first[: [*alike, False].index(False)]
    return common[: common.rfind("-") + 1]


def _gradescope(folder: Path, roster: Roster) -> list[HandedIn]:
    found = []
    for name, submission in read_metadata(folder / METADATA).items():
        part = folder / name
        if not part.exists():
            continue
        for person in submission.people:
            email = person.get("email", "")
            login = roster.find(person | {"login": person.get("sid", "")})
            if not roster:
                login = email.split("@")[0] or plain(person.get("name", "")) or name
            claimed = email or person.get("name", "") or name
            found.append(
                HandedIn(login, claimed, name, ((name, part),), submission.created or _saved(part))
            )
    return found


def _saved(*parts: Path) -> str:
    """When the newest of the files was saved."""
    times = [
        file.stat().st_mtime
        for part in parts
        for file in ([part] if part.is_file() else part.rglob("*"))
        if file.is_file() and ".git" not in file.relative_to(part).parts
    ]
    return utc(datetime.fromtimestamp(max(times, default=0), timezone.utc))
