# SPDX-License-Identifier: MIT
"""The arithmetic behind the figures, so that a picture cannot disagree with its numbers."""

from __future__ import annotations

import math
import random
import statistics
import struct

Matrix = list[list[float]]

# The worked example of the handout: one channel, no padding, stride 1.
X: Matrix = [[1, 0, 2, 1], [3, 1, 0, 2], [0, 2, 1, 1], [2, 1, 3, 0]]
W: Matrix = [[1, 2, 0], [0, 1, -1], [3, 0, 1]]

# Padding in pooling: all elements negative, so that a zero would win.
POOL_X: Matrix = [[-4, -1, -3], [-2, -5, -6], [-7, -2, -8]]

# Task 01.6, the layers with weights: (filters, products of one output, outputs of one filter).
LENET = ((6, 25, 28 * 28), (16, 6 * 25, 10 * 10), (120, 400, 1), (84, 120, 1), (10, 84, 1))

UNIT_ROUNDOFF = 2.0**-24


def lenet_parameters() -> int:
    return sum(outputs * (inputs + 1) for outputs, inputs, _ in LENET)


def lenet_products() -> int:
    return sum(outputs * inputs * places for outputs, inputs, places in LENET)


def rotate180(w: Matrix) -> Matrix:
    return [row[::-1] for row in w[::-1]]


def cross_correlation(x: Matrix, w: Matrix) -> Matrix:
    kh, kw = len(w), len(w[0])
    return [
        [
            sum(x[i + p][j + q] * w[p][q] for p in range(kh) for q in range(kw))
            for j in range(len(x[0]) - kw + 1)
        ]
        for i in range(len(x) - kh + 1)
    ]


def output_size(size: int, kernel: int, pad: int = 0, stride: int = 1, dilation: int = 1) -> int:
    return (size + 2 * pad - dilation * (kernel - 1) - 1) // stride + 1


def same_padding(size: int, kernel: int, stride: int, dilation: int = 1) -> tuple[int, int]:
    outputs = -(-size // stride)
    total = max(0, (outputs - 1) * stride + dilation * (kernel - 1) + 1 - size)
    return total // 2, total - total // 2


def pool_windows(x: Matrix, kernel: int, pad: int, stride: int) -> list[list[float]]:
    """The elements of x inside each window, windows in row-major order."""
    out = output_size(len(x), kernel, pad, stride)
    windows = []
    for i in range(out):
        for j in range(out):
            rows = range(i * stride - pad, i * stride - pad + kernel)
            columns = range(j * stride - pad, j * stride - pad + kernel)
            windows.append(
                [x[r][c] for r in rows for c in columns if 0 <= r < len(x) and 0 <= c < len(x[0])]
            )
    return windows


def gamma(n: int) -> float:
    return n * UNIT_ROUNDOFF / (1 - n * UNIT_ROUNDOFF)


def float32(value: float) -> float:
    return struct.unpack("<f", struct.pack("<f", value))[0]


def sum_float32(start: float, terms: list[float]) -> float:
    """Left to right, rounded to float32 after every addition."""
    total = start
    for term in terms:
        total = float32(total + term)
    return total


def rounding_example(count: int = 576, bias: float = 0.25) -> dict[str, float]:
    """One output element with `count` random products, summed in float32 in five orders.

    A product or sum of two float32 numbers is computed in float64 and rounded once, which gives
    the float32 result exactly.
    """
    source = random.Random(1)
    x = [float32(source.uniform(-1, 1)) for _ in range(count)]
    w = [float32(source.uniform(-1, 1)) for _ in range(count)]
    exact = [a * b for a, b in zip(x, w, strict=True)]
    rounded = [float32(product) for product in exact]
    reference = math.fsum([*exact, bias])
    magnitude = math.fsum([*map(abs, exact), abs(bias)])
    lanes = [sum_float32(0.0, rounded[lane::8]) for lane in range(8)]
    sums = [
        sum_float32(bias, rounded),
        sum_float32(bias, rounded[::-1]),
        sum_float32(bias, rounded[::2] + rounded[1::2]),
        sum_float32(bias, sorted(rounded, key=abs)),
        float32(sum_float32(0.0, lanes) + bias),
    ]
    allowed = gamma(count + 1) * magnitude
    changes = [2 * abs(product) for product in exact]  # of the result, by one flipped sign
    return {
        "reference": reference,
        "magnitude": magnitude,
        "allowed": allowed,
        "largest_error": max(abs(total - reference) for total in sums),
        "median_flip": statistics.median(changes) / allowed,
        "flips_caught": sum(change > 2 * allowed for change in changes) / count,
    }
