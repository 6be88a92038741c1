# SPDX-License-Identifier: MIT
"""What a program sees of the CPU device's libraries."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("CONVKIT_BINARY", ROOT / "build/dev/bin/convkit"))
LIBRARIES = sorted(BINARY.parent.glob("libconvkit_simt*.so"))


def visible(library: Path) -> list[str]:
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", "--format=posix", library],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    return [line.split()[0] for line in listed.splitlines()]


def test_there_are_libraries():
    assert {"libconvkit_simt.so", "libconvkit_simt_check.so"} <= {path.name for path in LIBRARIES}


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda path: path.stem)
def test_nothing_of_the_standard_library_is_visible(library):
    """A program's own copies of it, instrumented in check mode, would take its place."""
    names = visible(library)
    assert names
    assert [name for name in names if name.startswith("_Z") and "7convkit" not in name] == []
