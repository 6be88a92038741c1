# SPDX-License-Identifier: MIT
"""Format and hygiene of the tracked files. Each failure lists the files and how to correct them."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LARGEST_FILE_BYTES = 1_000_000
CLANG_FORMAT_VERSIONS = ("14",)  # other versions break lines differently

# Folders that exist on one machine only. Written in parts, because this file is checked, too.
MACHINE_FOLDERS = "|".join(["home", "work", "Users"])
MACHINE_PATH = re.compile(rf"(?<![\w.$}}{{~*-])/({MACHINE_FOLDERS})/[A-Za-z_][\w.-]*")
PLACEHOLDERS = {"you", "user", "student", "me"}


def kit_files() -> list[Path]:
    """Tracked files and new ones that git does not ignore; without git, all files."""
    if shutil.which("git") and (ROOT / ".git").exists():
        listing = subprocess.run(
            ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
        paths = [ROOT / name for name in listing.split("\0") if name]
    else:
        made = {"build", "work", ".convkit", "cache", "__pycache__"}
        paths = [path for path in ROOT.rglob("*") if not made & set(path.relative_to(ROOT).parts)]
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def with_suffix(*suffixes: str) -> list[Path]:
    return [path for path in kit_files() if path.suffix in suffixes]


def relative(paths: list[Path]) -> str:
    return " ".join(str(path.relative_to(ROOT)) for path in paths)


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{Path(name).name} is not installed")
    return found


def run(*command: str | Path) -> subprocess.CompletedProcess:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_cpp_files_are_formatted():
    clang_format = tool("clang-format")
    version = re.search(r"version (\d+)", run(clang_format, "--version").stdout)
    if version is None or version[1] not in CLANG_FORMAT_VERSIONS:
        pytest.skip(f"clang-format {version[1] if version else '?'} formats differently from 14")
    # Fixtures keep the format in which students write.
    files = [p for p in with_suffix(".h", ".cpp", ".cu", ".cuh") if "fixtures" not in p.parts]
    said = run(clang_format, "--dry-run", "-Werror", *files).stderr
    bad = sorted({ROOT / name for name in re.findall(r"^(.+?):\d+:\d+: error:", said, re.M)})
    assert not bad, f"format them with: clang-format -i {relative(bad)}"


def test_catch2_finds_every_test_case_by_its_name():
    """CTest starts a case by its name, and for Catch2 3 a quotation mark ends the name."""
    quoted = re.compile(r'TEST_CASE\(\s*"[^"]*\\"')
    bad = [path for path in with_suffix(".cpp") if quoted.search(path.read_text())]
    assert not bad, f"test cases with a quotation mark in their name: {relative(bad)}"


def test_python_files_pass_ruff():
    ruff = tool(os.environ.get("CONVKIT_RUFF", "ruff"))  # the launcher's is of a fixed version
    files = with_suffix(".py")
    problems = run(ruff, "check", "--no-cache", "--quiet", *files)
    assert problems.returncode == 0, f"correct what ruff found:\n{problems.stdout}"
    unformatted = run(ruff, "format", "--no-cache", "--check", *files)
    assert unformatted.returncode == 0, f"format them with: ruff format .\n{unformatted.stdout}"


def test_shell_scripts_pass_shellcheck():
    shellcheck = tool("shellcheck")
    scripts = []
    for path in kit_files():
        # The launcher's parts are read through the launcher, which gives them their variables.
        if path.parent.name == "launcher" and path.suffix == ".sh":
            continue
        with path.open("rb") as file:
            if re.match(rb"#!.*\b(ba)?sh\b", file.readline()):
                scripts.append(path)
    assert ROOT / "convkit" in scripts
    problems = run(shellcheck, "-x", *scripts)
    assert problems.returncode == 0, problems.stdout


def test_no_file_names_a_folder_of_one_machine():
    found = []
    for path in kit_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # not text
        for number, line in enumerate(text.splitlines(), 1):
            for match in MACHINE_PATH.finditer(line):
                if match[0].split("/")[2] not in PLACEHOLDERS:
                    found.append(f"{path.relative_to(ROOT)}:{number}: {match[0]}")
    assert not found, "make these paths relative:\n" + "\n".join(found)


def test_no_large_file_is_kept():
    large = [path for path in kit_files() if path.stat().st_size > LARGEST_FILE_BYTES]
    assert not large, f"over {LARGEST_FILE_BYTES} bytes; generate or fetch them: {relative(large)}"
