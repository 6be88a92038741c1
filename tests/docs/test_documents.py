# SPDX-License-Identifier: MIT
"""Links between the documents lead somewhere, and their commands are commands."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONVKIT = Path(os.environ.get("CONVKIT_BINARY", ROOT / "build/default/bin/convkit"))
OF_THE_LAUNCHER = {"test", "--version"}  # what ./convkit answers itself


def documents() -> list[Path]:
    if shutil.which("git") and (ROOT / ".git").exists():
        command = ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"]
        listing = subprocess.run([*command, "*.md"], check=True, capture_output=True, text=True)
        found = [ROOT / name for name in listing.stdout.splitlines()]
    else:
        made = {"build", "work", ".convkit", "cache"}
        found = [p for p in ROOT.rglob("*.md") if not made & set(p.relative_to(ROOT).parts)]
    return [path for path in found if path.exists()]


def prose(text: str) -> str:
    """The text without its code, where brackets do not make links."""
    text = re.sub(r"^(```|~~~).*?^\1[ \t]*$", "", text, flags=re.M | re.S)
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "`code`", text)


def anchors(text: str) -> set[str]:
    """The fragments GitHub gives to a document's headings."""
    without_code = re.sub(r"^(```|~~~).*?^\1[ \t]*$", "", text, flags=re.M | re.S)
    found: set[str] = set(re.findall(r'<a (?:id|name)="([^"]+)"', without_code))
    for heading in re.findall(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$", without_code, re.M):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        number = 0
        while (unique := slug if number == 0 else f"{slug}-{number}") in found:
            number += 1
        found.add(unique)
    return found


def broken_links(document: Path) -> list[str]:
    text = document.read_text(encoding="utf-8")
    links = re.findall(r"\]\(<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\)", prose(text))
    links += re.findall(r'<(?:img|a)\b[^>]*?(?:src|href)="([^"]+)"', prose(text))
    broken = []
    for link in links:
        if re.match(r"[a-z][a-z0-9+.-]*:", link):
            continue  # a web address: a test must not depend on it
        path, _, fragment = unquote(link).partition("#")
        target = document.parent / path if path else document
        missing = not target.exists()
        if not missing and fragment and target.suffix == ".md":
            missing = fragment not in anchors(target.read_text(encoding="utf-8"))
        if missing:
            broken.append(link)
    return broken


def commands(document: Path) -> Iterator[str]:
    """The command and options after ./convkit, for each line of the document's shell blocks."""
    text = document.read_text(encoding="utf-8")
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S):
        for line in block.splitlines():
            typed = re.sub(r"\s#.*", "", line)
            if found := re.search(r"(?:^|\s)\./convkit\s+(.+)", typed):
                yield found[1]


@cache
def help_of(*command: str) -> str | None:
    done = subprocess.run([CONVKIT, *command, "--help"], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


@pytest.mark.parametrize("document", documents(), ids=lambda p: str(p.relative_to(ROOT)))
def test_every_internal_link_leads_somewhere(document):
    assert broken_links(document) == []


def test_a_broken_link_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# A `b`, c!\n[x](page.md#a-b-c) [y](#nowhere) [z](gone.md) `[k](code)`\n")
    assert broken_links(page) == ["#nowhere", "gone.md"]


@pytest.mark.parametrize("document", documents(), ids=lambda p: str(p.relative_to(ROOT)))
def test_every_command_shown_exists_with_its_options(document):
    if not CONVKIT.exists():
        pytest.skip(f"{CONVKIT.name} is not built")
    unknown = []
    for line in commands(document):
        command, *words = line.split()
        if command in OF_THE_LAUNCHER:
            continue
        # `class` has commands of its own, each with its options.
        explained = help_of(command, *words[: command == "class"])
        options = [word for word in words if re.match(r"--?[a-z]", word)]
        if explained is None or any(
            not re.search(rf"(?<![\w-]){re.escape(o)}(?![\w-])", explained) for o in options
        ):
            unknown.append(line)
    assert unknown == []


def test_the_documents_show_commands():
    assert len(list(commands(ROOT / "README.md"))) >= 8


def test_the_changelog_begins_with_the_version_of_the_kit():
    """In the form of Keep a Changelog, newest version first; before it, what has none yet."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    text = text.replace("\n## [Unreleased]\n", "\n", 1)
    versions = re.findall(r"^## \[(\d+)\.(\d+)\.(\d+)\] - \d{4}-\d\d-\d\d$", text, re.M)
    assert len(versions) == len(re.findall(r"^## ", text, re.M)), "a heading names no version"
    assert ".".join(versions[0]) == (ROOT / "VERSION").read_text().strip()
    numbers = [tuple(map(int, version)) for version in versions]
    assert numbers == sorted(set(numbers), reverse=True)
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.+)$", text, re.M)) <= kinds


def test_every_document_is_listed():
    """docs/README.md leads to every document, itself or through one that it lists. Copies that the
    program writes (the students' README, skeletons) are no documents of this tree."""
    reached, waiting = set(), [ROOT / "docs/README.md", ROOT / "README.md"]
    while waiting:
        document = waiting.pop()
        if document in reached or document.suffix != ".md" or not document.exists():
            continue
        reached.add(document)
        for link in re.findall(r"\]\(<?([^)>\s#]+)", prose(document.read_text(encoding="utf-8"))):
            target = (document.parent / unquote(link)).resolve()
            waiting.append(target / "README.md" if target.is_dir() else target)
    written_out = {"students_copy", "templates"}
    missing = [d for d in documents() if d not in reached and not written_out & set(d.parts)]
    names = ", ".join(str(d.relative_to(ROOT)) for d in missing)
    assert not missing, f"no document leads to these; link them in docs/README.md: {names}"
