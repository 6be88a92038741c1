# SPDX-License-Identifier: MIT
"""Finds works that share more than what everybody was given, and works near the solution.

Through an index of fingerprints, so the work grows with what is shared, not with the pairs."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import combinations

from .fingerprints import hashes, winnow
from .sources import StageText
from .tokens import Vocabulary

# Percent of the fingerprints of the smaller of two works, or of one file: docs/similarity.md
# shows where honest pairs end.
THRESHOLD = 0.4
LEAST = 6  # fingerprints: a shorter passage says nothing, whatever its share is
MOST_LISTED = 100  # pairs of a stage; nobody looks at more, and the page must stay small
# What more works than this have is an idiom, not a passage that one has of another.
_COMMON_WORKS, _COMMON_SHARE = 10, 0.2


@dataclass
class Work:
    """What one student, or one group, has of a stage. `group`: two works of one are not
    compared."""

    who: str
    files: dict[str, str]
    group: str = ""
    # By file: fingerprints beyond what was given, with the indices of their first tokens.
    prints: dict[str, dict[int, list[int]]] = field(default_factory=dict)
    near: float = 0  # share of the fingerprints that the reference solution has, too

    def own(self) -> set[int]:
        return set().union(*self.prints.values())


@dataclass(frozen=True)
class Pair:
    """Two works. Shares are of fingerprints: 1 is all of them."""

    one: Work
    other: Work
    shared: frozenset[int]
    of_one: float
    of_other: float
    file: str  # of the file with the largest share, as "who: name"; '' if it is the whole work
    share: float  # the number of the pair: of the smaller work, or of that file
    beyond: float  # the largest share of the smaller work or a file, without the solution's
    file_near: float  # share of that file's fingerprints that the reference solution has, too

    @property
    def both_near(self) -> bool:
        return self.one.near >= THRESHOLD and self.other.near >= THRESHOLD

    @property
    def by_the_solution(self) -> bool:
        """What they share is mostly the reference solution's. Where the number is that of a file,
        the file counts: in a task that has one obvious program, honest works are near there."""
        near = self.both_near or self.file_near >= THRESHOLD
        return near and self.beyond < THRESHOLD


@dataclass(frozen=True)
class Comparison:
    stage: str
    works: list[Work]
    pairs: list[Pair]  # the largest share first; those by the solution come last
    more: int  # pairs that are not among them because there are too many
    near: list[Work]  # near the reference solution, the nearest first
    common: int  # how many fingerprints were left out because many works have them
    vocabulary: Vocabulary


class _Compared:
    def __init__(self, text: StageText, works: list[Work], threshold: float):
        self._threshold = threshold
        self._vocabulary = Vocabulary(text.headers)
        self._works = works
        given = self._every_hash(text.given())
        self._reference = self._every_hash(text.reference()) - given
        known: dict[str, dict[int, list[int]]] = {}
        for work in works:
            for name, source in work.files.items():
                if source not in known:
                    known[source] = self._prints(source, given)
                work.prints[name] = dict(known[source])

    def _every_hash(self, texts: list[str]) -> set[int]:
        return {h for text in texts for h in hashes(self._vocabulary.codes(text))}

    def _prints(self, source: str, given: set[int]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for value, at in winnow(hashes(self._vocabulary.codes(source))):
            if value not in given:
                found.setdefault(value, []).append(at)
        return found

    def _leave_out_common(self) -> int:
        works = Counter(value for work in self._works for value in work.own())
        limit = max(_COMMON_WORKS, int(_COMMON_SHARE * len(self._works)))
        common = {value for value, count in works.items() if count > limit}
        for work in self._works:
            for prints in work.prints.values():
                for value in common & prints.keys():
                    del prints[value]
        return len(common)

    def run(self, stage: str) -> Comparison:
        for work in self._works:
            own = work.own()
            if len(own) >= LEAST:
                work.near = len(own & self._reference) / len(own)
        near = [w for w in self._works if w.near >= self._threshold]
        near.sort(key=lambda w: (-w.near, w.who))
        common = self._leave_out_common()
        pairs = [p for p in self._pairs() if p.share >= self._threshold]
        pairs.sort(key=lambda p: (p.by_the_solution, -p.share, p.one.who, p.other.who))
        listed, more = pairs[:MOST_LISTED], max(0, len(pairs) - MOST_LISTED)
        return Comparison(stage, self._works, listed, more, near, common, self._vocabulary)

    def _pairs(self):
        """Those that share enough fingerprints to say anything."""
        owners: dict[int, list[int]] = defaultdict(list)
        sets = [work.own() for work in self._works]
        for number, own in enumerate(sets):
            for value in own:
                owners[value].append(number)
        counts: Counter[tuple[int, int]] = Counter()
        for numbers in owners.values():
            if len(numbers) > 1:
                counts.update(combinations(numbers, 2))
        # No share can reach the threshold where the smallest part would have more.
        least = [
            max(LEAST, self._threshold * min(map(len, parts)))
            if (parts := [p for p in work.prints.values() if len(p) >= LEAST])
            else LEAST
            for work in self._works
        ]
        for (one, other), count in counts.items():
            if count >= min(least[one], least[other]) and not self._of_one_group(one, other):
                yield self._pair(one, other, sets)

    def _of_one_group(self, one: int, other: int) -> bool:
        group = self._works[one].group
        return bool(group) and group == self._works[other].group

    def _pair(self, one: int, other: int, sets: list[set[int]]) -> Pair:
        shared = sets[one] & sets[other]
        of_one, of_other = len(shared) / len(sets[one]), len(shared) / len(sets[other])
        share, file, file_near = max(of_one, of_other), "", 0.0
        besides = shared - self._reference
        beyond = len(besides) / min(len(sets[one]), len(sets[other]))
        for work in (self._works[one], self._works[other]):
            for name, prints in work.prints.items():
                own = prints.keys()
                if (count := len(own & besides)) >= LEAST:
                    beyond = max(beyond, count / len(own))
                if (count := len(own & shared)) >= LEAST and count / len(own) > share:
                    share, file = count / len(own), f"{work.who}: {name}"
                    file_near = len(own & self._reference) / len(own)
        return Pair(
            self._works[one],
            self._works[other],
            frozenset(shared),
            of_one,
            of_other,
            file,
            share,
            beyond,
            file_near,
        )


def compare(text: StageText, works: list[Work], threshold: float = THRESHOLD) -> Comparison:
    """Of one stage. `works`: with files that `StageText.of` has chosen."""
    return _Compared(text, works, threshold).run(text.stage)
