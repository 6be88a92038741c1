# SPDX-License-Identifier: MIT
"""A machine that cannot run convkit gets one sentence and exit code 2, and nothing is installed."""

import pytest


def sentence(result) -> str:
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    last = result.stderr.splitlines()[-1]
    assert last.startswith("convkit: ")
    return last


@pytest.mark.parametrize(
    ("ostype", "name"),
    [("darwin22", "macOS"), ("msys", "Windows"), ("freebsd13", "freebsd13")],
)
def test_on_other_systems_the_container_is_named(machine, ostype, name):
    said = sentence(machine.run("demo", OSTYPE=ostype))
    assert f"{name} is not supported" in said
    assert "Dockerfile" in said and "WSL2" in said
    assert not (machine.checkout / "build").exists()


@pytest.mark.parametrize(
    ("arguments", "variables", "reason"),
    [
        (["--offline"], {}, "--offline forbids"),
        ([], {"CONVKIT_OFFLINE": "1"}, "--offline forbids"),
        ([], {"CONVKIT_NO_INSTALL": "1"}, "CONVKIT_NO_INSTALL forbids"),
        ([], {}, "no apt-get here"),
    ],
)
def test_what_is_missing_is_named_with_one_command(machine, arguments, variables, reason):
    machine.lose("cmake", "ninja")
    if arguments or variables:
        machine.fake("apt-get", "")
    said = sentence(machine.run("demo", *arguments, **variables))
    assert "cmake and ninja-build" in said
    assert reason in said
    assert "sudo apt-get install -y --no-install-recommends cmake ninja-build" in said
    assert machine.calls("apt-get") == []


def test_root_is_not_told_to_use_sudo(machine):
    machine.lose("ninja")
    assert "sudo" not in sentence(machine.run("demo", "--offline", FAKE_UID="0"))


def test_an_old_cmake_is_named_with_its_version(machine):
    said = sentence(machine.run("demo", "--offline", FAKE_CMAKE="3.18.4"))
    assert "CMake 3.18.4" in said and "install 3.22 or newer" in said


def test_the_oldest_supported_cmake_is_accepted(machine):
    assert machine.run("demo", FAKE_CMAKE="3.22.0").returncode == 0


def test_a_missing_compiler_is_named(machine):
    machine.lose("g++")
    assert "needs g++," in sentence(machine.run("demo", "--offline"))


def test_a_compiler_without_cxx20_is_named(machine):
    said = sentence(machine.run("demo", "--offline", FAKE_GCC="9"))
    assert "cannot compile C++20; install g++ 11" in said


@pytest.mark.parametrize("newer", ["g++-13", "g++-11", "clang++-18", "clang++-14"])
def test_a_newer_compiler_is_chosen_before_one_without_cxx20(machine, newer):
    macro = "__clang_major__ 15" if "clang" in newer else "__GNUC__ 12"
    machine.fake(newer, f'case "$*" in *-dM*) cat >/dev/null; echo "#define {macro}";; esac')
    result = machine.run("demo", "--offline", FAKE_GCC="9")
    assert result.returncode == 0, result.stderr
    assert machine.calls("cmake --preset")[0].endswith(f"-DCMAKE_CXX_COMPILER={newer}")


def test_a_compiler_the_user_chose_is_never_replaced(machine):
    machine.fake("clang++-15", 'cat >/dev/null; echo "#define __clang_major__ 15"')
    said = sentence(machine.run("demo", "--offline", CXX="no-such-compiler"))
    assert "'no-such-compiler', cannot compile C++20" in said


def test_a_python_the_user_chose_is_never_replaced(machine):
    machine.fake("snake", "exit 1")
    said = sentence(machine.run("demo", CONVKIT_PYTHON="snake"))
    assert "CONVKIT_PYTHON names 'snake', which has no NumPy" in said


def test_a_checkout_that_cannot_be_written_is_named(machine):
    (machine.checkout / "build").write_text("")  # even root cannot make a folder here
    said = sentence(machine.run("demo"))
    assert f"cannot write to '{machine.checkout}/build'" in said


def test_a_full_disk_is_named_with_what_is_needed(machine):
    machine.fake("df", "echo header; echo disk 100 90 10 90% /")
    said = sentence(machine.run("demo"))
    assert "has 10 MB free; the build needs 700 MB" in said


def test_a_path_that_build_tools_cannot_handle_is_refused(machine):
    bad = machine.checkout.with_name("a;b")
    machine.checkout = machine.checkout.rename(bad)
    assert "a;b' holds one of the characters" in sentence(machine.run("demo"))


def test_a_path_with_spaces_and_accents_works(machine):
    machine.checkout = machine.checkout.rename(machine.checkout.with_name("mes devoirs à rendre"))
    result = machine.run("check", "1")
    assert result.returncode == 0, result.stderr
    assert f"program ran: check 1 root={machine.checkout} " in result.stdout
