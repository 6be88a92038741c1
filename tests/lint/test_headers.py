# SPDX-License-Identifier: MIT
"""Every header compiles by itself: what it needs, it includes.

A header with a source of its own is that source's first include, so the source's compilation is the
proof (in the preset dev; others compile sources together). The others are compiled alone here, as
are a few of the sources. Not here are the headers in cpu_device/include, which
cpu_device/tests/headers/headers_test.sh compiles alone with every compiler, and .cuh files, which
are parts of CUDA programs.
"""

import os
import re
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest
from test_lint import ROOT, with_suffix

COMPILER = os.environ.get("CXX", "g++")
PREFIX = ROOT / ".convkit/prefix/usr/include"  # packages that the launcher has unpacked
OPTIONAL = {"seccomp.h", "oneapi/dnnl/dnnl.hpp"}  # of packages that the kit can do without
MACROS = [  # that CMake gives to sources; their values do not matter here
    "-DCONVKIT_SIMT_ENGINE",
    '-DCONVKIT_BINARY_DIR=""',
    *(f'-DCONVKIT_{name}_PROGRAM=""' for name in ("CONFINE", "HOSTILE", "PARENT")),
]
INCLUDE_FOLDERS = [".", "grader", "runtime/include", "cpu_device/include", "tests/support"]
PARTS = 60  # of the sources that are compiled alone, another one every day
TEMPLATES = "templates"  # a skeleton's files become a stage's


def own_source(header: Path) -> Path:
    """Where the source of a header is, if it has one."""
    source = header.with_suffix(".cpp")
    return ROOT / "runtime/src" / source.name if "convkit" in header.parent.name else source


def first_include(source: Path) -> str:
    found = re.search(r'^#include ["<](.+)[">]', source.read_text(encoding="utf-8"), re.M)
    return found[1] if found else ""


def headers() -> list[Path]:
    return [path for path in with_suffix(".h") if TEMPLATES not in path.parts]


def alone() -> Iterator[Path]:
    for header in headers():
        if not own_source(header).exists() and ROOT / "cpu_device/include" not in header.parents:
            yield header


def compiler_for(file: Path, root: Path) -> list[str]:
    command = [COMPILER, "-std=c++20", "-fsyntax-only", "-x", "c++"]
    stage = root / "assignments" / file.parent.name
    for folder in [file.parent, stage, *(root / folder for folder in INCLUDE_FOLDERS)]:
        command += ["-I", str(folder)]
    return [*command, "-isystem", str(PREFIX), *MACROS]


def errors_alone(header: Path, root: Path = ROOT) -> str:
    """The compiler's errors about a file that holds nothing but the header's include."""
    command = [*compiler_for(header, root), "-"]
    needed = OPTIONAL & set(re.findall(r"#include <(.+)>", header.read_text(encoding="utf-8")))
    there = " && ".join(["1", *(f"__has_include(<{name}>)" for name in needed)])
    program = f'#if {there}\n#include "{header}"\n#endif\n'
    done = subprocess.run(command, input=program, capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{header.relative_to(root)}:\n{done.stderr[:2000]}"


def test_a_source_includes_its_own_header_first():
    bad = []
    for header in headers():
        source = own_source(header)
        if source.exists() and not str(header).endswith("/" + first_include(source)):
            bad.append(f"{source.relative_to(ROOT)} begins with {first_include(source)}")
    assert not bad, "\n".join(bad)


@pytest.mark.skipif(not shutil.which(COMPILER), reason=f"{COMPILER} is not installed")
def test_a_header_without_a_source_compiles_alone():
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        bad = [errors for errors in pool.map(errors_alone, alone()) if errors]
    assert not bad, "\n".join(bad)


@pytest.mark.skipif(not shutil.which(COMPILER), reason=f"{COMPILER} is not installed")
def test_a_source_compiles_alone():
    """Of the grader's sources, those of today: other presets compile many as one."""
    sources = [s for s in (ROOT / "grader").rglob("*.cpp") if not {"tests", TEMPLATES} & {*s.parts}]
    today = date.today().toordinal() % PARTS
    chosen = [s for s in sources if zlib.crc32(s.name.encode()) % PARTS == today]

    def errors(source: Path) -> str:
        done = subprocess.run(
            [*compiler_for(source, ROOT), str(source)], capture_output=True, text=True
        )
        return "" if done.returncode == 0 else f"{source.relative_to(ROOT)}:\n{done.stderr[:2000]}"

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        bad = [said for said in pool.map(errors, chosen) if said]
    assert not bad, "\n".join(bad)


@pytest.mark.skipif(not shutil.which(COMPILER), reason=f"{COMPILER} is not installed")
def test_a_header_that_lacks_an_include_is_found(tmp_path):
    header = tmp_path / "names.h"
    header.write_text("#pragma once\nstd::string name();\n")
    assert "names.h:2" in errors_alone(header, tmp_path)
    header.write_text("#pragma once\n#include <string>\nstd::string name();\n")
    assert errors_alone(header, tmp_path) == ""
