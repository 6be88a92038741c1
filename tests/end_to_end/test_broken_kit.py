# SPDX-License-Identifier: MIT
"""Faults of the kit itself: GRADER_ERROR, exit code 3, and no student loses a point."""

import hashlib
import json
import re
import zipfile

import pytest
from driver import GRADER_FAILED, STAGE, kit_copy

CASES = f"reference_data/visible/{STAGE}"


@pytest.fixture
def kit(tmp_path):
    (tmp_path / "kit").mkdir()
    return kit_copy(tmp_path / "kit")


def spoil(path, what):
    data = path.read_bytes()
    if what == "truncated":
        path.write_bytes(data[: len(data) // 2])
    elif what == "one bit flipped":
        path.write_bytes(data[:-100] + bytes([data[-100] ^ 1]) + data[-99:])
    elif what == "empty":
        path.write_bytes(b"")
    elif what == "missing":
        path.unlink()


def spoil_member(path, what):
    """One tensor of the case dense_batch."""
    numpy = pytest.importorskip("numpy")
    arrays = dict(numpy.load(path))
    if what == "missing":
        del arrays["dense_batch/in.x"]
    elif what == "of another case":
        arrays["dense_batch/in.x"] = arrays["softmax/in.x"]
    numpy.savez(path, **arrays)
    if what == "damaged":
        with zipfile.ZipFile(path) as archive:
            entry = archive.getinfo("dense_batch/in.x.npy")
        data = bytearray(path.read_bytes())
        data[entry.header_offset + 30 + len(entry.filename) + 200] ^= 1
        path.write_bytes(data)


@pytest.mark.parametrize("what", ["truncated", "one bit flipped", "empty", "missing"])
def test_reference_data_that_is(convkit, solved, kit, what):
    spoil(kit / CASES / "cases.npz", what)
    ran = convkit.grade(solved, env={"CONVKIT_ROOT": str(kit)})
    assert ran.code == GRADER_FAILED
    assert ran.stage["status"] == "GRADER_ERROR"
    case = ran.case("dense_batch") if ran.stage["cases"] else ran.stage
    assert "dense_batch" in case["message"]
    assert "no points were lost" in case["message"]
    assert ran.result["points"] + ran.result["pending_points"] == ran.result["max_points"] == 100


@pytest.mark.parametrize("what", ["damaged", "missing", "of another case"])
def test_a_tensor_that_is(convkit, solved, kit, what):
    spoil_member(kit / CASES / "cases.npz", what)
    ran = convkit.grade(solved, env={"CONVKIT_ROOT": str(kit)})
    assert ran.code == GRADER_FAILED
    assert ran.stage["status"] == "GRADER_ERROR"
    assert "dense_batch/in.x" in ran.case("dense_batch")["message"]
    assert "no points were lost" in ran.case("dense_batch")["message"]
    assert ran.result["points"] + ran.result["pending_points"] == ran.result["max_points"] == 100
    others = [case for case in ran.stage["cases"] if case["name"] != "dense_batch"]
    assert {case["status"] for case in others} == {"PASS"}


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"schema": "convkit-manifest-1", "cases": []}'], ids=repr
)
def test_a_manifest_that_reads(convkit, solved, kit, text):
    (kit / CASES / "manifest.json").write_text(text)
    ran = convkit.grade(solved, env={"CONVKIT_ROOT": str(kit)})
    assert ran.code == GRADER_FAILED
    assert "manifest.json" in ran.stage["message"]
    assert "no points were lost" in ran.stage["message"]
    assert ran.result["pending_points"] == ran.result["max_points"] == 100


def test_a_manifest_with_another_checksum(convkit, solved, kit):
    path = kit / CASES / "manifest.json"
    manifest = json.loads(path.read_text())
    entry = next(case for case in manifest["cases"] if case["name"] == "dense_batch")
    entry["tensors"]["out.y"]["sha256"] = "0" * 64
    path.write_text(json.dumps(manifest))
    ran = convkit.grade(solved, env={"CONVKIT_ROOT": str(kit)})
    assert ran.code == GRADER_FAILED
    assert re.search(r"`dense_batch/out\.y` .*sha256", ran.case("dense_batch")["message"])
    assert ran.result["points"] + ran.result["pending_points"] == 100
    others = [case for case in ran.stage["cases"] if case["name"] != "dense_batch"]
    assert {case["status"] for case in others} == {"PASS"}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0])
def test_a_magnitude_that_is(convkit, solved, kit, value):
    numpy = pytest.importorskip("numpy")
    file = kit / CASES / "cases.npz"
    arrays = dict(numpy.load(file))
    arrays["dense_batch/mag.y"].flat[0] = value
    numpy.savez(file, **arrays)
    path = kit / CASES / "manifest.json"
    manifest = json.loads(path.read_text())
    entry = next(case for case in manifest["cases"] if case["name"] == "dense_batch")
    forged = arrays["dense_batch/mag.y"].tobytes()
    entry["tensors"]["mag.y"]["sha256"] = hashlib.sha256(forged).hexdigest()
    path.write_text(json.dumps(manifest))
    ran = convkit.grade(solved, env={"CONVKIT_ROOT": str(kit)})
    assert ran.code == GRADER_FAILED
    assert ran.case("dense_batch")["status"] == "GRADER_ERROR"
    assert "mag.y" in ran.case("dense_batch")["message"]
    assert ran.result["points"] + ran.result["pending_points"] == 100


def test_a_stage_file_with_an_unknown_key_is_named(convkit, solved, kit):
    file = kit / "assignments" / STAGE / "stage.toml"
    file.write_text('tittle = "slip"\n' + file.read_text())
    ran = convkit.run("grade", solved, env={"CONVKIT_ROOT": str(kit)})
    assert ran.code == GRADER_FAILED
    assert "stage.toml" in ran.err and "tittle" in ran.err


def test_a_root_without_a_kit_is_named(convkit, tmp_path):
    ran = convkit.run("list", env={"CONVKIT_ROOT": str(tmp_path)})
    assert ran.code == GRADER_FAILED
    assert ran.err == f"GRADER_ERROR  CONVKIT_ROOT is {tmp_path}, which holds no convkit.\n"
