# SPDX-License-Identifier: MIT
"""course.toml: what stages count for, and reference solutions that later stages may use."""

import shutil

import pytest
from driver import GRADER_FAILED, PASSED, ROOT, USED_WRONGLY, kit_copy

TILED, BACKWARD = "03_tiled_conv", "05_backward"
COURSE = f"""\
reference = ["{TILED}"]
[weights]
"01_cpu_conv" = 1
"{TILED}" = 3
"""


@pytest.fixture
def kit(tmp_path):
    (tmp_path / "kit").mkdir()
    kit = kit_copy(tmp_path / "kit")
    (kit / "course.toml").write_text(COURSE)
    return kit


def row(ran, stage):
    return next(line for line in ran.out.splitlines() if line.startswith(stage))


def test_list_shows_the_path(convkit):
    ran = convkit.run("list")
    assert ran.code == PASSED
    words = ["stage", "points", "course", "time", "needs", "title", "your", "work"]
    assert row(ran, "stage").split() == words
    first = row(ran, "01_cpu_conv")
    assert " 100 " in first and "6-10 hours   -  " in first
    assert "  02, 03  " in row(ran, BACKWARD)
    assert ran.out.endswith("\nBegin a stage: ./convkit start 1\n")
    convkit.run("start", 1)
    assert convkit.run("list").out.endswith("\nGo on with: ./convkit check 1\n")


def test_list_names_the_first_stage_whose_needs_are_met(convkit):
    for stage in ("01_cpu_conv", "02_direct_conv"):
        shutil.copytree(ROOT / "solutions" / stage, convkit.work / stage)
    assert convkit.run("check", 1, timeout=180).code == PASSED
    assert convkit.run("list").out.endswith("\nGo on with: ./convkit check 2\n")


def test_a_course_weighs_its_stages(convkit, kit):
    ran = convkit.run("list", env={"CONVKIT_ROOT": str(kit)})
    assert "  25 %" in row(ran, "01_cpu_conv")
    assert "  75 %" in row(ran, TILED)
    assert "   0 %" in row(ran, BACKWARD)
    said = f"may use the reference solution of {TILED}: ./convkit start STAGE --reference 3\n"
    assert said in ran.out


def test_an_allowed_reference_solution_can_be_used_in_a_later_stage(no_cuda, kit, tmp_path):
    environment = {"CONVKIT_ROOT": str(kit)}
    shutil.copytree(ROOT / "solutions" / BACKWARD, no_cuda.work / BACKWARD)
    ran = no_cuda.run("start", 5, "--reference", 3, env=environment)
    assert ran.code == PASSED, ran.err
    assert f"The reference solution of {TILED} is now in the folder of your files." in ran.out
    layers = no_cuda.work / BACKWARD / "layers.cu"
    use = '#include "tiled_conv.h"\nauto* const used = &conv2d_tiled;\n'
    layers.write_text(use + layers.read_text())
    arguments = ["--case", "adjoint_conv2d_xgrad_gather", "--device", "cpu"]
    ran = no_cuda.judge("check", 5, *arguments, env=environment, timeout=180)
    assert ran.code == PASSED, ran.out + ran.err
    # The submission is still one stage.
    archive = tmp_path / "handed_in.zip"
    ran = no_cuda.run("submit", 5, "--no-check", "--out", archive, env=environment)
    assert ran.code == PASSED, ran.out + ran.err
    graded = no_cuda.grade(archive, "--device", "cpu", env=environment, timeout=300)
    assert [stage["id"] for stage in graded.result["stages"]] == [BACKWARD]
    assert graded.statuses() == {"PASS"}


def test_a_reference_solution_that_is_not_allowed_is_not_given(convkit, kit):
    environment = {"CONVKIT_ROOT": str(kit)}
    ran = convkit.run("start", 5, "--reference", 2, env=environment)
    assert ran.code == USED_WRONGLY
    assert "does not let you use the reference solution of 02_direct_conv" in ran.err
    ran = convkit.run("start", 2, "--reference", 3, env=environment)
    assert ran.code == USED_WRONGLY
    assert f"02_direct_conv does not build on {TILED}. It needs 01_cpu_conv." in ran.err
    assert not convkit.work.exists()
    (kit / "solutions").unlink()
    ran = convkit.run("start", 5, "--reference", 3, env=environment)
    assert ran.code == USED_WRONGLY
    assert f"This copy of the kit has no reference solution of {TILED}." in ran.err


def test_a_file_of_the_students_own_is_not_overwritten(convkit, kit):
    own = convkit.work / BACKWARD / "tiled.cu"
    own.parent.mkdir(parents=True)
    own.write_text("// my own\n")
    ran = convkit.run("start", 5, "--reference", 3, env={"CONVKIT_ROOT": str(kit)})
    assert ran.code == USED_WRONGLY
    assert f"{own} already exists" in ran.err
    assert own.read_text() == "// my own\n"
    assert not (own.parent / "blocked.cu").exists()


def test_a_mistake_in_course_toml_is_the_kits_fault(convkit, kit):
    (kit / "course.toml").write_text('reference = ["09_none"]\n')
    ran = convkit.run("list", env={"CONVKIT_ROOT": str(kit)})
    assert ran.code == GRADER_FAILED
    assert 'course.toml:1: there is no stage "09_none".' in ran.err
