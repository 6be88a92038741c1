# SPDX-License-Identifier: MIT
"""The same spec makes the same bytes; --check finds every difference."""

import hashlib
import json
import zipfile

import numpy as np
import pytest

from convkit_reference.cli import main
from convkit_reference.manifest import read
from convkit_reference.npz import npz_bytes, tensor_sha256

_TWO = """
[[case]]
name = "second"
op = "relu_forward"
task = "90.3"
group = "activations"
summary = "Another case"
params = { size = 9 }
jitter = { size = 1000 }

[[case]]
name = "only_hidden"
op = "relu_forward"
task = "90.3"
group = "activations"
visible = false
summary = "A case that only hidden sets have"
params = { size = 3 }
"""


@pytest.fixture
def made(write_spec, small_case, tmp_path):
    """A spec of two visible cases and a hidden one, and a folder with its visible set."""
    spec, folder = write_spec(small_case + _TWO), tmp_path / "set"
    assert main(["--spec", str(spec), "--out", str(folder)]) == 0
    return spec, folder


def _check(spec, folder, *more):
    return main(["--spec", str(spec), "--out", str(folder), "--check", *more])


def _bytes(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _tensors(folder, case):
    with np.load(folder / "cases.npz") as file:
        return {name: file[name].tobytes() for name in file.files if name.startswith(f"{case}/")}


def _rewrite(folder, change):
    """Replaces tensors; the archive stays complete."""
    with np.load(folder / "cases.npz") as file:
        tensors = dict(file)
    change(tensors)
    (folder / "cases.npz").write_bytes(npz_bytes(tensors))
    return tensors


def test_two_runs_make_the_same_bytes(made, tmp_path):
    spec, folder = made
    assert main(["--spec", str(spec), "--out", str(tmp_path / "again")]) == 0
    assert _bytes(folder) == _bytes(tmp_path / "again")


def test_a_case_does_not_depend_on_its_neighbours(made, write_spec, tmp_path):
    _, folder = made
    spec = write_spec(_TWO, name="alone.toml")
    assert main(["--spec", str(spec), "--out", str(tmp_path / "alone")]) == 0
    assert _tensors(folder, "second") == _tensors(tmp_path / "alone", "second")


def test_random_numbers_are_the_same_everywhere():
    """Pinned: if this changes, every committed case changes."""
    from convkit_reference.random_stream import RandomStream

    numbers = RandomStream(7, "x").uniform(-1, 1, 3)
    assert [value.hex() for value in numbers] == [
        "0x1.f9b40c0000000p-1",
        "0x1.6b89400000000p-2",
        "0x1.25ad800000000p-4",
    ]


def test_the_manifest_tells_the_truth_about_each_tensor(made):
    _, folder = made
    manifest = read(folder)
    archive = (folder / "cases.npz").read_bytes()
    assert hashlib.sha256(archive).hexdigest() == manifest["archive_sha256"]
    with np.load(folder / "cases.npz") as tensors:
        listed = [
            (f"{entry['name']}/{name}", facts)
            for entry in manifest["cases"]
            for name, facts in entry["tensors"].items()
        ]
        assert tensors.files == [name for name, _ in listed]
        for name, facts in listed:
            assert tensors[name].dtype == facts["dtype"]
            assert list(tensors[name].shape) == facts["shape"]
            assert tensor_sha256(tensors[name]) == facts["sha256"]


def test_a_fresh_set_passes_the_check(made, capsys):
    assert _check(*made) == 0
    assert "every case is reproduced" in capsys.readouterr().out


def test_a_changed_file_is_named(made, capsys):
    spec, folder = made
    with (folder / "cases.npz").open("ab") as file:
        file.write(b"x")
    assert _check(spec, folder) == 3
    assert f"{folder / 'cases.npz'}: the file has changed" in capsys.readouterr().err


def test_a_missing_file_is_named(made, capsys):
    spec, folder = made
    (folder / "cases.npz").unlink()
    assert _check(spec, folder) == 3
    message = capsys.readouterr().err
    assert message == f"{folder / 'cases.npz'}: the file is missing.\n"


def test_an_incomplete_file_is_named(made, capsys):
    spec, folder = made
    whole = (folder / "cases.npz").read_bytes()
    (folder / "cases.npz").write_bytes(whole[: len(whole) // 2])
    assert _check(spec, folder) == 3
    assert (
        f"{folder / 'cases.npz'}: the file is not a complete .npz file." in capsys.readouterr().err
    )


def test_a_flipped_bit_is_named_with_its_tensor(made, capsys):
    spec, folder = made
    with zipfile.ZipFile(folder / "cases.npz") as archive:
        entry = archive.getinfo("second/in.x.npy")
    data = bytearray((folder / "cases.npz").read_bytes())
    data[entry.header_offset + 30 + len(entry.filename) + entry.compress_size // 2] ^= 1
    (folder / "cases.npz").write_bytes(data)
    assert _check(spec, folder) == 3
    message = capsys.readouterr().err
    assert f"{folder / 'cases.npz'}: second/in.x has changed" in message
    assert "small/" not in message


def test_changed_missing_and_extra_tensors_are_named(made, capsys):
    spec, folder = made

    def change(tensors):
        tensors["small/in.x"] = -tensors["small/in.x"]
        tensors["third/in.x"] = tensors.pop("second/in.x")

    _rewrite(folder, change)
    assert _check(spec, folder) == 3
    message, archive = capsys.readouterr().err, folder / "cases.npz"
    assert f"{archive}: small/in.x has changed: its sha256 is not the manifest's." in message
    assert f"{archive}: second/in.x is missing." in message
    assert f"{archive}: third/in.x is not in the manifest." in message
    assert message.count("\n") == 4  # and the file


def test_an_extra_file_is_named(made, capsys):
    spec, folder = made
    (folder / "other.npz").write_bytes(b"")
    assert _check(spec, folder) == 3
    assert f"{folder / 'other.npz'}: the file is not in the manifest." in capsys.readouterr().err


def test_a_changed_spec_is_named(made, capsys):
    spec, folder = made
    spec.write_text(spec.read_text().replace("h = 4", "h = 5"))
    assert _check(spec, folder) == 3
    message = capsys.readouterr().err
    assert f"{spec}: the spec has changed since its cases were made; " in message
    assert "run ./convkit refgen --stage 90 to make them again." in message
    assert '"params" of case "small" is not what the spec says' in message


def test_a_case_the_manifest_lacks_and_one_the_spec_lacks_are_named(made, capsys):
    spec, folder = made
    spec.write_text(spec.read_text().replace('"second"', '"third"'))
    assert _check(spec, folder) == 3
    message = capsys.readouterr().err
    assert 'case "third" of the spec is not in it' in message
    assert 'case "second" is not in the spec' in message


def test_a_forged_tensor_is_not_reproduced_even_if_the_manifest_agrees(made, capsys):
    """Someone edits a result and the manifest with it: only a new computation finds this."""
    spec, folder = made

    def change(tensors):
        tensors["small/out.y"][0, 0, 0, 0] += 1e-12

    forged = _rewrite(folder, change)["small/out.y"]
    manifest = read(folder)
    manifest["archive_sha256"] = hashlib.sha256((folder / "cases.npz").read_bytes()).hexdigest()
    manifest["cases"][0]["tensors"]["out.y"]["sha256"] = tensor_sha256(forged)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert _check(spec, folder) == 3
    message = capsys.readouterr().err
    assert f"{folder / 'cases.npz'}: small/out.y is not reproduced" in message
    assert message.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "the manifest is not JSON"),
        ("[]", "the manifest's schema is not"),
        ('{"schema": "convkit-manifest-1"}', "the manifest's schema is not"),
        ('{"schema": "convkit-manifest-2", "cases": [{}]}', "cases lack a name"),
        ('{"schema": "convkit-manifest-2", "cases": [{"name": "a"}]}', "cases lack a name"),
    ],
)
def test_a_broken_manifest_is_named(text, sentence, made, capsys):
    spec, folder = made
    (folder / "manifest.json").write_text(text)
    assert _check(spec, folder) == 3
    assert sentence in capsys.readouterr().err


def test_a_missing_manifest_is_named(made, tmp_path, capsys):
    assert _check(made[0], tmp_path / "nowhere") == 3
    assert "there is no manifest" in capsys.readouterr().err


def test_a_case_that_is_removed_from_the_spec_is_removed_from_the_folder(made):
    spec, folder = made
    (folder / "notes.txt").write_text("mine")
    spec.write_text(spec.read_text().replace('"second"', '"third"'))
    assert main(["--spec", str(spec), "--out", str(folder)]) == 0
    assert sorted(_bytes(folder)) == ["cases.npz", "manifest.json", "notes.txt"]
    assert _tensors(folder, "third") and not _tensors(folder, "second")


# --- Hidden sets -------------------------------------------------------------------------------


def _hidden(spec, folder, secret):
    assert main(["--spec", str(spec), "--out", str(folder), "--seed", secret]) == 0
    return read(folder)


def test_a_hidden_set_has_every_case_and_says_that_it_is_hidden(made, tmp_path):
    manifest = _hidden(made[0], tmp_path / "hidden", "s3cret")
    assert [case["name"] for case in manifest["cases"]] == ["small", "second", "only_hidden"]
    assert not any(case["visible"] for case in manifest["cases"])


def test_a_hidden_set_differs_from_the_visible_one_and_from_other_secrets(made, tmp_path):
    spec, folder = made
    _hidden(spec, tmp_path / "a", "one")
    _hidden(spec, tmp_path / "b", "two")
    sets = [_tensors(each, "small") for each in (folder, tmp_path / "a", tmp_path / "b")]
    assert len({tensors["small/in.x"] for tensors in sets}) == 3


def test_the_same_secret_makes_the_same_set(made, tmp_path):
    _hidden(made[0], tmp_path / "a", "one")
    _hidden(made[0], tmp_path / "b", "one")
    assert _bytes(tmp_path / "a") == _bytes(tmp_path / "b")


def test_the_secret_is_not_in_the_hidden_set(made, tmp_path):
    manifest = _hidden(made[0], tmp_path / "hidden", "tr0ub4dor")
    assert all(b"tr0ub4dor" not in content for content in _bytes(tmp_path / "hidden").values())
    assert manifest["seed"].startswith("sha256:") and len(manifest["seed"]) == 15


def test_jitter_changes_hidden_sizes_only_and_only_upwards(made, tmp_path):
    spec, folder = made
    assert read(folder)["cases"][1]["params"]["size"] == 9
    sizes = {
        _hidden(spec, tmp_path / secret, secret)["cases"][1]["params"]["size"] for secret in "abc"
    }
    assert len(sizes) == 3 and all(9 <= size <= 1009 for size in sizes)


def test_a_hidden_set_is_checked_with_its_secret(made, tmp_path, capsys):
    spec, _ = made
    folder = tmp_path / "hidden"
    _hidden(spec, folder, "right")
    assert _check(spec, folder, "--seed", "right") == 0
    assert _check(spec, folder, "--seed", "wrong") == 2
    assert "was not made with the --seed given" in capsys.readouterr().err
    assert _check(spec, folder) == 2
    assert "this is a hidden set; give its --seed" in capsys.readouterr().err


def test_visible_and_hidden_cases_do_not_share_a_folder(made, tmp_path, capsys):
    spec, folder = made
    before = _bytes(folder)
    assert main(["--spec", str(spec), "--out", str(folder), "--seed", "x"]) == 2
    assert f"{folder}: it holds visible cases" in capsys.readouterr().err
    assert _bytes(folder) == before


def test_a_damaged_manifest_is_replaced_by_a_new_run(made):
    spec, folder = made
    (folder / "manifest.json").write_text("<<<<<<< HEAD")
    assert main(["--spec", str(spec), "--out", str(folder)]) == 0
    assert _check(spec, folder) == 0


def test_an_empty_secret_is_refused(made, tmp_path, capsys):
    assert main(["--spec", str(made[0]), "--out", str(tmp_path / "x"), "--seed", ""]) == 2
    assert "--seed is empty" in capsys.readouterr().err


def test_a_manifest_that_would_only_name_other_versions_is_left_alone(made, capsys):
    spec, folder = made
    manifest = read(folder) | {"kit_version": "0.0.1", "numpy_version": "1.0"}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert main(["--spec", str(spec), "--out", str(folder)]) == 0
    assert read(folder) == manifest
    spec.write_text(spec.read_text().replace("h = 4", "h = 5"))
    assert main(["--spec", str(spec), "--out", str(folder)]) == 0
    assert read(folder)["kit_version"] != "0.0.1"
