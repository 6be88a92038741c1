# SPDX-License-Identifier: MIT
"""Format and hygiene of the tracked files. Each failure lists the files and how to correct them."""

import os
import re
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LARGEST_FILE_BYTES = 256_000
LARGER_DATA = {  # pattern: why these files may be larger
    "reference_data/visible/*/cases.npz": "all visible cases of a stage are one archive",
}
CLANG_FORMAT_VERSIONS = ("14",)  # other versions break lines differently

# What may not be in the tree, by its first bytes: packages, archives and compiled files.
PACKED = {
    b"!<arch>": "a .deb package or a static library",
    b"\xed\xab\xee\xdb": "an .rpm package",
    b"PK\x03\x04": "a .zip archive or a .whl package",
    b"\x1f\x8b": "compressed by gzip",
    b"BZh": "compressed by bzip2",
    b"\xfd7zXZ": "compressed by xz",
    b"\x28\xb5\x2f\xfd": "compressed by zstd",
    b"7z\xbc\xaf": "a .7z archive",
    b"\x7fELF": "a compiled program, library or object",
}

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


def too_large(files: list[Path], root: Path) -> list[Path]:
    def is_listed(path: Path) -> bool:
        return any(path.relative_to(root).match(pattern) for pattern in LARGER_DATA)

    return [p for p in files if p.stat().st_size > LARGEST_FILE_BYTES and not is_listed(p)]


def test_no_large_file_is_kept():
    large = too_large(kit_files(), ROOT)
    assert not large, f"over {LARGEST_FILE_BYTES} bytes; generate or fetch them: {relative(large)}"


def test_a_large_file_is_found_if_it_is_not_listed(tmp_path):
    listed = tmp_path / "reference_data/visible/01_cpu_conv/cases.npz"
    files = [listed, listed.with_name("other.npz"), tmp_path / "cases.npz"]
    listed.parent.mkdir(parents=True)
    for file in files:
        file.write_bytes(bytes(LARGEST_FILE_BYTES + 1))
    assert too_large(files, tmp_path) == files[1:]


def packed(path: Path) -> str | None:
    """What the file is if it is a package, an archive or compiled."""
    with path.open("rb") as file:
        start = file.read(512)
    if path.suffix == ".npz":  # NumPy's own format is a .zip archive
        return None
    if start[257:262] == b"ustar":
        return "a .tar archive"
    return next((what for magic, what in PACKED.items() if start.startswith(magic)), None)


def test_no_package_and_no_compiled_file_is_kept():
    found = [f"{path.relative_to(ROOT)}: {what}" for path in kit_files() if (what := packed(path))]
    assert not found, "remove these files from the tree:\n" + "\n".join(found)


def test_a_package_is_known_by_its_first_bytes(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    archives = {
        name: tmp_path / f"archive{name}" for name in (".tar", ".tar.gz", ".tar.xz", ".whl")
    }
    for name, path in archives.items():
        if name == ".whl":
            with zipfile.ZipFile(path, "w") as file:
                file.write(tmp_path / "a.txt", "a.txt")
        else:
            with tarfile.open(path, "w:" + name[5:]) as file:
                file.add(tmp_path / "a.txt", "a.txt")
    deb = tmp_path / "kit.deb"
    deb.write_bytes(b"!<arch>\ndebian-binary   ")
    renamed = archives[".whl"].rename(tmp_path / "kit.txt")
    assert packed(archives[".tar"]) == "a .tar archive"
    assert packed(archives[".tar.gz"]) == "compressed by gzip"
    assert packed(archives[".tar.xz"]) == "compressed by xz"
    assert packed(deb) == "a .deb package or a static library"
    assert packed(renamed) == "a .zip archive or a .whl package"
    assert packed(tmp_path / "a.txt") is None


def is_code(path: Path) -> bool:
    """Whether people write the file as a program or a build script."""
    if path.name in ("CMakeLists.txt", "Dockerfile"):
        return True
    if path.suffix:
        return path.suffix in {".h", ".cpp", ".cu", ".cuh", ".def", ".map", ".cl"} | {
            ".py", ".sh", ".cmake", ".yml", ".yaml"}  # fmt: skip
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def test_every_file_of_code_names_its_licence():
    """In the first lines, behind what a shell or a generated file begins with."""
    without = []
    for path in kit_files():
        if is_code(path) and "fixtures" not in path.parts:  # fixtures are like students' files
            first = path.read_text(encoding="utf-8").split("\n", 3)[:3]
            if not any("SPDX-License-Identifier: MIT" in line for line in first):
                without.append(path)
    assert not without, f"begin them with SPDX-License-Identifier: MIT: {relative(without)}"


def test_pre_commit_uses_the_same_versions():
    """.pre-commit-config.yaml installs the formatters that the tests above accept."""
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    launcher = (ROOT / "launcher/tests.sh").read_text()
    ruff = re.search(r"\bversion=(\d+\.\d+\.\d+)", launcher)
    assert ruff and set(re.findall(r"\bruff==([\d.]+)", hooks)) == {ruff[1]}
    clang_format = re.findall(r"\bclang-format==(\d+)\.", hooks)
    assert clang_format and set(clang_format) <= set(CLANG_FORMAT_VERSIONS)


def test_hosted_ci_runs_what_ci_runs():
    """On each system that docs/install.md promises, and with no command besides .ci/run."""
    workflow = (ROOT / ".github/workflows/ci.yml").read_text()
    commands = re.findall(r"^ +(?:- )?run: (.*)$", workflow, re.M)
    assert commands == [".ci/run"]
    for system in ("ubuntu-22.04", "ubuntu-24.04", "debian:12"):
        assert system in workflow


def test_every_refused_call_of_the_cpu_devices_libraries_says_why():
    bare = re.compile(r"return CU(?:DNN|BLAS)_STATUS_(?:BAD_|NOT_|INVALID_|MAPPING_)")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder in ("cpu_device/blas", "cpu_device/dnn")
        for path in with_suffix(".cpp", ".h")
        if path.is_relative_to(ROOT / folder) and "tests" not in path.parts
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if bare.search(line)
    ]
    assert not found, f"give the reason with Refusal (refusal.h): {' '.join(found)}"
