# SPDX-License-Identifier: MIT
"""What may be handed in, and what is refused: one clear sentence, exit code 1, nothing judged."""

import io
import os
import re
import shutil
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path

import pytest
from driver import FALLS_SHORT, PASSED, SOLUTION, STAGE, USED_WRONGLY, changed, submission

FILES = {file.name: file.read_bytes() for file in sorted(SOLUTION.iterdir())}


def member(name: str, content: bytes = b"", **fields) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, content


def make_tar(path, members, mode="w"):
    with tarfile.open(path, mode) as archive:
        for info, content in members:
            archive.addfile(info, io.BytesIO(content))
    return path


def make_zip(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def zip_of_zeros(name: str, megabytes: int) -> bytes:
    """A zip with one file; its deflated blocks, a megabyte each, are all the same."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = deflate.compress(bytes(1 << 20)) + deflate.flush(zlib.Z_FULL_FLUSH)
    data = block * megabytes + deflate.flush()
    sizes = struct.pack("<III", 0, len(data), megabytes << 20)  # the checksum comes too late
    fields = struct.pack("<HHHHH", 20, 0, 8, 0, 0x21) + sizes + struct.pack("<HH", len(name), 0)
    local = b"PK\3\4" + fields + name.encode() + data
    central = b"PK\1\2" + struct.pack("<H", 20) + fields + bytes(14) + name.encode()
    end = struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)
    return local + central + b"PK\5\6" + end


@pytest.mark.parametrize("top", [f"{STAGE}/", f"ada-hw1/{STAGE}/", "hw1/", ""], ids=repr)
@pytest.mark.parametrize("form", ["folder", "zip", "tar", "tar.gz", "tar.xz"])
def test_every_form_of_the_solution_passes(convkit, tmp_path, form, top):
    path = tmp_path / f"ada.{form}"
    if form == "folder":
        (path / top).mkdir(parents=True)
        for name, content in FILES.items():
            (path / top / name).write_bytes(content)
    elif form == "zip":
        make_zip(path, {top + name: content for name, content in FILES.items()})
    else:
        mode = "w:" + form.partition(".")[2]
        make_tar(path, [member(top + name, content) for name, content in FILES.items()], mode)
    ran = convkit.grade(path)
    assert ran.code == PASSED, ran.out + ran.err
    assert ran.result["points"] == 80
    assert ran.result["submission"]["name"] == path.name
    assert convkit.left_behind() == []


def refused(convkit, path) -> str:
    """The sentence that refuses a submission; the result has the same sentence."""
    ran = convkit.grade(path)
    assert ran.code == FALLS_SHORT, ran.out + ran.err
    assert ran.result["stages"] == []
    sentence = ran.result["error"]
    assert ran.out.count(sentence) == 1
    assert "\n" not in sentence and sentence.endswith(".")
    assert convkit.left_behind() == []
    return sentence


BAD_TARS = {
    "a path with ..": (
        member("../evil.cpp", b"x"),
        "`bad.tar` contains `../evil.cpp`, a path with `..`",
    ),
    "an absolute path": (
        member("/tmp/evil.cpp", b"x"),
        "`bad.tar` contains `/tmp/evil.cpp`, an absolute path",
    ),
    "a link": (
        member("hw/dense.cpp", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
        "`bad.tar` contains the link `hw/dense.cpp`; links are not accepted",
    ),
    "a hard link": (
        member("hw/dense.cpp", type=tarfile.LNKTYPE, linkname="hw/conv2d.cpp"),
        "`bad.tar` contains the hard link `hw/dense.cpp`; links are not accepted",
    ),
    "a named pipe": (
        member("hw/dense.cpp", type=tarfile.FIFOTYPE),
        "`bad.tar` contains the named pipe `hw/dense.cpp`; only files and folders are accepted",
    ),
    "a device": (
        member("hw/dense.cpp", type=tarfile.CHRTYPE, devmajor=1, devminor=5),
        "`bad.tar` contains the device `hw/dense.cpp`; only files and folders are accepted",
    ),
}


@pytest.mark.parametrize("case", BAD_TARS)
def test_an_archive_is_refused_for(convkit, tmp_path, case):
    bad, sentence = BAD_TARS[case]
    path = make_tar(tmp_path / "bad.tar", [member("hw/conv2d.cpp", FILES["conv2d.cpp"]), bad])
    assert refused(convkit, path).startswith(sentence)


def test_a_folder_with_a_link_is_refused(convkit, handed_in):
    folder = handed_in({"dense.cpp": None})
    (folder / STAGE / "dense.cpp").symlink_to("/etc/passwd")
    assert refused(convkit, folder) == (
        f"`ada` contains the link `{STAGE}/dense.cpp`; links are not accepted: replace it with "
        "the file itself."
    )


def test_an_empty_archive_is_refused(convkit, tmp_path):
    assert refused(convkit, make_zip(tmp_path / "a.zip", {})) == "`a.zip` holds no files."
    assert refused(convkit, make_tar(tmp_path / "a.tar", [])) == "`a.tar` holds no files."
    (tmp_path / "b.zip").write_bytes(b"")
    assert refused(convkit, tmp_path / "b.zip") == (
        "`b.zip` is an empty file (0 bytes): pack and upload it again."
    )


def test_a_corrupt_zip_is_refused(convkit, tmp_path):
    good = make_zip(tmp_path / "good.zip", FILES).read_bytes()
    bad = tmp_path / "bad.zip"
    bad.write_bytes(good[: len(good) // 2])
    assert refused(convkit, bad) == (
        "`bad.zip` is a zip whose end is missing or damaged, as after an interrupted upload: "
        "pack and upload it again."
    )
    first = next(iter(FILES))
    bad.write_bytes(good[:200] + bytes(60) + good[260:])
    assert re.match(
        rf"`{first}` in `bad\.zip` cannot be unpacked \(.*\): pack", refused(convkit, bad)
    )


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2])
def test_a_zip_need_not_be_deflated(convkit, tmp_path, method):
    with zipfile.ZipFile(tmp_path / "ada.zip", "w", method) as archive:
        for name, content in FILES.items():
            archive.writestr(name, content)
    assert convkit.grade(tmp_path / "ada.zip", timeout=120).code == PASSED


def test_a_zip_whose_files_ask_for_gigabytes_to_be_unpacked_is_refused(convkit, tmp_path):
    """LZMA's dictionary may have 4 GiB, allocated before the first byte comes out."""
    path = tmp_path / "ada.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("sigmoid.cpp", b"int i;")
    at = path.read_bytes().index(b"\x5d\0\0") + 1  # the dictionary's size, after the properties
    path.write_bytes(path.read_bytes()[:at] + b"\xff" * 4 + path.read_bytes()[at + 4 :])
    assert refused(convkit, path) == (
        "`sigmoid.cpp` in `ada.zip` is packed by the method lzma. Pack it with Deflate, the "
        "method that zip uses by default."
    )


def test_a_zip_bomb_is_refused_before_it_fills_the_disk(convkit, tmp_path):
    path = tmp_path / "bomb.zip"
    path.write_bytes(zip_of_zeros("hw/data.bin", megabytes=3000))
    assert re.search(r"`bomb\.zip`.*MiB", refused(convkit, path))
    used = sum(f.stat().st_size for f in convkit.temporary.rglob("*"))
    assert used == 0


def test_many_files_are_refused(convkit, tmp_path):
    path = make_zip(tmp_path / "many.zip", {f"hw/{i}.txt": b"" for i in range(3000)})
    assert "`many.zip` contains more than 2000 files" in refused(convkit, path)


def two_folders(folder: Path, wrong: str) -> Path:
    """Two copies of the stage, all files of the same age; the function is wrong in one of them."""
    for name in ("final", "old"):
        changes = changed("dense.cpp", "softmax_forward", "") if name == wrong else None
        submission(folder / name, changes)
    for file in folder.rglob("*"):
        os.utime(file, (1e9, 1e9))
    return folder


TWO_PLACES = f"Stage {STAGE} is in 2 places, `final/{STAGE}` and `old/{STAGE}`"
ALONE = "To have another one graded, hand in that one alone."


@pytest.mark.parametrize("form", ["folder", "zip", "tar.gz"])
def test_of_two_folders_for_one_stage_the_newer_one_is_graded(convkit, tmp_path, form):
    two = two_folders(tmp_path / "two", wrong="final")
    for file in (two / "old").rglob("*"):
        os.utime(file, (1.1e9, 1.1e9))
    forms = {"zip": "zip", "tar.gz": "gztar"}
    if form != "folder":
        two = Path(shutil.make_archive(str(tmp_path / "ada"), forms[form], two))
    ran = convkit.grade(two)
    assert (ran.code, ran.stage["status"]) == (PASSED, "PASS")
    note = f"{TWO_PLACES}. `old/{STAGE}` is graded, which was saved last. {ALONE}"
    assert note in ran.result["notes"]
    assert f"Note: {note}\n" in ran.out


def test_two_folders_with_the_same_files_are_one(convkit, tmp_path):
    ran = convkit.grade(two_folders(tmp_path / "two", wrong="neither"))
    assert (ran.code, ran.stage["status"]) == (PASSED, "PASS")
    assert f"{TWO_PLACES}. They hold the same files of the stage." in ran.result["notes"]


def test_two_folders_of_which_none_is_better_are_refused(convkit, tmp_path):
    assert refused(convkit, two_folders(tmp_path / "two", wrong="old")) == (
        f"{TWO_PLACES}, equally complete and equally old; hand in one of them."
    )


def test_a_submission_without_any_stage_says_what_it_holds(convkit, tmp_path):
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "essay.txt").write_text("Convolution is")
    assert "it holds `essay.txt`, but no folder such as" in refused(convkit, tmp_path / "ada")


@pytest.mark.parametrize("name", ["Dense.cpp", "denes.cpp", "dense(1).cpp", "dense.cc"])
def test_a_wrong_file_name_is_answered_with_the_nearest(convkit, handed_in, name):
    ran = convkit.grade(handed_in({"dense.cpp": None, name: FILES["dense.cpp"]}))
    assert ran.code == FALLS_SHORT
    assert ran.stage["notes"] == [
        f"`dense.cpp` is missing: graded as not started (`{name}` is there: rename it?)."
    ]
    assert {case["status"] for case in ran.cases_of("dense_forward")} == {"NOT_STARTED"}


def test_finished_tasks_earn_their_points_when_other_files_are_missing(convkit, handed_in):
    kept = ("conv2d.cpp", "pooling.cpp")
    ran = convkit.grade(handed_in({name: None for name in FILES if name not in kept}))
    assert ran.code == FALLS_SHORT
    assert "`lenet.cpp` is missing: graded as not started." in ran.stage["notes"]
    passed = {group["name"] for group in ran.stage["groups"] if group["passed"] == group["total"]}
    assert {"conv", "conv_shapes", "pooling"} <= passed


def test_a_stage_folder_without_any_of_its_files_earns_nothing(convkit, tmp_path):
    folder = tmp_path / "ada" / STAGE
    folder.mkdir(parents=True)
    (folder / "essay.txt").write_text("Convolution is")
    ran = convkit.grade(tmp_path / "ada")
    assert ran.stage["status"] == "BUILD_FAILED"
    assert "`conv2d.cpp` is missing" in ran.stage["message"]


def test_an_older_version_in_a_folder_of_its_own_is_not_compiled(convkit, handed_in):
    ran = convkit.grade(handed_in({"old/conv2d.cpp": FILES["conv2d.cpp"]}))
    assert ran.code == PASSED, ran.out
    assert ran.stage["notes"] == ["`old/conv2d.cpp` is in a subfolder, so it was not compiled."]


def test_a_copy_of_a_file_is_left_out(convkit, handed_in):
    ran = convkit.grade(handed_in({"a conv2d (copy).cpp": FILES["conv2d.cpp"]}))
    assert ran.code == PASSED, ran.out
    assert (
        "is defined in `conv2d.cpp`, and again in `a conv2d (copy).cpp`, which was left out. It is "
        "not one of the stage's files: if it is a copy or a test of yours, remove it."
    ) in ran.out


def test_of_two_files_with_a_helper_of_one_name_one_is_graded(convkit, handed_in):
    helper = b"int ceil_div(int a, int b) { return (a + b - 1) / b; }\n"
    ran = convkit.grade(
        handed_in({name: FILES[name] + helper for name in ["activations.cpp", "dense.cpp"]})
    )
    assert ran.stage["status"] == "BUILD_FAILED"
    failed = {case["op"] for case in ran.stage["cases"] if case["status"] == "BUILD_FAILED"}
    assert failed == {"dense_forward", "softmax_forward", "lenet_forward"}
    assert (
        "`ceil_div(int, int)` is defined in `activations.cpp`, and again in `dense.cpp`, which was "
        "left out. A program can define a name once"
    ) in ran.stage["message"]


def test_an_own_copy_of_the_header_does_not_count(convkit, handed_in):
    ran = convkit.grade(handed_in({"cpu_conv.h": "#error of another year"}))
    assert ran.code == PASSED, ran.out
    assert ran.stage["notes"] == ["`cpu_conv.h`: the kit's own copy is used."]


def test_an_own_copy_of_the_header_may_be_included_by_its_path(convkit, handed_in):
    inner = '#include "../cpu_conv.h"\n'
    source = b'#include "helpers/inner.h"\n' + FILES["dense.cpp"]
    files = {"cpu_conv.h": "#error of another year", "helpers/inner.h": inner, "dense.cpp": source}
    ran = convkit.grade(handed_in(files))
    assert ran.code == PASSED, ran.out


def test_a_source_in_c_is_named(convkit, handed_in):
    ran = convkit.grade(handed_in({"tables.c": "int table;\n"}))
    assert ran.stage["notes"] == [
        "`tables.c` was not compiled: sources end in .cpp, .cc, .cxx or .cu."
    ]


def test_unusual_bytes_in_sources_and_paths_are_accepted(convkit, tmp_path):
    text = FILES["dense.cpp"].replace(b"\n", b"\r\n")
    folder = submission(
        tmp_path / "Zoë Müller – été (1)", {"dense.cpp": b"\xef\xbb\xbf" + text, "é ü.txt": "x"}
    )
    ran = convkit.grade(folder)
    assert ran.code == PASSED, ran.out
    assert f"`{STAGE}/dense.cpp` has Windows line ends, which are harmless." in ran.result["notes"]
    assert any("starts with a UTF-8 byte-order mark" in note for note in ran.result["notes"])


def test_a_submission_that_is_not_there_is_a_wrong_use(convkit):
    ran = convkit.run("grade", convkit.home / "gone.zip")
    assert ran.code == USED_WRONGLY
    assert ran.err == f"There is no submission {convkit.home / 'gone.zip'}.\n"


def test_an_unknown_stage_is_a_wrong_use(convkit, solved):
    ran = convkit.run("grade", solved, "--stage", "99")
    assert ran.code == USED_WRONGLY
    assert ran.err.startswith("There is no stage `99`.")
    ran = convkit.run("grade", solved, "--stage", "01_cpu_cov")
    assert f"Did you mean `{STAGE}`?" in ran.err


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_an_unreadable_submission_is_named(convkit, handed_in):
    folder = handed_in()
    (folder / STAGE / "dense.cpp").chmod(0)
    assert "dense.cpp` cannot be read" in refused(convkit, folder)
