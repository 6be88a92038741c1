# SPDX-License-Identifier: MIT
"""The packages that .ci/packages has made, and somebody who uses one."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "end_to_end"))

from driver import ROOT, Convkit

PACKAGES = Path(os.environ.get("CONVKIT_PACKAGES", ROOT / "build/packages"))
ENDINGS = {"archive": ".tar.gz", "debian": ".deb", "wheel": ".whl"}


def package(kind: str) -> Path:
    found = sorted(PACKAGES.glob(f"convkit*{ENDINGS[kind]}"))
    if not found:
        pytest.skip(f"{PACKAGES} has no *{ENDINGS[kind]}; .ci/packages makes the packages")
    assert len(found) == 1, f"more than one {ENDINGS[kind]} in {PACKAGES}"
    return found[0]


class User(Convkit):
    """Somebody without a checkout, whose PATH is the system's. `installed`: /usr/bin/convkit."""

    def __init__(self, home: Path, command: Path):
        super().__init__(home, home / "cache")
        self.binary = command
        for name in [n for n in self.environment if n.startswith("CONVKIT_")]:
            del self.environment[name]
        self.environment |= {"CONVKIT_CACHE": str(home / "cache"), "PATH": "/usr/bin:/bin"}
