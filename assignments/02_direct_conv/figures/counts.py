# SPDX-License-Identifier: MIT
"""The arithmetic behind the figures, so that a picture cannot disagree with its numbers."""

from __future__ import annotations

WARP = 32
SECTOR_FLOATS = 8  # 32 bytes, the smallest piece of global memory that is fetched

TILE_ROWS, TILE_COLS = 8, 32  # of the outputs of one block
OUTPUT_ROWS, OUTPUT_COLS = 21, 43  # the example's feature map


def tiles(count: int, size: int) -> int:
    return -(-count // size)


def place(block: int, thread_x: int, thread_y: int) -> tuple[int, int]:
    """Row and column of a thread's output, by the formula of the handout."""
    tiles_w = tiles(OUTPUT_COLS, TILE_COLS)
    return block // tiles_w * TILE_ROWS + thread_y, block % tiles_w * TILE_COLS + thread_x


def idle_threads() -> tuple[int, int]:
    """Threads outside of the example's feature map, and all threads."""
    every = tiles(OUTPUT_ROWS, TILE_ROWS) * TILE_ROWS * tiles(OUTPUT_COLS, TILE_COLS) * TILE_COLS
    return every - OUTPUT_ROWS * OUTPUT_COLS, every


def sectors(addresses: list[int]) -> set[int]:
    """The sectors that hold these elements of a float array, whose first one starts a sector."""
    return {address // SECTOR_FLOATS for address in addresses}
