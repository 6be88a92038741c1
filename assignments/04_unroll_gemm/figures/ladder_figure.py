# SPDX-License-Identifier: MIT
"""The ladder: what each step gained, from the figures of benchmarks/gpu/04_gemm.py."""

from __future__ import annotations

import json
from pathlib import Path

from canvas import (
    INPUT,
    INPUT_EDGE,
    KERNEL,
    KERNEL_EDGE,
    OUTPUT,
    OUTPUT_EDGE,
    PADDING,
    RULE,
    SOFT,
    Svg,
    paragraph,
)

FIGURES = Path(__file__).resolve().parents[3] / "docs/results/gpu-h200-gemm-04.json"
LIBRARY = (PADDING, RULE)
PRODUCT = [
    ("gemm_tiled", "tiled", INPUT, INPUT_EDGE),
    ("gemm_blocked", "blocked", KERNEL, KERNEL_EDGE),
    ("gemm_fast", "fast", OUTPUT, OUTPUT_EDGE),
    ("cublas", "cuBLAS", *LIBRARY),
]
LAYER = [
    ("direct", "direct", INPUT, INPUT_EDGE),
    ("conv2d_gemm", "unroll, own product", KERNEL, KERNEL_EDGE),
    ("conv2d_cublas", "unroll, cuBLAS", KERNEL, KERNEL_EDGE),
    ("conv2d_implicit", "implicit", OUTPUT, OUTPUT_EDGE),
    ("cudnn", "cuDNN", *LIBRARY),
]
LEFT, STEP, HIGH = 180, 26, 20  # where bars begin; from bar to bar; of a bar


def rates(figures: dict, shape: str) -> dict[str, float]:
    """TFLOP/s by contestant."""
    case = next(case for case in figures["results"] if case["shape"].startswith(shape))
    return {row["name"]: row["tflops"] for row in case["rows"]}


def bars(s: Svg, y: float, title: str, seen: dict[str, float], steps: list, wide: float) -> float:
    """Draws a bar for each step and returns where the next group begins."""
    s.text(40, y, title, anchor="start", bold=True)
    y += 12
    for name, label, fill, edge in steps:
        s.text(LEFT - 10, y + 15, label, 13, "end")
        s.rect(LEFT, y, seen[name] * wide, HIGH, fill, edge)
        s.text(LEFT + seen[name] * wide + 8, y + 15, f"{seen[name]:.1f}", 13, "start")
        y += STEP
    s.line(LEFT, y - len(steps) * STEP - 3, LEFT, y - 3, SOFT)
    return y + 30


def ladder() -> str:
    """TFLOP/s of the products at three sizes, and of the convolutions of one layer."""
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    products = {size: rates(figures, "x".join([str(size)] * 3)) for size in (1024, 2048, 4096)}
    layer = rates(figures, "16x64x56x56->64")
    most = max(value for seen in (*products.values(), layer) for value in seen.values())
    wide = 560 / most
    told = [
        f"{size}: " + ", ".join(f"{label} {seen[name]:.1f}" for name, label, *_ in PRODUCT)
        for size, seen in products.items()
    ]
    told.append("layer: " + ", ".join(f"{label} {layer[name]:.1f}" for name, label, *_ in LAYER))
    s = Svg(
        820,
        664,
        "The ladder of stage 04, in TFLOP/s",
        f"Measured on {figures['device']}, in TFLOP/s. {'; '.join(told)}.",
    )
    paragraph(s, 40, 32, f"TFLOP/s in float32, {figures['device']}")
    y = 66.0
    for size, seen in products.items():
        y = bars(s, y, f"product, {size} \u00d7 {size} \u00d7 {size}", seen, PRODUCT, wide)
    title = "convolution, 16\u00d764\u00d756\u00d756 \u2192 64, 3\u00d73"
    bars(s, y, title, layer, LAYER, wide)
    return s.finish()
