# SPDX-License-Identifier: MIT
"""The packages in use: without a checkout, and where nothing may be written beside them."""

import ctypes
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from packages import User, package  # isort: skip
from driver import FALLS_SHORT, PASSED, ROOT, USED_WRONGLY

CPU, GPU = "01_cpu_conv", "02_direct_conv"


def snapshot(folder: Path) -> dict[str, int]:
    return {str(p): p.stat().st_mtime_ns for p in folder.rglob("*")}


def first_verdict(user: User, work: Path, cwd: Path) -> None:
    """From `start 1` to the first verdict, then to a pass."""
    ran = user.run("start", 1, cwd=cwd)
    assert ran.code == PASSED, ran.err
    ran = user.run("check", 1, cwd=cwd)
    assert (ran.code, ran.out.split()[0]) == (FALLS_SHORT, "NOT_STARTED"), ran.err
    shutil.copytree(ROOT / "solutions" / CPU, work / CPU, dirs_exist_ok=True)
    ran = user.run("check", 1, cwd=cwd, timeout=180)
    assert ran.code == PASSED, ran.out + ran.err


def test_the_archive_works_where_it_is_unpacked(archive_user):
    kit = archive_user.binary.parent
    ran = archive_user.run("demo", cwd=kit, timeout=180)
    assert ran.code == PASSED, ran.err
    assert "What the instructor sees" in ran.out
    first_verdict(archive_user, kit / "work", kit)
    shutil.rmtree(kit / "work")


@pytest.fixture
def nobody(debian_user) -> User:
    """A user who may only read the installation, and has a folder of work elsewhere."""
    installed = debian_user.binary.parents[1]
    for path in (installed, *installed.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    if os.geteuid() == 0:
        # To root nothing is read-only.
        for folder in (debian_user.home, *debian_user.home.rglob("*")):
            shutil.chown(folder, 65534, 65534)
        for folder in (*installed.parents, *debian_user.home.parents):
            if str(folder).startswith("/tmp/"):
                folder.chmod(folder.stat().st_mode | 0o011)
        start = debian_user.start
        debian_user.start = lambda *words, **options: start(
            *words, user=65534, group=65534, **options
        )
    return debian_user


def test_an_installation_is_only_read_and_work_goes_to_the_current_folder(nobody):
    installed, home = nobody.binary.parents[1], nobody.home
    before = snapshot(installed)
    ran = nobody.run("start", 1)
    assert ran.code == PASSED, ran.err
    assert (home / "work" / CPU / "conv2d.cpp").stat().st_mode & 0o200
    for file in (ROOT / "solutions" / CPU).iterdir():
        shutil.copy(file, home / "work" / CPU)
    assert nobody.run("check", 1, timeout=180).code == PASSED
    options = ["--no-peers", "--shape", "digits_5x5", "--seconds", "0.2"]
    ran = nobody.run("bench", 1, *options, timeout=180)
    assert ran.code == PASSED, ran.out + ran.err
    ran = nobody.run("submit", 1, timeout=180)
    assert ran.code == PASSED, ran.out + ran.err
    handed_in = home / f"work/submission-{CPU}.zip"
    assert nobody.run("grade", handed_in, "--no-speed", timeout=180).code == PASSED
    assert nobody.run("demo", timeout=180).code == PASSED
    assert nobody.run("doctor", timeout=60).code == PASSED
    assert snapshot(installed) == before


def test_a_gpu_stage_is_checked_with_the_programs_of_the_installation(nobody):
    assert nobody.run("start", 2).code == PASSED
    for file in (ROOT / "solutions" / GPU).iterdir():
        shutil.copy(file, nobody.home / "work" / GPU)
    ran = nobody.run("check", 2, "--device", "cpu", timeout=300)
    assert ran.code == PASSED, ran.out + ran.err
    program = nobody.home / "work/prog.cu"
    program.write_text(
        "#include <cstdio>\n__global__ void k(int* x) { *x = 7; }\n"
        "int main() { int* x; cudaMallocManaged(&x, 4); k<<<1, 1>>>(x); cudaDeviceSynchronize();\n"
        '  std::printf("%d\\n", *x); }\n'
    )
    ran = nobody.run("cc", program, "-o", nobody.home / "work/prog", timeout=120)
    assert ran.code == PASSED, ran.err
    assert subprocess.run([nobody.home / "work/prog"], capture_output=True).stdout == b"7\n"


def test_a_part_that_must_be_built_is_refused_in_a_sentence_where_nothing_can_be_written(nobody):
    nobody.binary = nobody.binary.parents[1] / "lib/convkit/convkit"
    ran = nobody.run("--build-part", "convkit-gpu-probe")
    assert ran.code == USED_WRONGLY
    assert "you may not write to" in ran.err and ran.err.count("\n") == 1, ran.err


def test_doctor_sees_the_openblas_that_programs_use(archive_user):
    try:
        ctypes.CDLL("libopenblas.so.0")
    except OSError:
        pytest.skip("OpenBLAS is not installed")
    ran = archive_user.run("doctor", timeout=60)
    assert "on the CPU device with OpenBLAS (libopenblas.so.0)" in ran.out


@pytest.mark.parametrize(
    "command",
    ["bench", "profile", "predict", "verify", "pack", "new-stage", "new-case", "new-variant"],
)
def test_its_program_knows_commands_that_other_programs_of_a_checkout_have(archive_user, command):
    ran = archive_user.run(command, "--wrong")
    assert ran.code == USED_WRONGLY
    assert f"See ./convkit {command} --help" in ran.err


def test_its_program_counts_requests_and_tries_changes(archive_user):
    kit = archive_user.binary.parent
    solution = kit / "solutions" / GPU
    ran = archive_user.run("profile", 2, "--case", "vector_of_five", "--dir", solution, timeout=120)
    assert ran.code == PASSED, ran.out + ran.err
    assert "global load" in ran.out
    folder = archive_user.home / CPU
    shutil.copytree(kit / "solutions" / CPU, folder)
    text = (folder / "dense.cpp").read_text()
    (folder / "dense.cpp").write_text(text.replace("int64_t(o) * in", "int64_t(o) * out"))
    ran = archive_user.run("check", 1, "--task", "01.4", "--mend", "--dir", folder, timeout=300)
    assert ran.code == FALLS_SHORT, ran.err
    assert "mends it" in ran.out


def test_its_program_reads_checkpoints(archive_user):
    weights = archive_user.binary.parent / "reference_data/weights/lenet_mnist.npz"
    ran = archive_user.run("predict", weights, "photo.jpg")
    assert ran.code == USED_WRONGLY
    assert "is not a checkpoint: it has no `architecture`" in ran.err


def test_an_instructor_packs_the_students_copy_from_the_installation(archive_user, tmp_path):
    ran = archive_user.run("pack", "students", "--out", tmp_path / "s.tar.gz")
    assert ran.code == PASSED, ran.err
    subprocess.run(["tar", "-C", tmp_path, "-xf", tmp_path / "s.tar.gz"], check=True)
    student = User(tmp_path / "student", tmp_path / "convkit/convkit")
    first_verdict(student, tmp_path / "convkit/work", tmp_path)


def test_references_are_reproduced_in_the_installation(archive_user):
    ran = archive_user.run(
        "refgen", "--stage", 1, "--check", env={"CONVKIT_PYTHON": sys.executable}
    )
    assert ran.code == PASSED, ran.out + ran.err


@pytest.mark.parametrize("compiler", ["clang++", "clang++-14", "g++", "g++-12"])
def test_submissions_of_any_compiler_are_loaded(archive_user, compiler):
    if not shutil.which(compiler, path="/usr/bin"):
        pytest.skip(f"{compiler} is not installed")
    archive_user.environment["CXX"] = compiler
    archive_user.environment["CONVKIT_WORK"] = str(archive_user.work)
    first_verdict(archive_user, archive_user.work, archive_user.home)
    ran = archive_user.run("check", 1, "--sanitize", timeout=300)
    assert ran.code == PASSED, ran.out + ran.err


def test_a_compiler_with_a_newer_library_is_said_in_one_sentence(archive_user, tmp_path):
    """What it links needs versions of functions that the runner's C++ library has not."""
    compiler = tmp_path / "g++-99"
    compiler.write_text(
        '#!/bin/sh\n/usr/bin/g++ "$@" || exit\ncase " $* " in *" -shared "*)\n'
        '  for output; do :; done; sed -i "s/GLIBCXX_3[.]4/GLIBCXX_9.9/g" "$output";; esac\n'
    )
    compiler.chmod(0o755)
    archive_user.environment |= {
        "CXX": str(compiler),
        "CONVKIT_SANDBOX": "none",  # it would hide this compiler
        "CONVKIT_WORK": str(archive_user.work),
    }
    shutil.copytree(ROOT / "solutions" / CPU, archive_user.work / CPU)
    ran = archive_user.run("check", 1, timeout=180)
    assert ran.code == FALLS_SHORT, ran.err
    assert "version `GLIBCXX_9.9" in ran.out
    assert ran.out.count("The compiler has a newer C or C++ library") == 1


# The wheel.


@pytest.fixture(scope="module")
def wheel_command(tmp_path_factory) -> Path:
    wheel = package("wheel")
    folder = tmp_path_factory.mktemp("venv") / "her tools"
    made = subprocess.run(
        [sys.executable, "-m", "venv", "--system-site-packages", folder], capture_output=True
    )
    if made.returncode != 0:
        pytest.skip("this Python cannot make a virtual environment (python3-venv)")
    pip = [folder / "bin/python", "-m", "pip", "install", "-q", "--no-index", "--no-deps", wheel]
    subprocess.run(pip, check=True)
    return folder / "bin/convkit"


def test_the_wheel_installs_a_command(wheel_command, tmp_path):
    user = User(tmp_path / "home", wheel_command)
    ran = user.run("list")
    assert ran.code == PASSED, ran.err
    assert CPU in ran.out
    assert "Begin a stage: convkit start 1\n" in ran.out
    first_verdict(user, user.home / "work", user.home)
    ran = user.run("demo")
    assert ran.code == USED_WRONGLY and "has no solutions" in ran.err


def test_the_wheel_is_for_every_python_and_brings_numpy():
    with zipfile.ZipFile(package("wheel")) as wheel:
        name = next(n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
        metadata = wheel.read(name).decode()
    assert "Requires-Dist: numpy" in metadata
    assert "\nVersion: " + (ROOT / "VERSION").read_text().strip() + "\n" in metadata
    assert "-py3-none-" in package("wheel").name
