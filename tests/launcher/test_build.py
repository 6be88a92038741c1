# SPDX-License-Identifier: MIT
"""When the launcher builds, when it does not, and what it passes to the program."""

import contextlib
import os
import pty
import signal
import subprocess
import time

import pytest


def builds(machine) -> int:
    return len(machine.calls("cmake --build"))


def test_the_program_gets_its_arguments_and_the_root(machine):
    result = machine.run("check", "1", "--case", "a b")
    assert result.returncode == 0, result.stderr
    assert result.stdout == (
        f"program ran: check 1 --case a b root={machine.checkout} python={machine.bin}/python3\n"
    )


def test_messages_of_the_launcher_stay_out_of_the_programs_output(machine):
    assert machine.run("list").stdout.startswith("program ran:")


def test_a_second_run_starts_no_tool(machine):
    machine.run("list")
    machine.age_the_build()
    before = machine.calls("")
    assert machine.run("list").returncode == 0
    assert machine.calls("") == before


def test_a_changed_source_is_built_again_without_a_new_set_up(machine):
    machine.run("list")
    machine.age_the_build()
    (machine.checkout / "grader" / "main.cpp").touch()
    assert machine.run("list").returncode == 0
    assert builds(machine) == 2
    assert len(machine.calls("g++")) == 1  # probed by the first run alone


@pytest.mark.parametrize(
    "name", ["grader/notes.md", "assignments/window.svg", "assignments/figures/window.py"]
)
def test_a_change_that_no_build_reads_builds_nothing(machine, name):
    text = machine.checkout / name
    text.parent.mkdir(exist_ok=True)
    text.touch()
    machine.run("list")
    machine.age_the_build()
    text.touch()
    machine.run("list")
    assert builds(machine) == 1


def test_a_moved_checkout_is_built_again(machine):
    machine.run("list")
    machine.checkout = machine.checkout.rename(machine.checkout.with_name("elsewhere"))
    result = machine.run("list")
    assert f"root={machine.checkout} " in result.stdout
    assert builds(machine) == 2


def test_a_failed_build_shows_the_first_error_and_the_log(machine):
    result = machine.run("list", FAKE_BUILD_ERROR="expected ';'")
    assert result.returncode == 1
    assert "a.cpp:3:1: error: expected ';'" in result.stderr
    assert "build/default/build.log" in result.stderr.splitlines()[-1]
    assert machine.run("list").returncode == 0  # and the next run tries again


def test_a_terminal_shows_progress_in_place(machine):
    terminal, its_other_end = pty.openpty()
    subprocess.run(
        [machine.checkout / "convkit", "list"],
        env=machine.environment,
        stdout=subprocess.DEVNULL,
        stderr=its_other_end,
        check=True,
    )
    os.close(its_other_end)
    shown = b""
    with contextlib.suppress(OSError):  # EIO: all that was written has been read
        while part := os.read(terminal, 10_000):
            shown += part
    os.close(terminal)
    shown = shown.decode()
    assert "\r\x1b[K[1/2] Building CXX object a.cpp.o\r\x1b[K[2/2]" in shown
    assert shown.endswith("\r\x1b[K")


def test_an_interrupted_build_is_continued_by_the_next_run(machine):
    process = machine.start("list", FAKE_BUILD_SECONDS="30")
    wait_for(lambda: builds(machine) == 1)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=10) != 0
    result = machine.run("list")
    assert result.returncode == 0, result.stderr
    assert "program ran: list" in result.stdout


def test_two_launchers_at_once_build_once(machine):
    first = machine.start("list", FAKE_BUILD_SECONDS="1")
    wait_for(lambda: builds(machine) == 1)
    second = machine.run("list")
    assert first.wait(timeout=10) == 0
    assert "another convkit is building here" in second.stderr
    assert "program ran: list" in second.stdout
    assert builds(machine) == 1


def wait_for(condition) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def targets_built(machine) -> list[str]:
    """What the last call of cmake --build was told to make."""
    return machine.calls("cmake --build")[-1].partition("--target ")[2].split()


def list_parts(machine, *built: str) -> None:
    programs = machine.checkout / "build" / "default" / "bin"
    programs.mkdir(parents=True, exist_ok=True)
    (programs / "parts.txt").write_text(
        "libdevice.so device\n01.runner 01.runner\n02.runner 02.runner\n"
    )
    for file in built:
        (programs / file).touch()


def test_the_first_run_builds_the_program_and_the_first_stages_runner(machine):
    list_parts(machine)
    machine.run("list")
    assert targets_built(machine) == ["convkit_cli", "01.runner"]


def test_a_first_runner_that_does_not_build_does_not_stop_the_program(machine):
    list_parts(machine)
    result = machine.run("list", FAKE_BUILD_ERROR="expected ';'", FAKE_BUILD_ERROR_IN="01.runner")
    assert result.returncode == 0, result.stderr
    assert "program ran: list" in result.stdout
    assert "a.cpp:3:1: error: expected ';'" in result.stderr
    assert targets_built(machine) == ["convkit_cli"]


def test_a_part_is_built_when_the_program_asks_for_it(machine):
    machine.run("list")
    list_parts(machine)
    result = machine.run("--build-part", "device")
    assert result.returncode == 0
    assert targets_built(machine) == ["device"]
    assert "building device, which is used for the first time" in result.stderr
    assert "program ran" not in result.stdout


def test_a_part_that_cannot_be_built_says_so(machine):
    machine.run("list")
    result = machine.run("--build-part", "device", FAKE_BUILD_ERROR="expected ';'")
    assert result.returncode == 1
    assert "a.cpp:3:1: error: expected ';'" in result.stderr


def test_a_change_builds_the_parts_in_use_again_and_no_others(machine):
    machine.run("list")
    list_parts(machine, "libdevice.so")
    machine.age_the_build()
    (machine.checkout / "grader" / "main.cpp").touch()
    machine.run("list")
    assert targets_built(machine) == ["convkit_cli", "device"]


def test_a_part_that_no_longer_builds_stops_no_other_command(machine):
    machine.run("list")
    list_parts(machine, "libdevice.so")
    machine.age_the_build()
    (machine.checkout / "grader" / "main.cpp").touch()
    result = machine.run("list", FAKE_BUILD_ERROR="expected ';'", FAKE_BUILD_ERROR_IN="device")
    assert result.returncode == 0, result.stderr
    assert "program ran: list" in result.stdout
    assert "a.cpp:3:1: error: expected ';'" in result.stderr
    assert "going on without the parts" in result.stderr
    assert targets_built(machine) == ["convkit_cli"]
    assert not (machine.checkout / "build/default/bin/libdevice.so").exists()


def test_the_program_is_told_who_builds_its_parts(machine):
    machine.run("list")
    program = machine.checkout / "build" / "default" / "bin" / "convkit"
    program.write_text('#!/bin/sh\necho "$CONVKIT_LAUNCHER"\n')
    machine.age_the_build()
    assert machine.run("list").stdout.strip() == str(machine.checkout / "convkit")
