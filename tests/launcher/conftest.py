# SPDX-License-Identifier: MIT
"""A fake machine: a copy of the launcher, a PATH with fake tools, and a list of their calls."""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

KIT = Path(__file__).resolve().parents[2]
REAL_TOOLS = """
  awk bash cat chmod cp cut date df dirname env find flock grep head hostname ln mkdir mv nproc
  readlink rm sed sh sleep sort tail touch tr uname
"""
HEADERS = """
  CLI/CLI.hpp fmt/format.h nlohmann/json.hpp toml++/toml.h zlib.h archive.h seccomp.h dnnl.hpp
  catch2/catch.hpp
"""
LIBRARY = "x86_64-linux-gnu/libopenblas.so.0"
BUILT_FROM = re.search(r"^built_from=\((.*)\)$", (KIT / "convkit").read_text(), re.M)[1].split()
FAKE_TOOLS = "ninja bwrap mold zip unzip xz clang-format shellcheck python3"

COMPILER = """case "$*" in *-dM*) cat >/dev/null; echo "#define __GNUC__ ${FAKE_GCC:-12}";; esac"""

# Configures by writing the files that a real CMake writes; builds a program that prints its
# arguments.
CMAKE = r"""
case $1 in
  --version) echo "cmake version ${FAKE_CMAKE:-3.25.1}" ;;
  --preset)
    { echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD"; echo "CMAKE_CXX_COMPILER:STRING=$(command -v g++)"
    } >"build/$2/CMakeCache.txt"
    touch "build/$2/build.ninja" ;;
  --build)
    # A SIGINT that reaches a child of bash before its exec is lost, and bash would wait for it.
    trap 'kill "$!"; exit 130' INT
    sleep "${FAKE_BUILD_SECONDS:-0}" & wait "$!"
    echo '[1/2] Building CXX object a.cpp.o'
    case "${FAKE_BUILD_ERROR:+$*}" in
      *"${FAKE_BUILD_ERROR_IN:---build}"*)
        printf 'FAILED: a.cpp.o\na.cpp:3:1: error: %s\nninja: build stopped\n' "$FAKE_BUILD_ERROR"
        exit 1 ;;
    esac
    mkdir -p "$2/bin"
    { echo '#!/bin/sh'; echo 'echo "program ran: $* root=$CONVKIT_ROOT python=$CONVKIT_PYTHON"'
    } >"$2/bin/convkit"
    chmod +x "$2/bin/convkit"
    echo '[2/2] Linking CXX executable convkit' ;;
esac
"""


class Machine:
    def __init__(self, folder: Path):
        self.bin = folder / "bin"
        self.calls_file = folder / "calls"
        self.checkout = folder / "checkout"
        for path in (self.bin, self.checkout):
            path.mkdir()
        for tool in REAL_TOOLS.split():
            if shutil.which(tool):
                (self.bin / tool).symlink_to(shutil.which(tool))
        for header in HEADERS.split():
            path = folder / "prefix" / "include" / header
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        library = folder / "prefix" / "lib" / LIBRARY
        library.parent.mkdir(parents=True)
        library.touch()
        self.fake("g++", COMPILER)
        self.fake("cmake", CMAKE)
        self.fake("id", "echo ${FAKE_UID:-1000}")
        self.fake("sudo", "exit 1")
        for tool in FAKE_TOOLS.split():
            self.fake(tool, "")  # so this Python has every module
        self.copy_launcher()
        self.environment = {
            "PATH": str(self.bin),
            "CMAKE_PREFIX_PATH": str(folder / "prefix"),
            "LANG": "C.UTF-8",
        }

    def copy_launcher(self) -> None:
        shutil.copy(KIT / "convkit", self.checkout)
        shutil.copytree(KIT / "launcher", self.checkout / "launcher")
        for folder in BUILT_FROM:
            (self.checkout / folder).mkdir()
        for name in ("CMakeLists.txt", "CMakePresets.json", "VERSION"):
            (self.checkout / name).touch()
        (self.checkout / "grader" / "main.cpp").touch()

    def fake(self, tool: str, body: str) -> None:
        """A tool that notes how it was called and then does `body`."""
        path = self.bin / tool
        path.unlink(missing_ok=True)
        path.write_text(f'#!/bin/sh\necho "{tool} $*" >>"{self.calls_file}"\n{body}\n')
        path.chmod(0o755)

    def lose(self, *tools: str) -> None:
        for tool in tools:
            (self.bin / tool).unlink()

    def calls(self, start: str) -> list[str]:
        if not self.calls_file.exists():
            return []
        return [line for line in self.calls_file.read_text().splitlines() if line.startswith(start)]

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen:
        return subprocess.Popen(
            [self.checkout / "convkit", *arguments],
            env={**self.environment, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # A shell that runs the tests in the background ignores Ctrl-C for all its children.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
        process = self.start(*arguments, **variables)
        out, err = process.communicate(timeout=240)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def age_the_build(self) -> None:
        """Moves the stamp into the past, so that a file touched now is newer on any file system."""
        stamp = self.checkout / "build" / "default" / "launcher.stamp"
        past = stamp.stat().st_mtime - 3600
        for path in self.checkout.rglob("*"):
            if "build" not in path.relative_to(self.checkout).parts:
                os.utime(path, (past - 3600, past - 3600))
        os.utime(stamp, (past, past))


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)
