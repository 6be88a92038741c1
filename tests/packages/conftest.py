# SPDX-License-Identifier: MIT
"""The packages, unpacked, and their users. Each user has a home of their own."""

import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest
from packages import User, package


@pytest.fixture(scope="session")
def unpacked(tmp_path_factory):
    """unpacked(kind): the package's folder, in a path with a space and an accent."""
    made: dict[str, Path] = {}

    def unpack(kind: str) -> Path:
        file = package(kind)
        if kind in made:
            return made[kind]
        folder = tmp_path_factory.mktemp(kind) / "câmera kit"
        folder.mkdir()
        if kind == "archive":
            with tarfile.open(file) as tar:
                tar.extractall(folder)
        elif kind == "wheel":
            with zipfile.ZipFile(file) as wheel:
                for member in wheel.infolist():  # as pip does
                    path = Path(wheel.extract(member, folder))
                    if (member.external_attr >> 16) & 0o111:
                        path.chmod(0o755)
        else:
            if not shutil.which("dpkg-deb"):
                pytest.skip("dpkg-deb is not installed")
            subprocess.run(["dpkg-deb", "-x", file, folder], check=True)
        made[kind] = folder
        return folder

    return unpack


@pytest.fixture
def archive_user(unpacked, tmp_path) -> User:
    return User(tmp_path / "her home", unpacked("archive") / "convkit/convkit")


@pytest.fixture
def debian_user(unpacked, tmp_path) -> User:
    return User(tmp_path / "her home", unpacked("debian") / "usr/bin/convkit")
