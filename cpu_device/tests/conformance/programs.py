# SPDX-License-Identifier: MIT
"""The programs of the suite: what each is made of and what is expected of it.

A source has one program, whose main() is its own, or a program for each PART(name) in it.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Program:
    source: Path
    part: str  # "" is the whole source
    first_line: int
    text: str  # of the part, which begins there

    def __str__(self) -> str:
        return f"{self.source.stem}.{self.part}" if self.part else self.source.stem

    @property
    def arguments(self) -> list[str]:
        """Of the executable that its source is compiled to."""
        return [self.part] if self.part else []

    @property
    def faults(self) -> list[int]:
        """The lines of the source that are marked `// fault`."""
        lines = enumerate(self.text.splitlines(), self.first_line)
        return [number for number, line in lines if "// fault" in line]

    @cached_property
    def printed(self) -> str:
        return self._last_comment("Prints")

    @cached_property
    def reported(self) -> str:
        return self._last_comment("Reports")

    def _last_comment(self, word: str) -> str:
        """The lines between "/* WORD:" and "*/" at its end."""
        _, found, text = self.text.rpartition(f"\n/* {word}:\n")
        assert found and text.rstrip().endswith("*/"), (
            f"{self} in {self.source.name} does not end with /* {word}: ... */"
        )
        return text.rstrip().removesuffix("*/")


def programs_in(folder: str) -> list[Program]:
    sources = sorted(p for p in (HERE / folder).glob("*.cu") if not p.name.endswith(".part.cu"))
    return [program for source in sources for program in programs_of(source)]


def programs_of(source: Path) -> list[Program]:
    text = source.read_text()
    marks = [
        (match[1], match.end()) for match in re.finditer(r"^PART\((\w+)\)", text, re.MULTILINE)
    ]
    if not marks:
        return [Program(source, "", 1, text)]
    programs, begin = [], 0
    for part, mark in marks:
        end = text.index("\n*/\n", mark) + len("\n*/\n")
        programs.append(Program(source, part, text.count("\n", 0, begin) + 1, text[begin:end]))
        begin = end
    return programs


def compiled_with(source: Path) -> list[str]:
    """A second source, NAME.part.cu, and what the text asks for: "Link with -lcublas."."""
    second = source.with_suffix(".part.cu")
    asked = re.findall(r"^// .*\bwith (-l\w+|-rdc=true)\.$", source.read_text(), re.MULTILINE)
    return [*([str(second)] if second.exists() else []), *asked]
