# SPDX-License-Identifier: MIT
"""Faults of the kit itself: GRADER_ERROR, exit code 3, and no student loses a point."""

import hashlib
import json
import re
import zipfile

import pytest
from driver import GRADER_FAILED, ROOT, STAGE, kit_copy

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


OTHER = "04_unroll_gemm"


@pytest.fixture
def one_broken(kit):
    file = kit / "assignments" / OTHER / "stage.toml"
    file.write_text('tittle = "slip"\n' + file.read_text())
    return {"CONVKIT_ROOT": str(kit)}


def names_it_once(text):
    return text.count("tittle") == 1 and text.count(f"{OTHER}/stage.toml") == 1


def test_a_broken_stage_stops_no_command_that_concerns_another(convkit, solved, one_broken):
    ran = convkit.run("check", "01", "--dir", solved / STAGE, env=one_broken)
    assert ran.code == 0, ran.out + ran.err
    ran = convkit.grade(solved, "--stage", "1", env=one_broken)
    assert ran.code == 0
    assert [stage["id"] for stage in ran.result["stages"]] == [STAGE]


@pytest.mark.parametrize("command", ["check", "start", "bench", "submit"])
def test_a_broken_stage_is_an_error_where_it_is_asked_for(convkit, one_broken, command):
    ran = convkit.run(command, "04", env=one_broken)
    assert ran.code == GRADER_FAILED
    assert ran.err.startswith("GRADER_ERROR  ") and names_it_once(ran.err)


def test_the_list_of_stages_has_the_others_and_names_the_broken_one(convkit, one_broken):
    ran = convkit.run("list", env=one_broken)
    assert ran.code == GRADER_FAILED
    assert STAGE in ran.out and "05_backward" in ran.out
    assert re.search(rf"^{OTHER} .*its stage.toml is broken$", ran.out, re.MULTILINE)
    assert names_it_once(ran.err)


def test_doctor_has_a_line_for_a_broken_stage(convkit, one_broken):
    ran = convkit.run("doctor", env=one_broken)
    assert ran.code == GRADER_FAILED
    assert names_it_once(ran.out) and "05_backward" in ran.out


@pytest.mark.parametrize("command", [["verify"], ["demo"], ["pack", "students"]])
def test_what_concerns_every_stage_stops_at_a_broken_one(convkit, one_broken, command):
    ran = convkit.run(*command, env=one_broken)
    assert ran.code == GRADER_FAILED
    assert names_it_once(ran.err)


def test_a_submission_is_graded_but_for_the_broken_stage(convkit, solved, one_broken, tmp_path):
    tests = tmp_path / "gradescope.json"
    ran = convkit.grade(solved, "--gradescope", tests, env=one_broken)
    assert ran.code == GRADER_FAILED
    graded, broken = ran.result["stages"]
    assert (graded["id"], graded["status"]) == (STAGE, "PASS")
    assert graded["points"] + graded["pending_points"] == 100
    assert (broken["id"], broken["status"]) == (OTHER, "GRADER_ERROR")
    assert names_it_once(broken["message"]) and "no points were lost" in broken["message"]
    assert names_it_once(ran.err)
    *_, last = json.loads(tests.read_text())["tests"]
    assert last["name"].startswith(OTHER) and last["status"] == "failed"


def test_a_submission_to_the_broken_stage_alone_is_the_kits_fault(convkit, one_broken, tmp_path):
    folder = tmp_path / "submission" / OTHER
    folder.mkdir(parents=True)
    (folder / "gemm.cu").write_text("int a;\n")
    ran = convkit.grade(folder.parent, env=one_broken)
    assert ran.code == GRADER_FAILED
    assert [stage["id"] for stage in ran.result["stages"]] == [OTHER]
    assert "error" not in ran.result


def with_another(convkit, folder, name, edit):
    """The user calls programs of which one, or one library, is `edit(its bytes)`."""
    programs = folder / "bin"
    programs.mkdir()
    for file in convkit.binary.parent.iterdir():
        (programs / file.name).symlink_to(file)
    for copy in (convkit.binary.name, name):
        (programs / copy).unlink()
        data = (convkit.binary.parent / copy).read_bytes()
        (programs / copy).write_bytes(edit(data) if copy == name else data)
        (programs / copy).chmod(0o755)
    convkit.binary = programs / convkit.binary.name


def test_a_runner_that_needs_a_newer_c_library_is_told_in_one_sentence(convkit, solved, tmp_path):
    def newer(data):
        version = max(re.findall(rb"\0(GLIBC_2\.\d+)\0", data), key=len)
        return data.replace(version, version.replace(b"GLIBC_2", b"GLIBC_9"))

    with_another(convkit, tmp_path, f"{STAGE}.runner", newer)
    ran = convkit.judge("check", 1, "--dir", solved / STAGE, "--case", "one_channel_3x3")
    assert ran.code == GRADER_FAILED
    case = ran.case("one_channel_3x3")
    assert case["status"] == "GRADER_ERROR"
    assert re.match(
        r"The kit's runner does not start here: it was built for GLIBC_9\.\d+, and the C library "
        r"of this machine is older\. Build the kit on this machine\.",
        case["message"],
    ), case["message"]


def test_a_library_of_the_kit_that_is_damaged_is_the_kits_fault(convkit, tmp_path):
    with_another(convkit, tmp_path, "libconvkit_simt.so", lambda data: data[:1000])
    folder = ROOT / "solutions/02_direct_conv"
    ran = convkit.judge("check", 2, "--dir", folder, "--device", "cpu", "--case", "vector_of_five")
    assert ran.code == GRADER_FAILED
    assert ran.stage["status"] == "GRADER_ERROR"
    library = convkit.binary.parent / "libconvkit_simt.so"
    assert f"The kit's library {library} is damaged" in ran.stage["message"]


def test_a_runner_that_lacks_a_library_of_its_own_is_the_kits_fault(convkit, tmp_path):
    def another(data):
        assert b"\0libconvkit_simt.so\0" in data
        return data.replace(b"\0libconvkit_simt.so\0", b"\0libconvkit_gone.so\0")

    with_another(convkit, tmp_path, "02_direct_conv.runner_check", another)
    folder = ROOT / "solutions/02_direct_conv"
    ran = convkit.judge("check", 2, "--dir", folder, "--device", "cpu", "--case", "vector_of_five")
    assert ran.code == GRADER_FAILED
    case = ran.case("vector_of_five")
    assert case["status"] == "GRADER_ERROR"
    assert "The runner did not start: " in case["message"]
    assert "libconvkit_gone.so: cannot open shared object file" in case["message"]


def test_a_root_without_a_kit_is_named(convkit, tmp_path):
    ran = convkit.run("list", env={"CONVKIT_ROOT": str(tmp_path)})
    assert ran.code == GRADER_FAILED
    assert ran.err == f"GRADER_ERROR  CONVKIT_ROOT is {tmp_path}, which holds no convkit.\n"
