#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of stages 04 and 05 in the documents, from the figures of 04_gemm.py, 05_backward.py.

python3 benchmarks/gpu/tables.py            write them into the documents
python3 benchmarks/gpu/tables.py --check    prove that the documents hold what the figures say
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from gpu_figures import behind, cases, input_size, mean, short, time, times_faster
from markdown_text import between, listed, number, paragraph, table

ROOT = Path(__file__).resolve().parents[2]
GEMM = "docs/results/gpu-h200-gemm-04.json"
BACKWARD = "docs/results/gpu-h200-backward-05.json"
BEGIN, END = "<!-- figures: written by benchmarks/gpu/tables.py -->", "<!-- end of figures -->"
# How both were built and linked; the figures themselves name only the GPU.
CUBLAS = "cuBLAS of CUDA 13.0 without TF32 (`CUBLAS_PEDANTIC_MATH`)"
CUDNN = "cuDNN 9.14, the fastest of all its algorithms, `CUDNN_FMA_MATH`"
# The shapes for which the course promises something.
BARS = ["16x64x56x56", "10000x1x86x86", "10000x4x40x40", "16x4x32x32"]
NEAR_PEAK = 60  # TFLOP/s; the data sheets of H100 and H200 say 67 in float32
FAST = {"xgrad": "conv2d_xgrad_gemm", "wgrad": "conv2d_wgrad_gemm"}


def products(figures: dict) -> list[str]:
    rows = []
    names = ["gemm_tiled", "gemm_blocked", "gemm_fast"]
    for shape, seen in cases(figures, "product").items():
        row = [shape]
        for name in names:
            share = times_faster(seen, name, "cublas")
            row.append(f"{number(seen[name]['tflops'])} ({number(share)}x)")
        rows.append([*row, number(seen["cublas"]["tflops"]), time(seen["gemm_fast"])])
    header = ["m x n x k", *[f"`{name}`" for name in names], "cuBLAS", "`gemm_fast`, ms"]
    return table(header, rows)


def convolutions(figures: dict) -> list[str]:
    kind = cases(figures, "convolution")
    names = ["direct", "conv2d_gemm", "conv2d_cublas", "conv2d_implicit", "cudnn"]
    rows = []
    for shape, seen in kind.items():
        row = [short(shape), *[time(seen[name]) for name in names]]
        row.append(number(seen["conv2d_implicit"]["tflops"]))
        rows.append([*row, f"{number(times_faster(seen, 'conv2d_implicit', 'cudnn'))}x"])
    header = ["ms", "direct", "unroll, own product", "unroll, cuBLAS", "implicit", "cuDNN"]
    return table([*header, "implicit, TFLOP/s", "cuDNN's time / implicit"], rows)


def handout_04(figures: dict) -> list[str]:
    kind = cases(figures, "convolution")
    lines = [
        *paragraph(
            f"{figures['device']}; medians, everything checked before it was timed.",
            f"Peers: {CUBLAS}; {CUDNN}.",
        ),
        *paragraph("Products, in TFLOP/s, and in brackets against cuBLAS:"),
        *products(figures),
        *paragraph(
            "Convolutions with bias, in milliseconds; those that unroll have a workspace of at",
            "most 256 MiB. The last column is cuDNN's time divided by that of `conv2d_implicit`:",
            "above 1, `conv2d_implicit` is the faster one.",
        ),
        *convolutions(figures),
        *paragraph(behind(kind, "conv2d_implicit", "cudnn", "cuDNN"), item=True),
    ]
    above = [
        f"{input_size(shape)} ({number(rows['cudnn']['tflops'])} TFLOP/s)"
        for shape, rows in kind.items()
        if rows["cudnn"]["tflops"] > NEAR_PEAK
    ]
    if above:
        lines += paragraph(
            f"At {listed(above)} its rate, counted in the products of the plain sum, is near or",
            "above the peak of the GPU: such a rate takes an algorithm with fewer products.",
            item=True,
        )
    slower = [
        input_size(shape)
        for shape, rows in kind.items()
        if times_faster(rows, "conv2d_gemm", "direct") < 1
    ]
    if slower:
        lines += paragraph(
            f"Unrolling is slower than the direct kernel at {listed(slower)}: the matrix costs",
            "more than its product saves.",
            item=True,
        )
    return lines


def gradients(figures: dict, which: str) -> list[str]:
    other = {
        "xgrad": ["conv2d_xgrad_scatter", "conv2d_xgrad_gather"],
        "wgrad": ["conv2d_wgrad_scatter", "conv2d_wgrad"],
    }[which]
    fast, rows = FAST[which], []
    for shape, seen in cases(figures, which).items():
        row = [short(shape)]
        row += [time(seen.get(name)) for name in ("baseline", *other, fast, "cudnn")]
        row.append(number(seen[fast]["tflops"]))
        rows.append([*row, f"{number(times_faster(seen, fast, 'cudnn'))}x"])
    header = [f"{which}, ms", "baseline", *[f"`{name}`" for name in other], f"`{fast}`", "cuDNN"]
    return table([*header, "fast, TFLOP/s", "cuDNN's time / fast"], rows)


def handout_05(figures: dict) -> list[str]:
    lines = paragraph(
        f"{figures['gpu']}; medians, everything checked before it was timed. Peer: {CUDNN}.",
        "Baseline: a thread for each element of dx, a block for each tap of dw.",
        "A hyphen: not measured. The last column is cuDNN's time divided by that of the fast",
        "function: above 1, the fast function is the faster one.",
    )
    for which in FAST:
        lines += gradients(figures, which)
    for which, name in FAST.items():
        kind = cases(figures, which)
        ratio = mean([times_faster(rows, name, "cudnn") for rows in kind.values()])
        said = f"{which}: {number(ratio)}x cuDNN in the geometric mean."
        lines += paragraph(said, behind(kind, name, "cudnn", "cuDNN"), item=True)
    for which, plain in (("xgrad", "conv2d_xgrad_gather"), ("wgrad", "conv2d_wgrad")):
        faster = [
            input_size(shape)
            for shape, seen in cases(figures, which).items()
            if plain in seen and times_faster(seen, plain, FAST[which]) > 1
        ]
        if faster:
            said = f"`{plain}` is faster than `{FAST[which]}` at {listed(faster)}."
            lines += paragraph(said, item=True)
    slower = [
        input_size(shape)
        for shape, seen in cases(figures, "wgrad").items()
        if "conv2d_wgrad" in seen and times_faster(seen, "conv2d_wgrad", "baseline") < 1
    ]
    if slower:
        said = (
            f"`conv2d_wgrad`, two levels of sums, is slower than the baseline at {listed(slower)}."
        )
        lines += paragraph(said, item=True)
    same = {
        f"`{row['name']}`"
        for case in figures["results"]
        for row in case["rows"]
        if row["same_bits"] and row["name"] != "baseline"
    }
    said = f"Run 20 times, with the same bits each time: {listed(sorted(same))}."
    return lines + paragraph(said, item=True)


def verdict(value: float, bar: float) -> str:
    return f"{number(value)}x" + ("" if value >= bar else " (missed)")


def benchmarks(gemm: dict, backward: dict) -> list[str]:
    rows = []
    product = cases(gemm, "product")
    for size in ("1024", "4096"):
        seen = product["x".join([size] * 3)]
        share = times_faster(seen, "gemm_fast", "cublas")
        rows.append([f"`gemm_fast` / cuBLAS, {size}³", "0.8x", verdict(share, 0.8)])
    for shape, seen in cases(gemm, "convolution").items():
        if input_size(shape) in BARS:
            ratio = times_faster(seen, "conv2d_implicit", "conv2d_gemm")
            rows.append([f"implicit / unrolled, {short(shape)}", "1x", verdict(ratio, 1)])
    for which, name in FAST.items():
        for shape, seen in cases(backward, which).items():
            if input_size(shape) in BARS:
                ratio = times_faster(seen, name, "cudnn")
                few = int(shape.split("x")[1]) <= 4
                said = verdict(ratio, 1) if few else f"{number(ratio)}x"
                rows.append([f"{which} / cuDNN, {short(shape)}", "1x" if few else "-", said])
    lines = paragraph(
        f"{gemm['device']}; medians, float32 without tensor cores for everybody.",
        f"Peers: {CUBLAS}; {CUDNN}. From [{Path(GEMM).name}](../{GEMM})",
        f"and [{Path(BACKWARD).name}](../{BACKWARD}).",
    )
    lines += table(["times as fast as", "aim", "measured"], rows)
    forward = behind(cases(gemm, "convolution"), "conv2d_implicit", "cudnn", "cuDNN")
    lines += paragraph("Forward:", forward, item=True)
    for which, name in FAST.items():
        ahead = behind(cases(backward, which), name, "cudnn", "cuDNN")
        lines += paragraph(f"{which}:", ahead, item=True)
    return lines


def documents(gemm: dict, backward: dict) -> dict[str, list[str]]:
    return {
        "assignments/04_unroll_gemm/README.md": handout_04(gemm),
        "assignments/05_backward/README.md": handout_05(backward),
        "benchmarks/README.md": benchmarks(gemm, backward),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--root", type=Path, default=ROOT, help="of the kit (default: this one)")
    arguments = parser.parse_args()
    root = arguments.root
    gemm, backward = (json.loads((root / name).read_text()) for name in (GEMM, BACKWARD))
    stale = []
    for name, lines in documents(gemm, backward).items():
        text = (root / name).read_text(encoding="utf-8")
        fresh = between((BEGIN, END), text, lines)
        if not arguments.check:
            (root / name).write_text(fresh, encoding="utf-8")
        elif fresh != text:
            stale.append(name)
    if stale:
        print(f"Not what tables.py writes: {', '.join(stale)}. Run it and commit.", file=sys.stderr)
        return 1
    print(f"3 documents {'are up to date' if arguments.check else 'written'}.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
