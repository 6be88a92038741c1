# SPDX-License-Identifier: MIT
"""The JSON result: valid from the first second and after Ctrl-C; a file that cannot be written."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from driver import GRADER_FAILED, INTERRUPTED, PASSED, STAGE, USED_WRONGLY, changed

SLOW = changed("conv2d.cpp", "conv2d_forward", "usleep(200000);", "#include <unistd.h>\n")
OLDER = '{"schema": "convkit-result-1", "points": 1}'


def wait_until(condition, seconds=30):
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return value


def test_the_result_is_valid_from_the_first_second_on(convkit, handed_in):
    file = convkit.home / "result.json"
    process = convkit.start("grade", handed_in(SLOW), "--no-speed", "--json", file)
    wait_until(file.exists)
    seen = set()
    while process.poll() is None and len(seen) < 3:
        result = json.loads(file.read_text())
        assert result["schema"] == "convkit-result-1"
        for stage in result["stages"]:
            done = sum(case["status"] != "PENDING" for case in stage["cases"])
            assert stage["points"] + stage["pending_points"] <= stage["max_points"] + 0.01
            seen.add(done)
        time.sleep(0.02)
    assert len(seen) == 3, "the result on disk did not grow while the grader ran"
    os.killpg(process.pid, signal.SIGINT)
    process.communicate()


@pytest.mark.parametrize("whom", ["the grader alone", "the whole terminal"])
def test_ctrl_c_leaves_a_valid_partial_result_and_nothing_else(convkit, handed_in, whom):
    file = convkit.home / "result.json"
    process = convkit.start("grade", handed_in(SLOW), "--json", file)
    wait_until(lambda: file.exists() and '"WRONG"' in file.read_text())
    if whom == "the grader alone":
        process.send_signal(signal.SIGINT)
    else:
        os.killpg(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=10)
    assert process.returncode == INTERRUPTED
    assert "Interrupted: what was not reached is PENDING.\n" in out
    result = json.loads(file.read_text())
    assert result["interrupted"] is True
    statuses = [case["status"] for case in result["stages"][0]["cases"]]
    assert statuses.count("WRONG") >= 1 and statuses.count("PENDING") >= 50
    assert set(statuses) == {"WRONG", "PENDING"}
    assert convkit.left_behind() == []


def test_ctrl_c_while_compiling_leaves_nothing_behind(convkit, handed_in):
    bomb = (
        "template <int N, int M> struct T { enum { v = T<N - 1, M>::v + T<N - 1, M + 1>::v }; };\n"
        "template <int M> struct T<0, M> { enum { v = 1 }; };\nint bomb = T<850, 0>::v;\n"
    )
    file = convkit.home / "result.json"
    process = convkit.start("grade", handed_in({"dense.cpp": bomb}), "--json", file)
    wait_until(lambda: any("cc1plus" in line for line in convkit.left_behind()))
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    assert process.returncode == INTERRUPTED
    result = json.loads(file.read_text())
    assert result["interrupted"] is True
    assert result["stages"][0]["status"] not in ("BUILD_FAILED", "LIMIT", "WRONG")
    assert convkit.left_behind() == []


def test_the_result_goes_to_the_work_folder_unless_told(convkit, solved):
    ran = convkit.run("grade", solved, "--no-speed")
    file = convkit.work / "results" / f"{solved.name}.json"
    assert ran.out.endswith(f"Result: {file}\n")
    assert json.loads(file.read_text())["points"] == 80


def test_gradescope_gets_its_own_form(convkit, solved):
    file = convkit.home / "results.json"
    ran = convkit.grade(solved, "--gradescope", file)
    assert ran.code == PASSED
    form = json.loads(file.read_text())
    assert form["score"] == 80
    scored = [test for test in form["tests"] if "max_score" in test]
    pending = [test for test in form["tests"] if "max_score" not in test]
    assert sum(test["max_score"] for test in scored) == sum(test["score"] for test in scored) == 80
    assert pending and all("points are pending" in test["name"] for test in pending)
    assert all(test["name"].startswith(STAGE) for test in form["tests"])


@pytest.mark.parametrize("where", ["missing/result.json", "file/result.json"])
def test_a_result_that_cannot_be_written_is_named(convkit, solved, where):
    (convkit.home / "file").write_text("in the way")
    target = convkit.home / where
    ran = convkit.run("grade", solved, "--no-speed", "--json", target)
    if where.startswith("missing"):  # its folder is made
        assert ran.code == PASSED
        assert target.exists()
    else:
        assert ran.code == USED_WRONGLY
        assert ran.err == f"{target} cannot be written: Not a directory.\n"


@pytest.mark.parametrize("where", ["missing/results.json", "folder"])
def test_a_wrong_path_for_gradescope_is_told_before_grading(convkit, solved, where):
    (convkit.home / "folder").mkdir()
    target = convkit.home / where
    ran = convkit.grade(solved, "--gradescope", target)
    assert ran.code == USED_WRONGLY
    assert str(target) in ran.err and ran.err.count("\n") == 1
    assert ran.result == {}


@pytest.fixture
def full_disk(convkit):
    """A full disk; only root can make one."""
    disk = convkit.home / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk], capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip("mounting needs root")
    try:
        (disk / "filler").write_bytes(bytes(8 << 10))
        yield disk
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def test_a_full_disk_is_named_and_keeps_the_older_result(convkit, solved, full_disk):
    target = full_disk / "result.json"
    target.write_text(OLDER)
    (full_disk / "filler").write_bytes(bytes(12 << 10))
    ran = convkit.run("grade", solved, "--no-speed", "--json", target)
    assert ran.code == GRADER_FAILED
    assert str(target) in ran.err and "No space left on device" in ran.err
    assert target.read_text() == OLDER
    assert {file.name for file in full_disk.iterdir()} == {"filler", "result.json"}


def test_a_disk_that_fills_up_keeps_the_last_valid_result(convkit, solved, full_disk):
    target = full_disk / "result.json"
    ran = convkit.run("grade", solved, "--no-speed", "--json", target)
    assert ran.code == GRADER_FAILED
    assert str(target) in ran.err and "No space left on device" in ran.err
    result = json.loads(target.read_text())
    assert result["points"] == 0 and result["interrupted"] is True
    kept = {"filler", "result.json", "result.json.journal"}
    assert {file.name for file in full_disk.iterdir()} == kept


def test_start_on_a_full_disk_says_so_and_leaves_no_half_file(convkit, full_disk):
    (full_disk / "filler").write_bytes(bytes(16 << 10))
    ran = convkit.run("start", 1, env={"CONVKIT_WORK": str(full_disk / "work")})
    assert ran.code == USED_WRONGLY
    assert str(full_disk / "work" / STAGE) in ran.err and "No space left on device" in ran.err
    assert list(full_disk.rglob("*.cpp")) == []


def test_submit_on_a_full_disk_leaves_no_half_archive(convkit, full_disk):
    convkit.run("start", 1)
    (full_disk / "filler").write_bytes(bytes(16 << 10))
    ran = convkit.run("submit", 1, "--no-check", "--out", full_disk / "mine.zip")
    assert ran.code in (USED_WRONGLY, GRADER_FAILED)
    assert str(full_disk / "mine.zip") in ran.err and "No space left on device" in ran.err
    assert not (full_disk / "mine.zip").exists()


@pytest.fixture
def read_only(convkit):
    folder = convkit.home / "read_only"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", folder], capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip("mounting needs root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def test_a_read_only_work_folder_is_named(convkit, solved, read_only):
    env = {"CONVKIT_WORK": str(read_only)}
    ran = convkit.run("start", 1, env=env)
    assert ran.code == USED_WRONGLY
    assert str(read_only) in ran.err and "Read-only file system" in ran.err
    ran = convkit.run("grade", solved, "--no-speed", env=env)
    assert ran.code == USED_WRONGLY
    assert str(read_only) in ran.err and "Read-only file system" in ran.err


def test_a_read_only_cache_is_named(convkit, solved, read_only):
    ran = convkit.run("grade", solved, env={"CONVKIT_CACHE": str(read_only)})
    assert ran.code == GRADER_FAILED
    assert ran.err.startswith(f"GRADER_ERROR  The compile cache {read_only} cannot be written.")


def test_memory_of_the_grader_stays_under_100_mb(convkit, solved):
    if b"__asan_init" in Path(convkit.binary).read_bytes():
        pytest.skip("AddressSanitizer keeps what was freed, and shadows the rest")
    process = convkit.start("grade", solved, "--no-speed")
    peak = 0
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            break
        peak = max([peak, *(int(x.split()[1]) for x in status.splitlines() if "VmHWM" in x)])
        time.sleep(0.01)
    process.communicate()
    assert 0 < peak < 100_000
