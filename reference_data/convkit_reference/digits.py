# SPDX-License-Identifier: MIT
"""Digits that look handwritten; the kit draws them, so that no image of MNIST is committed.

A digit is a few strokes in the unit square. It is slanted, scaled and moved at random, and drawn
with a soft pen. Only + - * / and sqrt are used, which round the same way on every machine.
"""

from __future__ import annotations

import itertools

import numpy as np

from .random_stream import RandomStream

# Control points (x, y) of each stroke, y downwards; curves pass through them (Catmull-Rom).
_STROKES: tuple[tuple[tuple[tuple[float, float], ...], ...], ...] = (
    (
        ((0.55, 0.02), (0.2, 0.25), (0.15, 0.65), (0.45, 0.98), (0.8, 0.7), (0.82, 0.3),
         (0.55, 0.02)),
    ),
    (((0.35, 0.2), (0.52, 0.03)), ((0.52, 0.03), (0.5, 0.5), (0.5, 0.98))),
    (
        ((0.2, 0.22), (0.45, 0.02), (0.78, 0.2), (0.6, 0.55), (0.15, 0.95)),
        ((0.15, 0.95), (0.5, 0.93), (0.88, 0.95)),
    ),
    (
        ((0.2, 0.12), (0.5, 0.02), (0.78, 0.2), (0.68, 0.42), (0.42, 0.48)),
        ((0.42, 0.48), (0.75, 0.56), (0.8, 0.8), (0.5, 0.98), (0.15, 0.86)),
    ),
    (
        ((0.28, 0.03), (0.22, 0.3), (0.18, 0.55)),
        ((0.18, 0.55), (0.5, 0.56), (0.85, 0.52)),
        ((0.74, 0.03), (0.7, 0.5), (0.68, 0.98)),
    ),
    (
        ((0.8, 0.04), (0.55, 0.04), (0.3, 0.05)),
        ((0.3, 0.05), (0.27, 0.25), (0.24, 0.43)),
        ((0.24, 0.43), (0.55, 0.38), (0.8, 0.62), (0.62, 0.92), (0.18, 0.93)),
    ),
    (
        ((0.7, 0.03), (0.38, 0.28), (0.2, 0.65), (0.4, 0.97), (0.75, 0.85), (0.72, 0.58),
         (0.45, 0.54), (0.24, 0.72)),
    ),
    (
        ((0.15, 0.08), (0.5, 0.07), (0.83, 0.06)),
        ((0.83, 0.06), (0.62, 0.42), (0.45, 0.98)),
    ),
    (
        ((0.72, 0.16), (0.48, 0.02), (0.24, 0.18), (0.42, 0.42), (0.72, 0.66), (0.64, 0.94),
         (0.34, 0.94), (0.22, 0.72), (0.5, 0.46), (0.72, 0.16)),
    ),
    (
        ((0.76, 0.3), (0.62, 0.05), (0.3, 0.1), (0.25, 0.38), (0.5, 0.48), (0.76, 0.3)),
        ((0.76, 0.3), (0.72, 0.6), (0.62, 0.98)),
    ),
)  # fmt: skip

_STEPS = 8  # straight pieces between two control points


def draw_digits(stream: RandomStream, count: int) -> np.ndarray:
    """`count` images [n][1][28][28] of 0, 1, 2, ... in turn; values k / 255, bright strokes."""
    return np.stack([draw_digit(stream, number % 10)[None] for number in range(count)])


def draw_digit(stream: RandomStream, digit: int) -> np.ndarray:
    """One image [28][28]. Like MNIST's: the figure fills about 20 x 20 pixels in the middle."""
    slant, wide, tall, right, down, pen = (
        float(stream.uniform(low, high, 1)[0])
        for low, high in (
            (-0.15, 0.3), (12.0, 16.0), (18.0, 20.0), (-1.0, 1.0), (-1.0, 1.0), (1.0, 1.4)
        )
    )  # fmt: skip
    ink = np.zeros((28, 28))
    rows, columns = np.mgrid[0:28, 0:28].astype(np.float64)
    for stroke in _STROKES[digit]:
        jittered = [
            (x + float(dx), y + float(dy))
            for (x, y), dx, dy in zip(
                stroke,
                stream.uniform(-0.03, 0.03, len(stroke)),
                stream.uniform(-0.03, 0.03, len(stroke)),
            )
        ]
        points = [
            (13.5 + right + (x - 0.5 + slant * (0.5 - y)) * wide, 13.5 + down + (y - 0.5) * tall)
            for x, y in _curve(jittered)
        ]
        for start, end in itertools.pairwise(points):
            distance = _distance(columns, rows, start, end)
            ink = np.maximum(ink, np.clip(pen + 0.5 - distance, 0.0, 1.0))
    return np.floor(ink * 255.0 + 0.5) / 255.0


def _curve(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """A Catmull-Rom spline through the points."""
    ends = [points[0], *points, points[-1]]
    curve = [points[0]]
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:]):
        for step in range(1, _STEPS + 1):
            t = step / _STEPS
            curve.append(tuple(_spline(*axis, t) for axis in zip(a, b, c, d)))
    return curve


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    bend = ((3 * b - 3 * c + d - a) * t + (2 * a - 5 * b + 4 * c - d)) * t + (c - a)
    return b + 0.5 * t * bend


def _distance(x: np.ndarray, y: np.ndarray, start, end) -> np.ndarray:
    """The distance from each pixel to the line segment."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    along = ((x - start[0]) * dx + (y - start[1]) * dy) / length if length > 0 else 0.0 * x
    along = np.clip(along, 0.0, 1.0)
    ox, oy = x - (start[0] + along * dx), y - (start[1] + along * dy)
    return np.sqrt(ox * ox + oy * oy)
