# SPDX-License-Identifier: MIT
"""The figures are drawn with what stage 01 has for it."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "01_cpu_conv" / "figures"))

from drawing import *  # noqa: F403
