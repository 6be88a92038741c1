# SPDX-License-Identifier: MIT
"""`bench --chart` without a GPU: the table that a submission measures, and its picture."""

import json
from xml.etree import ElementTree

from driver import PASSED, ROOT, USED_WRONGLY

STAGE = "06_cudnn_port"


def chart(no_cuda, tmp_path, folder, *arguments):
    figures, picture = tmp_path / "figures.json", tmp_path / "chart.svg"
    where = ["--dir", ROOT / folder / STAGE, "--device", "cpu"]
    ran = no_cuda.run("bench", 6, *where, "--json", figures, "--svg", picture, *arguments)
    if figures.exists():
        ran.result = json.loads(figures.read_text())
    return ran, picture


def test_a_chart_shows_what_the_submission_measures(no_cuda, tmp_path):
    ran, picture = chart(no_cuda, tmp_path, "solutions", "--chart")
    assert ran.code == PASSED, ran.err + ran.out
    assert "say nothing about times on a GPU" in ran.out
    (shown,) = ran.result["charts"]
    assert len(shown["shapes"]) == 4
    rows = dict.fromkeys(shown["rows"])
    for shape in shown["shapes"]:
        rows = dict(zip(shown["rows"], shape["cells"], strict=True))
        assert rows["DIRECT"] == [None, None]
        assert rows["IMPLICIT_GEMM"][0] > 0
        assert rows["IMPLICIT_GEMM"][1] == 0
        assert rows["GEMM"][1] > 0
    texts = [
        child.text for child in ElementTree.parse(picture).getroot() if child.tag.endswith("text")
    ]
    assert {*rows, "time, ms", "workspace, KiB", "16 images, 16 maps"} <= set(texts)
    assert no_cuda.left_behind() == []


def test_a_starter_has_no_chart_yet(no_cuda, tmp_path):
    ran, _ = chart(no_cuda, tmp_path, "starter", "--chart", "algorithms")
    assert ran.code == PASSED
    assert ran.out.count("compare_algorithms (task 06.7) is not started.") == 1
    assert "algorithm_times" not in ran.out


def test_an_unknown_chart_is_answered_with_the_nearest(no_cuda, tmp_path):
    ran, _ = chart(no_cuda, tmp_path, "solutions", "--chart", "algorithm")
    assert ran.code == USED_WRONGLY
    assert "has no chart `algorithm`. Did you mean `algorithms`?" in ran.err


def test_bench_ends_with_the_chart_and_counts_no_library(no_cuda, tmp_path):
    ran, picture = chart(no_cuda, tmp_path, "solutions")
    assert ran.code == PASSED, ran.err + ran.out
    assert ran.out.count("launches no kernel itself; the work of a library is not counted") == 3
    assert ran.out.index("not counted") < ran.out.index("WINOGRAD_NONFUSED")
    assert picture.exists()
    assert ran.result["schema"] == "convkit-counts-1"
