# SPDX-License-Identifier: MIT
"""What 04_gemm.py and 05_backward.py have written: contestants by shape, and how they compare."""

from __future__ import annotations

from math import exp, log

from markdown_text import listed, number


def time(row: dict | None) -> str:
    """Milliseconds; nothing finer than a microsecond."""
    return "-" if row is None else f"{row['median_ms']:.{2 if row['median_ms'] >= 1 else 3}f}"


def cases(figures: dict, kind: str) -> dict[str, dict]:
    """The contestants by name, for each shape."""
    return {
        case["shape"]: {row["name"]: row for row in case["rows"]}
        for case in figures["results"]
        if case["kind"] == kind
    }


def times_faster(rows: dict, name: str, than: str) -> float:
    return rows[than]["median_ms"] / rows[name]["median_ms"]


def input_size(shape: str) -> str:
    return shape.split("->")[0].strip()


def short(shape: str) -> str:
    """16x64x56x56->64 3x3 pad 1 stride 1, with or without commas: 16x64x56x56 → 64, 3x3, pad 1"""
    before, after = shape.replace(",", "").split("->")
    maps, kernel, *rest = after.split()
    said = [f"{word} {value}" for word, value in zip(rest[::2], rest[1::2])]
    said = [part for part in said if part not in ("pad 0", "stride 1")]
    return ", ".join([f"{before.strip()} → {maps}", kernel, *said])


def behind(kind: dict[str, dict], name: str, peer: str, library: str) -> str:
    """One sentence: where the library is ahead, the farthest first."""
    ratios = sorted((times_faster(rows, name, peer), shape) for shape, rows in kind.items())
    lost = [f"{input_size(shape)} ({number(ratio)}x)" for ratio, shape in ratios if ratio < 1]
    if not lost:
        return f"{library} is ahead nowhere."
    return f"{library} is ahead at {listed(lost)}."


def mean(ratios: list[float]) -> float:
    return exp(sum(map(log, ratios)) / len(ratios))
