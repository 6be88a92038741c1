# SPDX-License-Identifier: MIT
"""The secret of a hidden set: from the command line, a file, standard input or the keyboard."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path

from .errors import UserError

STANDARD_INPUT = "-"


def secret_of(seed: str | None, file: str | None) -> str | None:
    """None: a visible set is meant."""
    if seed is None and file is None:
        return None
    option, secret = ("--seed", seed) if file is None else ("--seed-file", _read(file))
    if not secret.strip():
        raise UserError(f"{option} is empty; give any word or number that students do not know.")
    return secret


def _read(file: str) -> str:
    if file == STANDARD_INPUT and sys.stdin.isatty():
        return _typed()
    name = "standard input" if file == STANDARD_INPUT else file
    try:
        data = sys.stdin.buffer.read() if file == STANDARD_INPUT else Path(file).read_bytes()
        lines = data.decode().splitlines()
    except OSError as problem:
        raise UserError(f"--seed-file: {name} cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise UserError(f"--seed-file: {name} is not UTF-8.") from None
    if len(lines) > 1:
        raise UserError(f"--seed-file: {name} must hold one line, the secret.")
    return "".join(lines)


def _typed() -> str:
    """Twice, since a slip makes another set, and nobody would see it."""
    secret = getpass.getpass("Secret seed (not shown): ")
    if getpass.getpass("The same once more: ") != secret:
        raise UserError("the two secret seeds differ.")
    return secret
