# SPDX-License-Identifier: MIT
"""What ends a command, each as one sentence."""

from __future__ import annotations


class UsageError(Exception):
    """The command, course.toml or a file it names is wrong. Exit code 2."""


class GraderError(Exception):
    """The machine or the kit is at fault. Exit code 3."""
