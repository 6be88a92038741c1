# SPDX-License-Identifier: MIT
"""What `start` writes for editors: clangd and VS Code understand the files of a stage."""

import json
import re
import shutil
import subprocess
import zipfile

import pytest
from driver import PASSED, ROOT, STAGE

DIRECT = "02_direct_conv"
EDITOR_FILES = (
    "compile_commands.json",
    ".clangd",
    ".vscode/tasks.json",
    ".vscode/settings.json",
    ".vscode/extensions.json",
)
CLANGD = shutil.which("clangd") or shutil.which("clangd-14")


def complaints_of_clangd(file):
    """What an editor would underline in red."""
    ran = subprocess.run(
        [CLANGD, f"--check={file.name}"], cwd=file.parent, capture_output=True, text=True
    )
    return re.findall(r"^E\[.*?\] (\[\w+\] Line .*)$", ran.stderr, re.MULTILINE)


def test_start_writes_what_editors_need(convkit):
    ran = convkit.run("start", 2)
    assert ran.code == PASSED
    assert "Editor:   clangd and VS Code understand that folder" in ran.out
    folder = convkit.work / DIRECT
    for file in EDITOR_FILES:
        assert (folder / file).is_file(), file
    commands = json.loads((folder / "compile_commands.json").read_text())
    assert {entry["file"] for entry in commands} == {
        file.name for file in (ROOT / "starter" / DIRECT).glob("*.cu")
    }
    for entry in commands:
        assert entry["directory"] == str(folder)
        assert entry["arguments"][0] == "clang++" and "-std=c++17" in entry["arguments"]
    settings = json.loads((folder / ".vscode/settings.json").read_text())
    assert settings["files.associations"]["*.cu"] == "cuda-cpp"
    assert settings["clangd.arguments"] == ["--compile-commands-dir=${workspaceFolder}"]


def test_the_task_of_vs_code_checks_and_finds_places(convkit):
    convkit.run("start", 2)
    tasks = json.loads((convkit.work / DIRECT / ".vscode/tasks.json").read_text())["tasks"]
    check = tasks[0]
    assert check["label"] == "convkit: check" and check["args"] == ["check", "2"]
    assert check["command"] == str(ROOT / "convkit")
    found = []
    for line in (
        "    conv2d_direct.cu:12:5: error: ‘foo’ was not declared in this scope",
        "    conv2d_direct: a thread reads behind d_x (conv2d_direct.cu:31)",
        "    heap-use-after-free at dense.cpp:9 in dense_forward().",
    ):
        for matcher in check["problemMatcher"]:
            pattern = matcher["pattern"]
            match = re.search(pattern["regexp"], line)
            if match:
                found.append((match[pattern["file"]], match[pattern["line"]]))
    assert found == [("conv2d_direct.cu", "12"), ("conv2d_direct.cu", "31"), ("dense.cpp", "9")]


def test_files_of_the_student_are_not_overwritten(convkit):
    folder = convkit.work / DIRECT
    (folder / ".vscode").mkdir(parents=True)
    (folder / ".vscode/settings.json").write_text("mine\n")
    (folder / ".clangd").symlink_to("nowhere")
    convkit.run("start", 2)
    assert (folder / ".vscode/settings.json").read_text() == "mine\n"
    assert (folder / ".clangd").is_symlink() and not (folder / "nowhere").exists()
    assert (folder / ".vscode/tasks.json").exists()
    before = {file: (folder / file).stat().st_mtime_ns for file in EDITOR_FILES[2:]}
    ran = convkit.run("start", 2)
    assert "Editor:" not in ran.out
    assert before == {file: (folder / file).stat().st_mtime_ns for file in EDITOR_FILES[2:]}


def test_they_are_no_part_of_a_submission(convkit):
    convkit.run("start", 1)
    cache = convkit.work / STAGE / ".cache/clangd/index"
    cache.mkdir(parents=True)
    (cache / "dense.cpp.idx").write_text("index")
    ran = convkit.run("submit", 1, "--no-check")
    names = zipfile.ZipFile(convkit.work / f"submission-{STAGE}.zip").namelist()
    assert sorted(names) == sorted(
        f"{STAGE}/{file.name}" for file in (ROOT / "starter" / STAGE).iterdir()
    ), ran.out


@pytest.mark.skipif(not CLANGD, reason="there is no clangd")
@pytest.mark.parametrize("stage", ["01_cpu_conv", DIRECT, "06_cudnn_port", "07_mnist_cnn"])
def test_clangd_finds_no_error_in_starters_and_solutions(convkit, stage):
    convkit.run("start", stage)
    folder = convkit.work / stage
    sources = sorted(folder.glob("*.c*"), key=lambda file: file.stat().st_size)
    sources = [file for file in sources if file.suffix in (".cpp", ".cu")]
    assert complaints_of_clangd(sources[-1]) == []
    for file in (ROOT / "solutions" / stage).iterdir():
        shutil.copy(file, folder) if file.is_file() else None

    # Those with the most launches, or the longest.
    def launches(file):
        return (file.read_text().count("<<<"), file.stat().st_size)

    for file in sorted(sources, key=launches)[-2:]:
        assert complaints_of_clangd(file) == [], file.name


@pytest.mark.skipif(not CLANGD, reason="there is no clangd")
def test_clangd_finds_an_error_in_a_kernel_and_in_a_launch(convkit):
    convkit.run("start", 2)
    file = convkit.work / DIRECT / "conv2d_direct.cu"
    file.write_text(
        '#include "direct_conv.h"\n'
        "__global__ void k(float* y) { extern __shared__ float s[]; y[threadIdx.x] = s[0] + z; }\n"
        "void f(float* y) { k<<<1, 32, 128>>>(y, 1); }\n"
    )
    lines = [int(re.search(r"Line (\d+)", said)[1]) for said in complaints_of_clangd(file)]
    assert lines == [2, 3]
