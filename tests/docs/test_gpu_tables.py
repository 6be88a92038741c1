# SPDX-License-Identifier: MIT
"""The tables of the GPU figures in the documents are what benchmarks/gpu/tables.py writes."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks/gpu"))

import ladders  # noqa: E402
import tables  # noqa: E402
from gpu_figures import behind  # noqa: E402

DOCUMENTS = [
    "assignments/04_unroll_gemm/README.md",
    "assignments/05_backward/README.md",
    "benchmarks/README.md",
]


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "benchmarks/gpu/tables.py", *arguments]
    return subprocess.run(command, text=True, capture_output=True)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the documents and the figures, which a test may change."""
    for name in (*DOCUMENTS, tables.GEMM, tables.BACKWARD):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def change(path: Path, shape: str, name: str, times: float) -> None:
    """Makes one contestant `times` times slower at the shapes whose names begin with `shape`."""
    figures = json.loads(path.read_text())
    rows = [r for c in figures["results"] if c["shape"].startswith(shape) for r in c["rows"]]
    for row in rows:
        if row["name"] == name:
            row["median_ms"] *= times
            row["tflops"] /= times
    path.write_text(json.dumps(figures))


def test_the_tables_in_the_documents_show_the_stored_figures():
    ran = run("--check")
    assert ran.returncode == 0, ran.stderr


def test_a_document_with_old_figures_is_found_and_can_be_written_again(copy):
    change(copy / tables.BACKWARD, "16x64x56x56", "conv2d_wgrad_gemm", 3)
    ran = run("--check", "--root", copy)
    assert ran.returncode == 1
    assert "assignments/05_backward/README.md" in ran.stderr
    assert "04_unroll_gemm" not in ran.stderr  # its figures have not changed
    assert run("--root", copy).returncode == 0
    assert run("--check", "--root", copy).returncode == 0


def test_a_row_says_that_its_target_was_missed(copy):
    change(copy / tables.GEMM, "4096x4096x4096", "gemm_fast", 10)
    assert run("--root", copy).returncode == 0
    rows = (copy / "benchmarks/README.md").read_text().splitlines()
    (row,) = [row for row in rows if "4096³" in row]
    assert row.endswith("x (missed) |")


def test_the_shapes_where_the_library_is_ahead_are_named():
    kind = {
        "1x2x3x4->5 3x3 pad 1 stride 1": {"a": {"median_ms": 2.0}, "b": {"median_ms": 1.0}},
        "9x2x3x4->5 3x3 pad 1 stride 1": {"a": {"median_ms": 1.0}, "b": {"median_ms": 2.0}},
    }
    assert behind(kind, "a", "b", "B") == "B is ahead at 1x2x3x4 (0.50x)."
    assert behind(dict([kind.popitem()]), "a", "b", "B") == "B is ahead nowhere."


LADDER = {
    "title": "Products",
    "step": [
        {"title": "plain", "from": "baseline"},
        {"title": "tiles", "rung": "ladder/tiles.cuh", "in_place_of": "fast/all.cuh"},
        {"title": "all"},
    ],
}


def test_the_ladders_in_the_handouts_show_the_stored_figures():
    ran = subprocess.run(
        [sys.executable, ROOT / "benchmarks/gpu/ladders.py", "--check"],
        text=True,
        capture_output=True,
    )
    assert ran.returncode == 0, ran.stderr


def test_a_step_of_a_ladder_has_its_time_or_a_dash():
    (row,) = [row for row in ladders.ladder_table(LADDER, {}) if "tiles" in row]
    assert row == "| tiles | `ladder/tiles.cuh` | — | — |"
    measured = {"plain": {"median_ms": 3.0}, "tiles": {"median_ms": 1.5}}
    lines = ladders.ladder_table(LADDER, measured)
    assert "| plain | `baseline` | 3.00 | - |" in lines
    assert "| tiles | `ladder/tiles.cuh` | 1.50 | 2.00x |" in lines
    assert "| all | the solution | — | — |" in lines


def test_a_step_that_was_wrong_has_no_figures():
    with pytest.raises(SystemExit, match='"tiles" was not timed: 3 of 4 outputs differ'):
        ladders.ladder_table(LADDER, {"tiles": {"error": "3 of 4 outputs differ"}})


def test_text_outside_the_marks_stays_as_it_is():
    text = f"before\n{tables.BEGIN}\nold\n{tables.END}\nafter\n"
    assert tables.between((tables.BEGIN, tables.END), text, ["new", ""]) == (
        f"before\n{tables.BEGIN}\n\nnew\n\n{tables.END}\nafter\n"
    )
