# SPDX-License-Identifier: MIT
"""The installed CPU device: another CMake project finds it, wherever it was moved to."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("CONVKIT_BINARY", ROOT / "build/dev/bin/convkit")).parents[1]
PROJECT = Path(__file__).parent / "project"


def run(*command: object, **more) -> str:
    words = [str(word) for word in command]
    limit = 300 * int(os.environ.get("CONVKIT_TIME_SCALE", 1))
    done = subprocess.run(words, capture_output=True, text=True, timeout=limit, **more)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


@pytest.fixture(scope="session")
def prefix(tmp_path_factory) -> Path:
    """Installed in one place, used in another, whose name has a space. (Ninja takes no quotation
    mark in the names of headers.)"""
    folder = tmp_path_factory.mktemp("package")
    installed, moved = folder / "installed", folder / "Zoë programs"
    command = ["cmake", "--install", BUILD, "--component", "cpu_device", "--prefix"]
    run(*command, installed)
    installed.rename(moved)
    return moved


class Project:
    """A copy of project/, configured against the package."""

    def __init__(self, folder: Path, prefix: Path, *options: str):
        shutil.copytree(PROJECT, folder)
        self.folder, self.build = folder, folder / "build"
        environment = {k: v for k, v in os.environ.items() if k != "CXXFLAGS"}
        self.environment = environment | {"CONVKIT_CACHE": str(folder / "cache")}
        found = f"-DCMAKE_PREFIX_PATH={prefix}"
        run("cmake", "-G", "Ninja", "-S", folder, "-B", self.build, found, *options)
        self.make()

    def make(self) -> str:
        return run("cmake", "--build", self.build, env=self.environment)


@pytest.fixture(scope="session")
def plain(prefix, tmp_path_factory) -> Project:
    return Project(tmp_path_factory.mktemp("plain") / "a project", prefix)


@pytest.fixture(scope="session")
def checked(prefix, tmp_path_factory) -> Project:
    return Project(tmp_path_factory.mktemp("checked") / "a project", prefix, "-DCHECK=ON")


def test_no_text_names_the_folder_where_it_was_built(prefix):
    # The checkout may be /convkit, and ./convkit is not in it.
    named = re.compile(rf"(?<![\w.])({re.escape(str(ROOT))}|{re.escape(str(BUILD))})\b|/installed")
    for path in prefix.rglob("*"):
        if path.suffix in {".cmake", ".h", ".md"}:
            assert not named.search(path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize("mode", ["plain", "checked"])
def test_a_program_runs(mode, request):
    project = request.getfixturevalue(mode)
    printed = run(project.build / "vector_add")
    assert printed == "adding on 2 blocks\n0 2 4 6 8 10 12 14 cudaSuccess\n"


@pytest.mark.parametrize("mode", ["plain", "checked"])
def test_a_library_uses_cublas(mode, request):
    project = request.getfixturevalue(mode)
    assert run(project.build / "call_axpy") == "7 on 1 device\n"


def line_of(file: str, text: str) -> str:
    lines = (PROJECT / file).read_text().splitlines()
    return f"{Path(file).name}:{next(i for i, line in enumerate(lines, 1) if text in line)}"


def test_check_mode_names_the_lines_of_a_fault(checked):
    done = subprocess.run([checked.build / "vector_add", "1"], capture_output=True, text=True)
    assert "out_of_bounds_global" in done.stderr
    assert f"reads 4 bytes at {line_of('include/add.cuh', 'z[i] =')}," in done.stderr
    assert f"made at {line_of('vector_add.cu', 'cudaMalloc(&x')})" in done.stderr


def test_a_changed_header_is_compiled_again(prefix, tmp_path):
    project = Project(tmp_path / "a project", prefix)
    header = project.folder / "include/add.cuh"
    header.write_text(header.read_text().replace("x[i] + y[i]", "x[i] + 10 * y[i]"))
    assert "vector_add.cu for the CPU device" in project.make()
    assert "0 11 22 33" in run(project.build / "vector_add")
    assert "for the CPU device" not in project.make()


def test_an_error_stops_the_build_at_its_line(plain):
    source = plain.folder / "vector_add.cu"
    text = source.read_text()
    try:
        source.write_text(text.replace("(x, y, z);", "(x, y);"))
        done = subprocess.run(
            ["cmake", "--build", plain.build], env=plain.environment, capture_output=True, text=True
        )
        line = text[: text.index("add<<<")].count("\n") + 1
        assert done.returncode != 0
        assert f"vector_add.cu:{line}:" in done.stdout + done.stderr
    finally:
        source.write_text(text)
        plain.make()


def test_the_compiler_works_alone(prefix, tmp_path):
    for option in ([], ["--check"]):
        compiler, program = prefix / "bin/convkit-cc", tmp_path / "program"
        flags = ["-std=c++20", "-I", PROJECT / "include", "-DBLOCK=4", '-DGREETING="hello from"']
        run(compiler, *option, *flags, PROJECT / "vector_add.cu", "-o", program)
        assert run(program).startswith("hello from 2 blocks\n0 2 4")


def test_another_version_is_not_taken(prefix, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(other LANGUAGES NONE)\n"
        "find_package(convkit_cpu_device 99 REQUIRED)\n"
    )
    command = ["cmake", "-G", "Ninja", "-S", tmp_path, "-B", tmp_path / "build"]
    command.append(f"-DCMAKE_PREFIX_PATH={prefix}")
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0 and '"99"' in done.stderr
