# SPDX-License-Identifier: MIT
"""Where in their sources two works share passages: pieces of text, those of one passage with the
same number."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .compare import Pair, Work
from .fingerprints import K
from .tokens import Vocabulary


@dataclass(frozen=True)
class Passage:
    """A piece of a file, from `begin` to `end` in characters."""

    begin: int
    end: int
    number: int  # from 1; the same on both sides


def passages(
    pair: Pair, vocabulary: Vocabulary
) -> tuple[dict[str, list[Passage]], dict[str, list[Passage]]]:
    """Of each work, by file. Files without a shared passage are not there."""
    one = _runs(pair.one, pair.shared)
    other = _runs(pair.other, pair.shared)
    numbers: dict[int, int] = {}  # by fingerprint
    left: dict[str, list[Passage]] = {}
    number = 0
    for file, runs in one.items():
        places = vocabulary.places(pair.one.files[file])
        for first, last, prints in runs:
            number += 1
            for value in prints:
                numbers.setdefault(value, number)
            left.setdefault(file, []).append(Passage(places[first][0], places[last][1], number))
    right: dict[str, list[Passage]] = {}
    for file, runs in other.items():
        places = vocabulary.places(pair.other.files[file])
        for first, last, prints in runs:
            # Passages that are one there may be several here: the one with most counts.
            ((most, _),) = Counter(numbers[value] for value in prints).most_common(1)
            right.setdefault(file, []).append(Passage(places[first][0], places[last][1], most))
    return left, right


def _runs(work: Work, shared: frozenset[int]) -> dict[str, list[tuple[int, int, list[int]]]]:
    """By file: (first token, last token, fingerprints) of what is shared without a gap."""
    found: dict[str, list[tuple[int, int, list[int]]]] = {}
    for file, prints in work.prints.items():
        places = sorted((at, value) for value in prints.keys() & shared for at in prints[value])
        runs: list[tuple[int, int, list[int]]] = []
        for at, value in places:
            if runs and at <= runs[-1][1] + 1:
                first, _, inside = runs[-1]
                runs[-1] = (first, at + K - 1, [*inside, value])
            else:
                runs.append((at, at + K - 1, [value]))
        if runs:
            found[file] = runs
    return found
