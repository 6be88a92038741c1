# SPDX-License-Identifier: MIT
"""`pack`: the copies work as they are unpacked, and that for students gives no solution away."""

import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from driver import FALLS_SHORT, GRADER_FAILED, PASSED, ROOT, USED_WRONGLY, Convkit, Ran
from kept_back import KEPT_BACK, MAY_REPEAT_A_SOLUTION, files_with_lines_of_solutions, unlisted

STAGES = sorted(folder.name for folder in (ROOT / "solutions").iterdir())


def pack(convkit: Convkit, archive: Path, kit: Path = ROOT, reader: str = "students") -> Ran:
    ran = convkit.run("pack", reader, "--out", archive, env={"CONVKIT_ROOT": str(kit)})
    assert ran.code == PASSED, ran.err
    return ran


class Student:
    """A student who has unpacked the copy and runs ./convkit in its folder."""

    def __init__(self, archive: Path, home: Path, cache: Path):
        with tarfile.open(archive) as tar:
            tar.extractall(home)
        self.folder = home / "convkit"
        self.user = Convkit(home / "home", cache)
        self.user.binary = self.folder / "convkit"
        for name in ("CONVKIT_ROOT", "CONVKIT_WORK"):
            del self.user.environment[name]

    def convkit(self, *words: object, **options) -> Ran:
        return self.user.run(*words, cwd=self.folder, **options)

    def files(self) -> list[str]:
        paths = (p.relative_to(self.folder) for p in self.folder.rglob("*") if p.is_file())
        return sorted(str(p) for p in paths if p.parts[0] != "work")


@pytest.fixture(scope="module")
def archive(tmp_path_factory, cache) -> Path:
    folder = tmp_path_factory.mktemp("packed")
    pack(Convkit(folder / "home", cache), folder / "students.tar.gz")
    return folder / "students.tar.gz"


@pytest.fixture
def student(archive, tmp_path, cache) -> Student:
    return Student(archive, tmp_path / "her own folder", cache)


@pytest.fixture
def course(tmp_path):
    """course(text): the kit with another course.toml."""

    def make(text: str) -> Path:
        kit = tmp_path / "kit"
        kit.mkdir()
        for part in ROOT.iterdir():
            if part.name not in ("build", "course.toml", "work"):
                (kit / part.name).symlink_to(part)
        (kit / "course.toml").write_text(text)
        return kit

    return make


def test_a_student_can_work_in_the_unpacked_copy(student):
    before = student.files()
    readme = (student.folder / "README.md").read_text()
    assert "@" not in readme and "\n./convkit bench 1 " in readme
    first = re.search(r"^```sh\n\./convkit ([\w ]+?)  ", readme, re.M)
    assert first and first[1] == "list"
    ran = student.convkit(first[1])
    assert ran.code == PASSED, ran.err
    assert all(stage in ran.out for stage in STAGES)
    assert student.convkit("start", 1).code == PASSED
    solution = ROOT / "solutions/01_cpu_conv"
    ran = student.convkit("check", 1)
    assert (ran.code, ran.out.split()[0]) == (FALLS_SHORT, "NOT_STARTED")
    shutil.copy(solution / "activations.cpp", student.folder / "work/01_cpu_conv")
    ran = student.convkit("submit", 1)
    assert ran.code == FALLS_SHORT, ran.err
    assert "A grader finds in it: 01_cpu_conv." in ran.out
    assert (student.folder / "work/submission-01_cpu_conv.zip").exists()
    assert student.convkit("start", 2).code == PASSED
    shutil.copy(
        ROOT / "solutions/02_direct_conv/warm_up.cu", student.folder / "work/02_direct_conv"
    )
    ran = student.convkit("check", 2, "--case", "vector_of_five", "--device", "cpu", timeout=120)
    assert ran.code == PASSED, ran.out + ran.err
    assert student.files() == before, "nothing was built"


def test_a_kernel_is_profiled_in_a_folder_whose_name_has_spaces(student):
    solution = ROOT / "solutions/02_direct_conv"
    ran = student.convkit("profile", 2, "--case", "vector_of_five", "--dir", solution, timeout=120)
    assert ran.code == PASSED, ran.out + ran.err
    assert "global load" in ran.out


def test_bench_leaves_the_reference_solution_out(student):
    student.convkit("start", 1)
    work = student.folder / "work/01_cpu_conv"
    shutil.copytree(ROOT / "solutions/01_cpu_conv", work, dirs_exist_ok=True)
    options = ["--solution", "--no-peers", "--shape", "digits_5x5", "--seconds", "0.2"]
    ran = student.convkit("bench", 1, *options, timeout=180)
    assert ran.code == PASSED, ran.out + ran.err
    assert "solution is left out: this copy of the kit has no solutions." in ran.out
    assert "yours" in ran.out


NEEDS_A_SOLUTION = ["train", 7, "--solution", "--device", "cpu"]


@pytest.mark.parametrize(
    "words",
    [
        *(["demo"], ["verify"], ["refgen"], ["test"], NEEDS_A_SOLUTION),
        *(["pack", "students"], ["pack", "instructors"]),
        *(["new-stage", "80_blur"], ["new-case", 1, "wide"], ["new-variant", 1, "wrong"]),
    ],
)
def test_a_command_names_what_the_copy_does_not_have(student, words):
    ran = student.convkit(*words)
    assert (ran.code, ran.out) == (USED_WRONGLY, "")
    assert re.fullmatch(r"[^\n]*this copy [^\n]*\.\n", ran.err, re.I), ran.err


def test_the_copy_has_only_what_students_get(student):
    files = student.files()
    assert [f for f in files if KEPT_BACK & set(Path(f).parts)] == []
    assert "docs/fast-convolution.md" not in files
    assert [f for f in files if f.endswith("cases.toml")] == [], "they tell of hidden cases"
    assert "runner/harness.h" in files and "assignments/07_mnist_cnn/program/main.cpp" in files
    assert [f for f in files if f.startswith("assignments") and "/baseline/" in f] != []
    assert not any(f.endswith("_gpu") or f.endswith(".pyc") for f in files)


def broken_links(folder: Path) -> list[str]:
    broken = []
    for document in folder.rglob("*.md"):
        text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.M | re.S)
        for link in re.findall(r"\[[^\[\]]*\]\(([^()#:\s]+)(?:#[^()\s]*)?\)", text):
            if not (document.parent / link).exists():
                broken.append(f"{document.relative_to(folder)}: {link}")
    return broken


def test_links_of_the_copy_lead_somewhere(student):
    assert broken_links(student.folder) == []


# A solution's lines in other files.


def test_no_text_of_the_copy_has_three_lines_of_a_solution(student):
    found = files_with_lines_of_solutions(student.folder, student.files())
    assert unlisted(found) == []
    unneeded = [e for e in MAY_REPEAT_A_SOLUTION if not any(f.startswith(e) for f in found)]
    assert unneeded == [], "no longer an exception"


def test_a_solution_with_other_names_and_spaces_is_found(student):
    text = (ROOT / "solutions/01_cpu_conv/pooling.cpp").read_text()
    disguised = re.sub(r"\b(x|y|s|oh|ow|best)\b", r"my_\1", text).replace("  ", "\t ")
    (student.folder / "notes.txt").write_text(disguised)
    assert files_with_lines_of_solutions(student.folder, ["notes.txt"]) == ["notes.txt"]


@pytest.fixture
def kit(tmp_path) -> Path:
    """A checkout whose assignments and starters the test may change."""
    folder = tmp_path / "kit"
    folder.mkdir()
    for part in ROOT.iterdir():
        if part.name in ("assignments", "starter"):
            shutil.copytree(part, folder / part.name)
        elif part.name not in ("build", "work"):
            (folder / part.name).symlink_to(part)
    return folder


def refused(convkit: Convkit, kit: Path, out: Path) -> str:
    ran = convkit.run("pack", "students", "--out", out, env={"CONVKIT_ROOT": str(kit)})
    assert (ran.code, ran.out) == (GRADER_FAILED, "")
    assert not out.exists()
    return ran.err


def test_a_forgotten_file_with_a_solution_is_not_packed(convkit, kit, tmp_path):
    solution = (kit / "solutions/03_tiled_conv/tiled_single.cu").read_text()
    backup = kit / "assignments/03_tiled_conv/tiled_single.txt"
    backup.write_text("What I tried\n\n" + solution.replace("  ", "\t"))
    assert refused(convkit, kit, tmp_path / "s.tar.gz") == (
        "GRADER_ERROR  assignments/03_tiled_conv/tiled_single.txt holds lines of "
        "solutions/03_tiled_conv/tiled_single.cu. Nothing was packed. Remove it, or move it out of "
        "what students get.\n"
    )


def test_a_starter_that_is_a_solution_is_not_packed(convkit, kit, tmp_path):
    file = "03_tiled_conv/tiled_single.cu"
    (kit / "starter" / file).write_text((kit / "solutions" / file).read_text())
    said = refused(convkit, kit, tmp_path / "s.tar.gz")
    assert f"starter/{file} differs from what its solution gives." in said
    assert "./convkit verify --write-starter" in said


# What course.toml says.


def test_a_course_may_keep_its_baselines(convkit, course, tmp_path, cache):
    ran = pack(convkit, tmp_path / "s.tar.gz", course("[students]\nbaselines = false\n"))
    assert "The baselines are not in it" in ran.out
    student = Student(tmp_path / "s.tar.gz", tmp_path / "student", cache)
    assert [f for f in student.files() if "baseline" in Path(f).parts] == []
    assert "./convkit bench" not in (student.folder / "README.md").read_text()
    student.convkit("start", 1)
    ran = student.convkit("bench", 1)
    assert ran.code == USED_WRONGLY
    assert ran.err == (
        "This copy of the kit has no baseline of 01_cpu_conv, which `bench` compares with.\n"
    )
    assert student.convkit("submit", 1).code == FALLS_SHORT


def test_a_course_may_allow_a_reference_solution(convkit, course, tmp_path, cache):
    allowed = "03_tiled_conv"
    kit = course(f'reference = ["{allowed}"]\n[weights]\n"{allowed}" = 3\n"01_cpu_conv" = 1\n')
    ran = pack(convkit, tmp_path / "s.tar.gz", kit)
    assert f"The reference solution of {allowed} is in it" in ran.out
    student = Student(tmp_path / "s.tar.gz", tmp_path / "student", cache)
    assert {Path(f).parts[1] for f in student.files() if f.startswith("solutions/")} == {allowed}
    ran = student.convkit("start", 5, "--reference", 3)
    assert ran.code == PASSED, ran.err
    assert "75 %" in student.convkit("list").out
    ran = student.convkit("demo")
    assert ran.code == USED_WRONGLY and "has no solutions" in ran.err


# The instructors' copy.


def test_instructors_get_what_grading_and_packing_need(convkit, tmp_path, cache):
    ran = pack(convkit, tmp_path / "i.tar.gz", reader="instructors")
    assert "The solutions and the wrong variants are in it" in ran.out
    instructor = Student(tmp_path / "i.tar.gz", tmp_path / "instructor", cache)
    files = instructor.files()
    for stage in STAGES:
        assert any(f.startswith(f"solutions/{stage}/") for f in files)
        assert any(f.startswith(f"assignments/{stage}/wrong/") for f in files)
    assert {"docs/course.md", "reference_data/generate.py"} <= set(files)
    kept_back = KEPT_BACK - {"solutions", "wrong", "reference", "grader"}
    assert [f for f in files if kept_back & set(Path(f).parts)] == []
    assert "@" not in (instructor.folder / "README.md").read_text()
    assert broken_links(instructor.folder) == []
    assert instructor.convkit("demo", timeout=180).code == PASSED
    ran = instructor.convkit("pack", "students", "--out", tmp_path / "s.tar.gz")
    assert ran.code == PASSED, ran.err
    student = Student(tmp_path / "s.tar.gz", tmp_path / "student", cache)
    assert not any(f.startswith("solutions") for f in student.files())
    assert student.convkit("start", 1).code == PASSED


# The archive and its launcher.


def test_the_same_kit_gives_the_same_archive(convkit, archive, tmp_path):
    pack(convkit, tmp_path / "again.tar.gz")
    assert (tmp_path / "again.tar.gz").read_bytes() == archive.read_bytes()


def test_an_archive_that_cannot_be_written_is_named(convkit, tmp_path):
    ran = convkit.run("pack", "students", "--out", tmp_path / "none/s.tar.gz")
    assert ran.code == USED_WRONGLY
    assert str(tmp_path / "none/s.tar.gz") in ran.err and ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "program",
    [
        b"\x7fELF of another processor",
        b"#!/bin/sh\necho \"$0: /lib/libstdc++.so.6: version 'GLIBCXX_9' not found\" >&2\nexit 1\n",
    ],
    ids=["other processor", "older library"],
)
def test_a_program_that_does_not_run_here_is_named_in_one_sentence(student, program):
    (student.folder / "build/default/bin/convkit").write_bytes(program)
    ran = student.convkit("list")
    assert ran.code == USED_WRONGLY
    assert "does not run on this machine (" in ran.err and "ask your instructor" in ran.err
    assert ran.err.count("\n") == 1, ran.err


def test_programs_for_a_gpu_are_built_from_what_is_in_the_copy(student):
    if not shutil.which("cmake") or not shutil.which("ninja"):
        pytest.skip("CMake or Ninja is not installed")
    target = "02_direct_conv.runner_gpu" if shutil.which("nvcc") else "01_cpu_conv.runner"
    program = student.folder / "build/default/bin" / target
    program.unlink(missing_ok=True)
    ran = student.convkit("--build-part", target, timeout=300)
    log = student.folder / "build/default/build.log"
    assert ran.code == PASSED, ran.err + log.read_text()
    assert program.exists()


def test_a_missing_tool_for_the_gpu_is_named(student, tmp_path):
    for tool in ("bash", "dirname", "env", "readlink"):
        (tmp_path / tool).symlink_to(shutil.which(tool))
    environment = student.user.environment | {"PATH": str(tmp_path)}
    command = [student.folder / "convkit", "--build-part", "convkit-gpu-probe"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert ran.returncode == USED_WRONGLY
    assert ran.stderr.startswith("convkit: convkit-gpu-probe is built with cmake, which is not ")
