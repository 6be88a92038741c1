# SPDX-License-Identifier: MIT
"""The arithmetic behind the figures and the tables of the handout.

python3 tile_counts.py     prints the tables
"""

from __future__ import annotations

import math
from collections import Counter

WARP = 32
BANKS = 32
SECTOR = 8  # floats that move together between the caches: 32 bytes
LINE = 32  # floats of a cache line: 128 bytes

# For the tables: an H200, by its data sheet.
TFLOPS, TERABYTES = 67, 4.8
# (n, c, h = w, m, k, pad)
SHAPES = ((10000, 1, 86, 4, 7, 0), (10000, 4, 40, 16, 7, 0), (16, 64, 56, 64, 3, 1))
# (maps, rows, windows of neighbouring rows share what is loaded)
REGISTER_TILES = ((1, 1, False), (4, 1, False), (4, 8, False), (4, 8, True), (8, 7, True))


def input_extent(outputs: int, stride: int, kernel: int, dilation: int) -> int:
    return (outputs - 1) * stride + (kernel - 1) * dilation + 1


def loads_per_output(tile_h: int, tile_w: int, kernel: int) -> float:
    """Elements of the input tile for each output of it, stride 1."""
    return (tile_h + kernel - 1) * (tile_w + kernel - 1) / (tile_h * tile_w)


def outputs_of_block(block_h: int, block_w: int, kernel: int) -> int:
    """Strategy 1: what a block that is as large as its input tile computes."""
    return (block_h - kernel + 1) * (block_w - kernel + 1)


def loads_per_product(maps: int, rows: int, kernel: int, shared_windows: bool) -> float:
    """Loads from shared memory for each multiply-add of a thread: elements of x one by one, weights
    of neighbouring maps four at a time. Counted over a column of the kernel, in one channel."""
    elements = rows + kernel - 1 if shared_windows else rows * kernel
    weights = kernel * math.ceil(maps / 4)
    return (elements + weights) / (maps * rows * kernel)


def bank_turns(addresses: list[int]) -> int:
    """How many times in a row shared memory is read for one load of a warp."""
    return max(Counter(address % BANKS for address in set(addresses)).values())


def sectors(addresses: list[int]) -> int:
    return len({address // SECTOR for address in addresses})


def passes(rows: int, cols: int, block_h: int, block_w: int) -> int:
    """Strategy 2: how many elements the busiest thread loads."""
    return math.ceil(rows / block_h) * math.ceil(cols / block_w)


def main() -> None:
    print("strategy 1, block 16 x 32: outputs, share of the threads, loads per output")
    for k in (1, 3, 5, 7):
        outputs = outputs_of_block(16, 32, k)
        print(f"  {k}x{k}: {outputs}  {outputs / 512:.0%}  {512 / outputs:.2f}")
    print("strategy 2: loads per output, 1x1 to 7x7")
    for tile in ((8, 8), (16, 16), (8, 32), (32, 32)):
        print(f"  {tile}:", *(f"{loads_per_output(*tile, k):.2f}" for k in (1, 3, 5, 7)))
    print("loads per multiply-add, 3x3 and 7x7")
    for maps, rows, shared in REGISTER_TILES:
        loads = (f"{loads_per_product(maps, rows, k, shared):.3f}" for k in (3, 7))
        print(f"  {maps} x {rows}:", *loads)
    print("shapes: GFLOP, MB, FLOP per byte, ms of arithmetic, ms of memory")
    for n, c, size, m, k, pad in SHAPES:
        out = size + 2 * pad - k + 1
        flop = 2 * n * m * out * out * c * k * k
        moved = 4 * (n * c * size * size + m * c * k * k + m + n * m * out * out)
        print(
            f"  {n}x{c}x{size}: {flop / 1e9:.2f} {moved / 1e6:.1f} {flop / moved:.1f} "
            f"{flop / TFLOPS / 1e9:.4f} {moved / TERABYTES / 1e9:.4f}"
        )


if __name__ == "__main__":
    main()
