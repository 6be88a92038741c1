# SPDX-License-Identifier: MIT
"""Fingerprints by winnowing: S. Schleimer, D. S. Wilkerson, A. Aiken, "Winnowing: Local Algorithms
for Document Fingerprinting", SIGMOD 2003.

The hash of each K tokens in a row is a candidate; of each W candidates in a row the smallest is
kept, of equal ones the last. So a passage of W + K - 1 tokens that two sources share gives both of
them a common fingerprint, and nothing shorter than K tokens does. docs/similarity.md says why K
and W are what they are."""

from __future__ import annotations

K, W = 18, 4

_BASE, _MODULUS = 1_000_003, (1 << 61) - 1
_LEAVES = pow(_BASE, K, _MODULUS)


def hashes(codes: str) -> list[int]:
    """Of each K tokens in a row; of fewer tokens none."""
    if len(codes) < K:
        return []
    numbers = [ord(c) for c in codes]
    value = 0
    for number in numbers[:K]:
        value = (value * _BASE + number) % _MODULUS
    found = [value]
    keep = found.append
    for leaves, enters in zip(numbers, numbers[K:]):
        value = (value * _BASE + enters - leaves * _LEAVES) % _MODULUS
        keep(value)
    return found


def winnow(candidates: list[int]) -> list[tuple[int, int]]:
    """(hash, index of its first token) of those that are kept, in their order."""
    if not candidates:
        return []
    width = min(W, len(candidates))
    kept: list[tuple[int, int]] = []
    at, smallest = -1, 0
    for end in range(width - 1, len(candidates)):
        begin = end - width + 1
        if at < begin:  # the smallest has left: look again, from the right
            smallest = min(candidates[begin : end + 1])
            at = max(i for i in range(begin, end + 1) if candidates[i] == smallest)
        elif candidates[end] <= smallest:
            smallest, at = candidates[end], end
        else:
            continue
        kept.append((smallest, at))
    return kept
