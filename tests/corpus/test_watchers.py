# SPDX-License-Identifier: MIT
"""The canary and the count of leftovers see what they are there for."""

import struct
import subprocess
import tempfile
from pathlib import Path

import leftovers
import pytest
from canary import SECRET_SEED, secrets_in

HIDDEN = Path("/somewhere/kept_secret")


@pytest.mark.parametrize(
    "told",
    [
        b"threw an exception: 7777.62345",
        b"address 0x100045f30cfe",
        b"<45F30CFE>",
        struct.pack("<f", 7777.625),
        SECRET_SEED.encode(),
        b"/somewhere/kept_secret/01_cpu_conv",
        b"root:x:0:0:root:/root:/bin/bash",
    ],
)
def test_the_canary_sees(told):
    assert secrets_in(b"a report: " + told + b".", HIDDEN)


def test_the_canary_is_silent_about_an_ordinary_report():
    told = b"y[0] expected 0.18662, got 777.75. 1777.5 <bfbc6d8c> root: 5 of 7 cases pass"
    assert secrets_in(told, HIDDEN) == []


def test_a_file_that_is_left_is_seen():
    before = leftovers.files()
    with tempfile.NamedTemporaryFile(dir="/tmp", prefix=leftovers.MARK) as left:
        assert leftovers.files() - before == {left.name}


def test_an_orphan_is_seen():
    leftovers.adopt_orphans()
    before = leftovers.descendants()
    shell = subprocess.run(
        ["sh", "-c", "sleep 60 >/dev/null & echo $!"], stdout=subprocess.PIPE, check=True
    )
    orphan = int(shell.stdout)
    try:
        assert orphan not in before and leftovers.descendants()[orphan] == "sleep 60"
    finally:
        subprocess.run(["kill", str(orphan)], check=True)
