#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds, checks and times stage 04 on a GPU, and writes what came out as JSON.

python3 benchmarks/gpu/04_gemm.py --out FILE [-D NAME=VALUE ...] [--sweep] [--sanitize]

Needs nvcc, cuBLAS and cuDNN. -D sets the tile of a product (solutions/04_unroll_gemm says which
names there are); --sweep times gemm_fast with several tiles; --sanitize runs small shapes under
compute-sanitizer first.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STAGE, SOLUTION = "assignments/04_unroll_gemm", "solutions/04_unroll_gemm"

# (large tile, small tile): M, N, K of a block, M, N of a thread.
LARGE = [(128, 128, 16, 8, 8), (128, 128, 8, 8, 8), (128, 64, 16, 8, 8), (256, 128, 8, 8, 8)]
SMALL = [
    (64, 64, 16, 8, 4), (64, 64, 8, 8, 4), (64, 64, 32, 8, 4), (64, 64, 16, 4, 4),
    (64, 64, 16, 8, 8), (128, 64, 16, 8, 4), (128, 64, 8, 8, 8), (64, 128, 16, 8, 8),
]  # fmt: skip


FLAGS = ["-arch=native", "-std=c++17", "-O3", "-Iruntime/include", f"-I{STAGE}", f"-I{SOLUTION}"]
# The baseline and the cuDNN peer define functions of the solution's names.
RENAMED = {
    f"{STAGE}/baseline/gemm.cu": {
        "gemm_fast": "baseline_gemm",
        "gemm_tiled": "baseline_gemm_tiled",
        "gemm_blocked": "baseline_gemm_blocked",
    },
    f"{STAGE}/baseline/direct.cu": {
        "conv2d_implicit": "baseline_conv",
        "conv2d_gemm": "baseline_conv_gemm",
        "conv2d_cublas": "baseline_conv_cublas",
    },
    f"{STAGE}/peers/cudnn.cu": {"conv2d_implicit": "cudnn_conv"},
}


def compile_all(jobs: list[tuple[str, Path, list[str]]]) -> set[Path]:
    """Compiles (source, object, defines) side by side. Returns the objects that came out."""
    running = []
    for source, target, defines in jobs:
        rename = [f"-D{name}={other}" for name, other in RENAMED.get(source, {}).items()]
        command = ["nvcc", *FLAGS, *defines, *rename, "-c", source, "-o", str(target)]
        running.append((target, subprocess.Popen(command, cwd=ROOT)))
    return {target for target, process in running if process.wait() == 0}


def link(objects: list[Path], program: Path) -> Path:
    command = ["nvcc", *map(str, objects), "-lcublas", "-lcudnn", "-o", str(program)]
    subprocess.run(command, check=True, cwd=ROOT)
    return program


def build(folder: Path, defines: list[str]) -> Path:
    """The benchmark with all that it compares; the objects stay in `folder`."""
    sources = [str(path.relative_to(ROOT)) for path in sorted((ROOT / SOLUTION).glob("*.cu"))]
    sources += ["benchmarks/gpu/04_gemm.cu", *RENAMED]
    names = [source.replace("/", "-") + ".o" for source in sources]
    jobs = [(source, folder / name, defines) for source, name in zip(sources, names)]
    if len(compile_all(jobs)) != len(jobs):
        raise SystemExit("It does not compile; see above.")
    return link([target for _, target, _ in jobs], folder / "bench")


def measured(program: Path, *arguments: str) -> dict:
    ran = subprocess.run([str(program), *arguments], stdout=subprocess.PIPE, text=True)
    if ran.returncode != 0:
        print("Something is wrong; see above.", file=sys.stderr)
    return json.loads(ran.stdout)


def table(result: dict) -> None:
    for case in result["results"]:
        first = case["rows"][0]
        for row in case["rows"]:
            ratio = first["median_ms"] / row["median_ms"]
            print(
                f"{case['shape']:40} {row['name']:16} {row['median_ms']:10.4f} ms "
                f"{row['tflops']:8.2f} TFLOP/s  {ratio:6.3f} x {first['name']}"
            )


def sanitized() -> dict:
    """memcheck and racecheck of our own kernels, with the large tiles on small shapes as well."""
    verdicts = {}
    if not shutil.which("compute-sanitizer"):
        print("compute-sanitizer is not on the path.", file=sys.stderr)
        return verdicts
    for multiprocessors in ("132", "0"):
        with tempfile.TemporaryDirectory() as folder:
            defines = ["-DCONVKIT_SMALL", f"-DGEMM_MULTIPROCESSORS={multiprocessors}", "-lineinfo"]
            program = build(Path(folder), defines)
            for tool in ("memcheck", "racecheck"):
                command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "9"]
                ran = subprocess.run(
                    [*command, str(program)],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                )
                said = [line for line in ran.stdout.splitlines() if line.startswith("=====")]
                name = f"{tool}, for {multiprocessors} multiprocessors"
                verdicts[name] = {"exit_code": ran.returncode, "last_line": said[-1:]}
                print(name, verdicts[name])
    return verdicts


def tile_names(prefix: str, tile: tuple[int, ...]) -> list[str]:
    keys = ("TILE_M", "TILE_N", "TILE_K", "THREAD_M", "THREAD_N")
    return [f"-DGEMM_{prefix}_{key}={value}" for key, value in zip(keys, tile)]


def sweep(folder: Path) -> list[dict]:
    """gemm_fast at 1024 with each small tile, at 4096 with each large one. `folder` holds the
    objects of build(): only gemm_fast.cu is compiled anew."""
    own = folder / f"{SOLUTION}/gemm_fast.cu.o".replace("/", "-")
    tiles = [("SMALL", tile) for tile in SMALL] + [("FAST", tile) for tile in LARGE]
    targets = [folder / f"gemm_{k}.object" for k in range(len(tiles))]
    jobs = [
        (f"{SOLUTION}/gemm_fast.cu", target, tile_names(prefix, tile))
        for target, (prefix, tile) in zip(targets, tiles)
    ]
    made, points = compile_all(jobs), []
    for target, (prefix, tile) in zip(targets, tiles):
        if target not in made:
            continue
        others = [path for path in folder.glob("*.o") if path != own]
        target = target.rename(target.with_suffix(".o"))
        program = link([*others, target], folder / "swept")
        target.unlink()
        size = 1024 if prefix == "SMALL" else 4096
        result = measured(program, str(size))
        rows = {row["name"]: row["median_ms"] for row in result["results"][0]["rows"]}
        share = rows["cublas"] / rows["gemm_fast"]
        print(f"{prefix} {tile} at {size}: {rows['gemm_fast']:.4f} ms, {share:.3f} of cuBLAS")
        points.append({"tile": prefix, "sizes": tile, "product": size, "ms": rows})
    return points


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="where the JSON goes")
    parser.add_argument("-D", dest="defines", action="append", default=[], help="NAME=VALUE")
    parser.add_argument("--sweep", action="store_true", help="several tiles of gemm_fast as well")
    parser.add_argument("--sanitize", action="store_true", help="compute-sanitizer as well")
    arguments = parser.parse_args()
    if not shutil.which("nvcc"):
        raise SystemExit("nvcc is not on the path.")
    verdicts = sanitized() if arguments.sanitize else None
    with tempfile.TemporaryDirectory() as name:
        folder, defines = Path(name), [f"-D{define}" for define in arguments.defines]
        result = measured(build(folder, defines)) | {"defines": defines}
        table(result)
        if verdicts is not None:
            result["sanitizer"] = verdicts
        if arguments.sweep:
            result["sweep"] = sweep(folder)
    arguments.out.write_text(json.dumps(result, indent=2) + "\n")
    return 0 if result["all_right"] else 1


if __name__ == "__main__":
    raise SystemExit(main())
