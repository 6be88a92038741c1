# SPDX-License-Identifier: MIT
"""The kit that grades: its program, and what a course.toml and its stages say."""

from __future__ import annotations

import json
import os
import subprocess
from functools import cached_property
from pathlib import Path

from .errors import GraderError, UsageError
from .policy import Policy, load_policy, tomllib


class Kit:
    def __init__(self) -> None:
        self.root = Path(os.environ.get("CONVKIT_ROOT", Path(__file__).resolve().parents[2]))
        self.program = os.environ.get("CONVKIT_PROGRAM", str(self.root / "convkit"))

    @cached_property
    def stage_files(self) -> dict[str, dict]:
        """The tables of each stage.toml, by id."""
        found = {}
        for file in sorted(self.root.glob("assignments/[0-9][0-9]_*/stage.toml")):
            try:
                found[file.parent.name] = tomllib.loads(file.read_text(encoding="utf-8"))
            except (tomllib.TOMLDecodeError, OSError):
                continue  # `grade` names what is wrong with it
        return found

    @cached_property
    def points(self) -> dict[str, float]:
        """The points of each stage, by id."""
        return {
            stage: float(
                sum(
                    p.get("points", 0) for p in [*tables.get("group", []), *tables.get("speed", [])]
                )
            )
            for stage, tables in self.stage_files.items()
        }

    def stage(self, text: str) -> str:
        """The id of "3", "03" or "03_tiled_conv"."""
        for stage in self.points:
            number = stage.split("_")[0]
            if text == stage or (text.isdigit() and int(text) == int(number)):
                return stage
        raise UsageError(f"There is no stage {text}; there are {', '.join(self.points)}.")

    @cached_property
    def policy(self) -> Policy:
        return load_policy(self.root / "course.toml", list(self.points))

    def depends_command(self, device: str, stages: list[str]) -> list[str]:
        named = [word for stage in stages for word in ("--stage", stage)]
        return [self.program, "doctor", "--depends", "--device", device, *named]

    def depends(self, device: str, stages: list[str]) -> dict[str, str]:
        """What verdicts on this machine depend on besides the submission, as in the `depends` of a
        result that holds all these stages."""
        ran = subprocess.run(
            self.depends_command(device, stages),
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode != 0:
            raise GraderError(ran.stderr.strip() or "`convkit doctor --depends` failed.")
        return json.loads(ran.stdout)
