# SPDX-License-Identifier: MIT
"""How missing packages are installed: apt-get for root, .convkit for everyone else."""

import subprocess
from pathlib import Path

import pytest

# apt-get for root: 'installs' Ninja as a script that says so.
APT_GET = """
case "$*" in
  *install*ninja-build*) echo '#!/bin/sh' >"{bin}/ninja"; chmod +x "{bin}/ninja" ;;
esac
"""
KNOWN = "echo 'Candidate: 1.0'"
# apt-get without root: downloads one package into the archives of the launcher's own configuration.
APT_DOWNLOAD = """
case "$*" in
  *--download-only*) archives=$(sed -n 's/^Dir::Cache "\\(.*\\)";/\\1/p' "$APT_CONFIG")/archives
    touch "$archives/ninja-build_1_amd64.deb" ;;
esac
"""
DPKG = """
case $1 in
  -x) mkdir -p "$3/usr/bin"; echo '#!/bin/sh' >"$3/usr/bin/ninja"; chmod +x "$3/usr/bin/ninja" ;;
esac
"""
APT_CONFIG = """
echo 'Acquire::http::Proxy "http://proxy";'
echo 'DPkg::Post-Invoke "needs root";'
"""


def without_ninja(machine, apt_get: str):
    machine.lose("ninja")
    machine.fake("apt-get", apt_get)
    machine.fake("apt-cache", KNOWN)
    machine.fake("apt-config", APT_CONFIG)
    machine.fake("dpkg", DPKG)


def test_root_installs_only_what_is_missing(machine):
    without_ninja(machine, APT_GET.format(bin=machine.bin))
    result = machine.run("demo", FAKE_UID="0")
    assert result.returncode == 0, result.stderr
    installs = [call for call in machine.calls("apt-get") if " install " in call]
    assert len(installs) == 1
    assert installs[0].endswith("install -y --no-install-recommends ninja-build")


@pytest.mark.skipif(
    Path("/usr/include/boost/context").exists() or Path("/usr/local/include/boost").exists(),
    reason="Boost.Context is installed here",
)
@pytest.mark.parametrize("processor, wanted", [("x86_64", False), ("aarch64", True)])
def test_boost_context_is_installed_only_where_the_kit_needs_it(machine, processor, wanted):
    without_ninja(machine, APT_GET.format(bin=machine.bin))
    machine.fake("uname", f"echo {processor}")
    machine.run("demo", FAKE_UID="0")
    installs = [call for call in machine.calls("apt-get") if " install " in call]
    assert any("libboost-context-dev" in call for call in installs) == wanted


def test_fresh_lists_are_not_fetched_again(machine):
    without_ninja(machine, APT_GET.format(bin=machine.bin))
    machine.run("demo", FAKE_UID="0")
    assert not [call for call in machine.calls("apt-get") if call.endswith(" update")]


def test_a_server_that_cannot_be_reached_is_named_as_the_reason(machine):
    without_ninja(machine, "echo \"Err:1 Temporary failure resolving 'mirror'\"; exit 100")
    result = machine.run("demo", FAKE_UID="0")
    assert result.returncode == 2
    assert "the package server could not be reached (see build/setup.log)" in result.stderr


def test_without_root_packages_are_unpacked_into_the_checkout(machine):
    without_ninja(machine, APT_DOWNLOAD)
    result = machine.run("demo")
    assert result.returncode == 0, result.stderr
    assert (machine.checkout / ".convkit" / "prefix" / "usr" / "bin" / "ninja").exists()
    assert machine.calls("dpkg -i") == [] and machine.calls("sudo")
    configured = machine.calls("cmake --preset default")
    assert f"-DCONVKIT_PREFIX={machine.checkout}/.convkit/prefix" in configured[0]


def test_the_private_apt_keeps_the_proxy_and_drops_the_hooks(machine):
    without_ninja(machine, APT_DOWNLOAD)
    machine.run("demo")
    text = (machine.checkout / ".convkit" / "apt" / "apt.conf").read_text()
    assert "Acquire::http::Proxy" in text
    assert "Post-Invoke" not in text


def test_a_prefix_is_made_again_when_its_unpacking_was_interrupted(machine):
    half = machine.checkout / ".convkit" / "prefix" / "usr" / "include" / "half"
    half.parent.mkdir(parents=True)
    half.touch()
    (machine.checkout / ".convkit" / "unpacking").touch()
    assert machine.run("demo").returncode == 0
    assert not half.exists()


def test_an_optional_package_that_fails_is_named_and_the_rest_goes_on(machine):
    machine.lose("mold")
    machine.fake("apt-get", "exit 100")
    machine.fake("apt-cache", KNOWN)
    machine.fake("dpkg", "")
    result = machine.run("demo", FAKE_UID="0")
    assert result.returncode == 0
    assert "going on without mold" in result.stderr


def test_packages_that_only_work_when_installed_are_not_unpacked(machine):
    machine.lose("mold")
    machine.fake("apt-get", "")
    result = machine.run("demo")
    assert result.returncode == 0
    assert "going on without mold: checks link a little slower" in result.stderr
    assert machine.calls("apt-get") == []


def test_without_root_a_missing_compiler_stops_at_once(machine):
    without_ninja(machine, APT_DOWNLOAD)
    machine.lose("g++")
    result = machine.run("demo")
    assert result.returncode == 2
    assert "and only an administrator can install a compiler" in result.stderr
    assert machine.calls("apt-get") == []


@pytest.mark.parametrize("folder", ["lib", "lib64", "lib/aarch64-linux-gnu"])
def test_a_library_is_found_wherever_distributions_put_it(machine, tmp_path, folder):
    prefix = tmp_path / "an own build"

    def found() -> bool:
        script = 'private=/none; source "$1/launcher/packages.sh"; is_there library libodd.so.3'
        command = ["bash", "-c", script, "bash", machine.checkout]
        return subprocess.run(command, env={"CMAKE_PREFIX_PATH": str(prefix)}).returncode == 0

    (prefix / folder).mkdir(parents=True)
    assert not found()
    (prefix / folder / "libodd.so.3").touch()
    assert found()
