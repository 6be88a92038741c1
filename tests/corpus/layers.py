# SPDX-License-Identifier: MIT
"""Which layers of the sandbox the corpus is tried with."""

import os
import subprocess
from functools import cache

from corpus import ROOT

# As CONVKIT_SANDBOX names them, each with those before it.
LAYERS = ["none", "limits", "landlock", "seccomp", "bubblewrap"]


def layers_of(config) -> str:
    return config.getoption("--layers") or strongest_layer()


@cache
def strongest_layer() -> str:
    ran = subprocess.run(
        [os.environ["CONVKIT_BINARY"], "doctor"],
        env=os.environ | {"CONVKIT_ROOT": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    line = next(line for line in ran.stdout.splitlines() if line.startswith("sandbox")).lower()
    return next((layer for layer in reversed(LAYERS) if layer in line), "none")
