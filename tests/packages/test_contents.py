# SPDX-License-Identifier: MIT
"""What is in the packages, and what it needs of the machine."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from packages import ENDINGS, package  # isort: skip
from driver import ROOT
from kept_back import KEPT_BACK, files_with_lines_of_solutions, unlisted

MOST_BYTES = 12_000_000
# Ubuntu 22.04's; CXXABI and GCC are of the same g++ 12 as GLIBCXX.
NEWEST = {"GLIBC": (2, 35), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12, 0, 0)}
OF_THE_SYSTEM = {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1"}
OF_THE_SYSTEM |= {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
# Opened when a program starts and done without if it is missing, with what it needs.
OPTIONAL = {"libconvkit_simt_onednn.so": r"libdnnl\.so\.\d+"}
KINDS = sorted(ENDINGS)


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def elf_files(folder: Path) -> list[Path]:
    return [path for path in files(folder) if path.read_bytes()[:4] == b"\x7fELF"]


def readelf(*words: str | Path) -> str:
    if not shutil.which("readelf"):
        pytest.skip("readelf is not installed")
    return subprocess.run(
        ["readelf", "-W", *words], check=True, capture_output=True, text=True
    ).stdout


@pytest.mark.parametrize("kind", KINDS)
def test_a_package_is_small(kind):
    assert package(kind).stat().st_size <= MOST_BYTES


@pytest.mark.parametrize("kind", KINDS)
def test_one_program_holds_the_grader(unpacked, kind):
    names = {program.name for program in elf_files(unpacked(kind))}
    assert {name for name in names if name.startswith("convkit")} == {"convkit", "convkit-confine"}


@pytest.mark.parametrize("kind", KINDS)
def test_no_program_needs_a_newer_system(unpacked, kind):
    programs = elf_files(unpacked(kind))
    assert len(programs) > 20
    too_new, found = [], set()
    for program in programs:
        for name, version in re.findall(r"@@?([A-Z]+)_([\d.]+)", readelf("--dyn-syms", program)):
            found.add(name)
            if name in NEWEST and tuple(map(int, version.split("."))) > NEWEST[name]:
                too_new.append(f"{program.name}: {name}_{version}")
    assert {"GLIBC", "GLIBCXX"} <= found
    assert too_new == []


@pytest.mark.parametrize("kind", KINDS)
def test_programs_are_for_the_processor_that_the_package_names(unpacked, kind):
    machine = "AArch64" if re.search(r"aarch64|arm64", package(kind).name) else "X86-64"
    for program in elf_files(unpacked(kind)):
        assert re.search(rf"Machine: .*{machine}\n", readelf("-h", program)), program.name


@pytest.mark.parametrize("kind", KINDS)
def test_programs_need_only_libraries_that_every_system_has(unpacked, kind):
    missing = []
    programs = elf_files(unpacked(kind))
    own = {program.name for program in programs}
    for program in programs:
        for library in re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("-d", program)):
            optional = OPTIONAL.get(program.name)
            if library in OF_THE_SYSTEM | own or (optional and re.fullmatch(optional, library)):
                continue
            missing.append(f"{program.name} needs {library}")
    assert missing == []


@pytest.mark.parametrize("kind", KINDS)
def test_programs_are_stripped_and_find_their_libraries_beside_them(unpacked, kind):
    for program in elf_files(unpacked(kind)):
        assert ".symtab" not in readelf("-S", program), program.name
        paths = re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", readelf("-d", program))
        assert set(paths) <= {"$ORIGIN"}, program.name


@pytest.mark.parametrize("kind", KINDS)
def test_no_file_names_a_folder_of_the_machine_that_built_it(unpacked, kind):
    named = {str(ROOT), str(Path.home())} - {"/", "/root"}
    folders = [f"{name}/".encode() for name in sorted(named)]
    assert folders
    folder = unpacked(kind)
    found = [f"{path.relative_to(folder)} names {name.decode()}" for path in files(folder)
             for name in folders if name in path.read_bytes()]  # fmt: skip
    assert found == []


def test_the_wheel_holds_nothing_that_students_do_not_get(unpacked):
    kit = unpacked("wheel") / "convkit/kit"
    names = [str(path.relative_to(kit)) for path in files(kit)]
    assert len(names) > 300
    assert [name for name in names if KEPT_BACK & set(Path(name).parts)] == []
    assert unlisted(files_with_lines_of_solutions(kit, names)) == []


@pytest.mark.parametrize(("kind", "kit"), [("archive", "convkit"), ("debian", "usr/lib/convkit")])
def test_the_instructors_packages_hold_the_solutions_and_no_hidden_cases(unpacked, kind, kit):
    kit = unpacked(kind) / kit
    for stage in (ROOT / "solutions").iterdir():
        assert (kit / "solutions" / stage.name).is_dir()
        assert any((kit / "assignments" / stage.name / "wrong").iterdir())
    names = {part for path in files(kit) for part in path.relative_to(kit).parts}
    assert not names & {"hidden", "mistakes", "tests"}


def test_the_debian_package_says_what_it_needs():
    if not shutil.which("dpkg-deb"):
        pytest.skip("dpkg-deb is not installed")
    fields = subprocess.run(
        ["dpkg-deb", "-f", package("debian")], check=True, capture_output=True, text=True
    ).stdout
    version = (ROOT / "VERSION").read_text().strip()
    assert f"Version: {version}\n" in fields
    needs = re.search(r"^Depends: (.*)", fields, re.M)[1]
    assert "libc6 (>= 2.35)" in needs and "libstdc++6 (>= 12)" in needs and "g++" in needs
