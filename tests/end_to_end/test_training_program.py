# SPDX-License-Identifier: MIT
"""The training program of stage 07 with the reference solution, on bars instead of digits."""

import gzip
import os
import re
import signal
import struct
import subprocess
import time
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from driver import ROOT

STAGE = "07_mnist_cnn"
BINARIES = Path(os.environ["CONVKIT_BINARY"]).parent
PROGRAM = BINARIES / f"{STAGE}.train"
NETWORK = """input 1x28x28
maxpool 2x4
conv 3 2x2
batchnorm
relu
flatten
dropout 0.2
dense 10
softmax
"""

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason=f"{PROGRAM.name} is not built")


def _idx(path, values):
    header = struct.pack(">HBB", 0, 8, values.ndim) + struct.pack(f">{values.ndim}I", *values.shape)
    path.write_bytes(gzip.compress(header + values.astype(np.uint8).tobytes(), 1))


def bars(folder, count, seed):
    """Class k is a bright bar, two rows high, from row 2 k + 4 on, in noise."""
    random = np.random.default_rng(seed)
    labels = np.arange(count) % 10
    images = random.integers(0, 60, (count, 28, 28))
    for image, label in zip(images, labels):
        image[2 * label + 4 : 2 * label + 6, 4:24] = 250
    _idx(folder / "images.gz", images)
    _idx(folder / "labels.gz", labels)


@pytest.fixture(scope="module")
def solution(tmp_path_factory):
    library = tmp_path_factory.mktemp("library") / "solution.so"
    sources = sorted((ROOT / "solutions" / STAGE).glob("*.cu"))
    folders = [ROOT / "runtime/include", ROOT / "assignments" / STAGE]
    subprocess.run(
        [BINARIES / "convkit", "cc", "-shared", "-O1", "-Xcompiler", "-fPIC",
         *(f"-I{folder}" for folder in folders), *sources, "-o", library],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return library


@pytest.fixture
def train(solution, tmp_path):
    """train("--epochs", 2): the finished program; its files are in tmp_path."""
    for name, count, seed in (("train", 150, 1), ("test", 50, 2)):
        (tmp_path / name).mkdir()
        bars(tmp_path / name, count, seed)
    (tmp_path / "net.txt").write_text(NETWORK)

    def command(*arguments, out="out"):
        files = {
            "images": "train/images.gz", "labels": "train/labels.gz",
            "test-images": "test/images.gz", "test-labels": "test/labels.gz",
        }  # fmt: skip
        paths = [word for k, v in files.items() for word in (f"--{k}", str(tmp_path / v))]
        fixed = ["--submission", solution, *paths, "--out", tmp_path / out, "--data-name", "bars"]
        model = [] if "--resume" in arguments else ["--model", tmp_path / "net.txt"]
        return [str(word) for word in (PROGRAM, *fixed, *model, *arguments)]

    def run(*arguments, out="out", threads="1", **more):
        environment = os.environ | {"CONVKIT_SIMT_THREADS": threads}
        return subprocess.run(
            command(*arguments, out=out), capture_output=True, text=True, env=environment, **more
        )

    run.command = command
    run.folder = tmp_path
    return run


def arrays(file):
    with np.load(file) as archive:
        return dict(archive)


def same(a, b, but=()):
    assert a.keys() == b.keys()
    for name in a.keys() - set(but):
        assert a[name].tobytes() == b[name].tobytes(), name


def test_it_learns_and_leaves_a_checkpoint_and_pictures(train):
    ran = train("--epochs", 4, "--batch", 10, "--lr", 0.05)
    assert ran.returncode == 0, ran.stderr
    assert "conv1          3x13x6                 15" in ran.stdout
    accuracy = float(re.search(r"Test accuracy ([\d.]+) %", ran.stdout)[1])
    assert accuracy >= 90
    found = arrays(train.folder / "out/model.npz")
    assert bytes(found["architecture"]).decode() == NETWORK
    assert found["conv1.weight"].shape == (3, 1, 2, 2) and found["step"].tolist() == [60]
    assert found["optimizer.conv1.weight"].any() and "optimizer.batchnorm1.mean" not in found
    for name in ("curves", "confusion", "filters"):
        ElementTree.parse(train.folder / f"out/{name}.svg")


def test_progress_tells_the_speed_and_how_long_it_takes_still(train):
    ran = train("--epochs", 3, "--batch", 10)
    lines = [line for line in ran.stdout.splitlines() if line.startswith("epoch ")]
    first, last = lines[0], lines[-1]
    assert re.search(r" images/s  \d+ (s|min) left$", first), first
    assert " images/s  test " in last and " left" not in last, last


def test_a_training_that_takes_long_is_told_what_is_quicker(train):
    offer = (
        r"^This takes about \d+ (s|min|h).* here: (.*)\. Ctrl-C ends it and keeps a checkpoint\.$"
    )
    ran = train("--epochs", 2, "--batch", 10, "--patience", 0)
    told = re.findall(offer, ran.stdout, re.MULTILINE)
    assert [words for _, words in told] == [
        "--model mlp trains a quick network, -- --limit 5000 takes the first 5000 images"
    ]
    assert not re.search(offer, train("--epochs", 2, "--batch", 10).stdout, re.MULTILINE)
    ran = train("--epochs", 2, "--batch", 10, "--patience", 0, "--limit", 100)
    assert re.findall(offer, ran.stdout, re.MULTILINE)[0][1] == "--model mlp trains a quick network"


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_a_resumed_training_gives_the_same_bits_as_one_that_did_not_stop(train, optimizer):
    settings = ("--batch", 20, "--lr", 0.01, "--optimizer", optimizer, "--seed", 5)
    assert train("--epochs", 3, *settings, out="whole").returncode == 0
    assert train("--epochs", 1, *settings, out="part").returncode == 0
    checkpoint = train.folder / "part/model.npz"
    ran = train("--resume", checkpoint, "--epochs", 3, out="part", threads="3")
    assert ran.returncode == 0 and "Going on after step 8." in ran.stdout
    same(arrays(train.folder / "whole/model.npz"), arrays(checkpoint))


def test_ctrl_c_writes_a_checkpoint_in_the_middle_of_an_epoch(train):
    settings = ("--batch", 2, "--lr", 0.01)
    command = train.command(*settings, "--epochs", 400, out="stopped")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        while not (train.folder / "stopped/model.npz").exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out = process.stdout.read()
        assert process.wait(timeout=30) == 130
    checkpoint = train.folder / "stopped/model.npz"
    assert f"--resume {checkpoint}" in out
    stopped = arrays(checkpoint)
    epochs = int(stopped["epoch"][0]) + 1
    assert train("--resume", checkpoint, "--epochs", epochs, out="stopped").returncode == 0
    assert train(*settings, "--epochs", epochs, out="whole").returncode == 0
    same(arrays(checkpoint), arrays(train.folder / "whole/model.npz"))


def test_a_loss_that_is_not_a_number_ends_the_training_with_the_step_and_a_hint(train):
    (train.folder / "net.txt").write_text("input 1x28x28\nflatten\ndense 8\ndense 10\nsoftmax\n")
    ran = train("--epochs", 2, "--batch", 10, "--lr", 1e6)
    assert ran.returncode == 1
    assert re.search(r"The loss is -?(nan|inf) at step \d+ \(epoch \d\)", ran.stderr)
    assert "--lr 100000" in ran.stderr


def test_a_batch_larger_than_the_data_is_refused(train):
    ran = train("--batch", 151)
    assert ran.returncode == 2
    assert ran.stderr == "--batch 151 is larger than the data: 150 images.\n"


def test_damaged_data_is_named_with_its_checksum(train):
    file = train.folder / "train/images.gz"
    file.write_bytes(file.read_bytes()[:500])
    ran = train("--epochs", 1)
    assert ran.returncode == 2 and str(file) in ran.stderr and "sha256" in ran.stderr


def test_missing_data_is_named(train):
    (train.folder / "test/labels.gz").unlink()
    ran = train("--epochs", 1)
    assert ran.returncode == 2 and "test/labels.gz: there is no such file." in ran.stderr


def test_a_truncated_checkpoint_is_refused(train):
    assert train("--epochs", 1, "--batch", 50).returncode == 0
    file = train.folder / "out/model.npz"
    file.write_bytes(file.read_bytes()[:-300])
    ran = train("--resume", file)
    assert ran.returncode == 2 and "The checkpoint cannot be used" in ran.stderr


def test_a_checkpoint_of_another_network_is_refused_with_the_layer(train):
    assert train("--epochs", 1, "--batch", 50).returncode == 0
    other = train.folder / "other.txt"
    other.write_text(NETWORK.replace("conv 3", "conv 4"))
    ran = train("--resume", train.folder / "out/model.npz", "--model", other)
    assert ran.returncode == 2
    assert "Layer 2: `conv 3 2x2` there, `conv 4 2x2` here." in ran.stderr


def test_settings_that_contradict_a_checkpoint_are_refused(train):
    assert train("--epochs", 1, "--batch", 50).returncode == 0
    ran = train("--resume", train.folder / "out/model.npz", "--batch", 10)
    assert ran.returncode == 2 and "Leave --batch out." in ran.stderr


def test_an_invalid_network_is_refused_with_its_line(train):
    (train.folder / "net.txt").write_text("input 1x28x28\nconv 3\nsoftmax\n")
    ran = train("--epochs", 1)
    assert ran.returncode == 2
    assert "Line 2 of the network, `conv 3`: expected `conv MAPS KHxKW`" in ran.stderr


def test_a_full_disk_leaves_the_old_checkpoint(train):
    assert train("--epochs", 1, "--batch", 50).returncode == 0
    file = train.folder / "out/model.npz"
    before = file.read_bytes()
    # A limit on the size of files stands for a full disk.
    command = " ".join(train.command("--resume", file, "--epochs", 2))
    limited = f"ulimit -f 1; trap '' XFSZ; exec {command}"
    ran = subprocess.run(["bash", "-c", limited], capture_output=True, text=True)
    assert ran.returncode == 1 and "model.npz" in ran.stderr
    assert file.read_bytes() == before
