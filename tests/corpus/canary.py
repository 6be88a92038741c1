# SPDX-License-Identifier: MIT
"""Looks for what nobody may see in every byte that a student could see."""

import re
from pathlib import Path

from corpus import Convkit, Ran

# The inputs of hidden.toml lie between 7777 and 7778: as a decimal number, as the hexadecimal bits
# of a float32 (0x45f30800 to 0x45f30fff), and as its bytes in memory.
HIDDEN_INPUT = re.compile(rb"7777\.\d|45f30[89a-f][0-9a-f]{2}|[\x08-\x0f]\xf3\x45", re.I)
PASSWORD_FILE = re.compile(rb"root:[^:\n]*:0:0:")
MANIFEST = "convkit-manifest-"  # the first words of a set of cases
SECRET_SEED = "the word that nobody knows"


def seen_by_a_student(convkit: Convkit, ran: Ran) -> bytes:
    """The report, and all files that grading has written: results and feedback."""
    files = [file for file in convkit.home.rglob("*") if file.is_file()]
    return b"\n".join([ran.out.encode(), ran.err.encode(), *(file.read_bytes() for file in files)])


def secrets_in(seen: bytes, hidden: Path) -> list[str]:
    found = [match[0].decode(errors="replace") for match in HIDDEN_INPUT.finditer(seen)]
    found += [match[0].decode(errors="replace") for match in PASSWORD_FILE.finditer(seen)]
    found += [word for word in (SECRET_SEED, MANIFEST, str(hidden)) if word.encode() in seen]
    return sorted(set(found))
