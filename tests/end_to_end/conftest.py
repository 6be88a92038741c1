# SPDX-License-Identifier: MIT
"""Every test is a user with folders of their own; all share one compile cache."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from driver import (
    ROOT,
    STAGE_FILE,
    Convkit,
    begin_with,
    kit_copy,
    leave_out_cases,
    one_small_shape,
    submission,
)
from gpu_submission import DIRECT, DIRECT_SOLUTION
from leftovers import adopt_orphans

os.environ.setdefault("CONVKIT_BINARY", str(ROOT / "build/dev/bin/convkit"))
adopt_orphans()


@pytest.fixture(scope="session")
def cache(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    begin_with(os.environ.get("CONVKIT_TEST_CACHE"), folder)
    return folder


@pytest.fixture
def convkit(tmp_path, cache) -> Convkit:
    return Convkit(tmp_path / "home", cache)


@pytest.fixture(scope="session")
def solved(tmp_path_factory) -> Path:
    """A finished submission: the solution in a student's folder. Tests must not write to it."""
    return submission(tmp_path_factory.mktemp("solved") / "ada")


@pytest.fixture
def handed_in(tmp_path):
    """handed_in({"dense.cpp": text}): a submission that differs from the solution in some files."""
    return lambda changes=None: submission(tmp_path / "ada", changes)


@pytest.fixture(scope="session")
def strict_kit(tmp_path_factory) -> Path:
    """The kit with limits that are soon reached and one small timed shape."""
    return kit_copy(tmp_path_factory.mktemp("strict_kit"), STRICT)


@pytest.fixture
def no_cuda(convkit) -> Convkit:
    """A user on whose machine convkit finds no CUDA toolkit."""
    convkit.environment.pop("CUDA_HOME", None)
    convkit.environment["PATH"] = "/usr/bin:/bin"
    if shutil.which("nvcc", path=convkit.environment["PATH"]):
        pytest.skip("nvcc lies in /usr/bin")
    return convkit


@pytest.fixture(scope="session")
def quick_gpu_kit(tmp_path_factory) -> Path:
    """The kit with limits that are soon reached."""
    stage = f"assignments/{DIRECT}/stage.toml"
    edits = [
        (stage, r"^case_s = \d+", "case_s = 2"),
        (stage, r"^output_kib = .*", "output_kib = 64"),
    ]
    kit = kit_copy(tmp_path_factory.mktemp("quick_gpu_kit"), edits)
    leave_out_cases(kit, DIRECT)
    return kit


@pytest.fixture(scope="session")
def few_cases_kit(tmp_path_factory) -> Path:
    """The kit with two visible cases of each operation of stage 02."""
    kit = kit_copy(tmp_path_factory.mktemp("few_cases_kit"))
    leave_out_cases(kit, DIRECT)
    return kit


@pytest.fixture
def few_cases(no_cuda, few_cases_kit) -> None:
    no_cuda.environment["CONVKIT_ROOT"] = str(few_cases_kit)


# Kills the program when it is about to sync its file for the n-th time.
KILLER = """
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
extern "C" int fdatasync(int) {
  static int count;
  const char* at = getenv("KILL_AT");
  if (at && ++count == atoi(at)) kill(getpid(), SIGKILL);
  return 0;
}
"""


@pytest.fixture(scope="session")
def killer(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("killer")
    (folder / "killer.cpp").write_text(KILLER)
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    subprocess.run(
        [compiler, "-shared", "-fPIC", folder / "killer.cpp", "-o", folder / "killer.so"],
        check=True,
    )
    return folder / "killer.so"


@pytest.fixture(scope="session")
def hidden_direct(tmp_path_factory, few_cases_kit) -> dict[str, str]:
    """The visible cases of `few_cases_kit` with other numbers, as hidden ones: the environment."""
    folder = tmp_path_factory.mktemp("hidden_direct")
    python = os.environ.get("CONVKIT_PYTHON", "python3")
    command = [python, ROOT / "reference_data/generate.py", "--out", folder / DIRECT]
    command += ["--spec", ROOT / "assignments" / DIRECT / "cases.toml", "--seed", "other numbers"]
    subprocess.run(command, check=True, capture_output=True)
    made, visible = (
        json.loads((place / DIRECT / "manifest.json").read_text())
        for place in (folder, few_cases_kit / "reference_data/visible")
    )
    names = {case["name"] for case in visible["cases"]}
    made["cases"] = [case for case in made["cases"] if case["name"] in names]
    (folder / DIRECT / "manifest.json").write_text(json.dumps(made))
    return {"CONVKIT_HIDDEN": str(folder)}


@pytest.fixture
def handed_in_cuda(tmp_path):
    """handed_in_cuda({"a.cu": text}): the solution with some files replaced or added."""

    def hand_in(changes: dict[str, str | bytes | None], folder: str = "ada") -> Path:
        stage = tmp_path / folder / DIRECT
        shutil.copytree(DIRECT_SOLUTION, stage)
        for name, content in changes.items():
            data = content.encode() if isinstance(content, str) else content
            (stage / name).write_bytes(data)
        return stage.parent

    return hand_in


STRICT = [
    (STAGE_FILE, r"^case_s = .*", "case_s = 1"),
    (STAGE_FILE, r"^build_s = .*", "build_s = 6"),
    (STAGE_FILE, r"^memory_mib = .*", "memory_mib = 256"),
    (STAGE_FILE, r"^output_kib = .*", "output_kib = 64"),
    one_small_shape(none=1.0, full=4.0),
]
