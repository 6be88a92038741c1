# SPDX-License-Identifier: MIT
"""`train`: finds the data, builds the student's work and starts the stage's program."""

import gzip
import os
import shutil
import signal
import time
from pathlib import Path

import pytest
from driver import GRADER_FAILED, STAGE, USED_WRONGLY, Terminal
from toy_training import STAGE as TRAINING
from toy_training import easy_data, hand_in, training_kit

# Prints the arguments that it was started with.
PROGRAM = """#!/bin/sh
echo "program: $0"
for argument in "$@"; do echo "<$argument>"; done
if [ -n "$TEST_WAITS" ]; then
  trap 'echo "checkpoint written"; exit 130' INT
  echo ready
  while :; do sleep 0.05; done
fi
exit 7
"""


@pytest.fixture(scope="module")
def kit(tmp_path_factory) -> Path:
    kit = training_kit(tmp_path_factory.mktemp("train_kit"))
    (kit / "assignments" / TRAINING / "program").mkdir()
    hand_in(kit / "solutions")
    return kit


@pytest.fixture
def trainer(convkit, kit, tmp_path):
    """A user whose convkit lies beside a training program that only prints its arguments."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("convkit", "convkit-confine"):
        shutil.copy2(Path(os.environ["CONVKIT_BINARY"]).with_name(name), programs / name)
    program = programs / f"{TRAINING}.train"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    convkit.binary = programs / "convkit"
    data = easy_data(tmp_path / "data")
    convkit.environment |= {"CONVKIT_ROOT": str(kit), "CONVKIT_DATA": str(data)}
    shutil.copytree(kit / "solutions" / TRAINING, convkit.work / TRAINING)
    convkit.data = data
    return convkit


def given(ran, option):
    lines = [line[1:-1] for line in ran.out.splitlines() if line.startswith("<")]
    return lines[lines.index(option) + 1] if option in lines else None


def test_the_program_gets_the_submission_the_data_and_the_options(trainer, tmp_path):
    checkpoint = tmp_path / "model.npz"
    checkpoint.write_bytes(b"x")
    options = ["--model", "mlp", "--epochs", 2, "--batch", 64, "--lr", 0.1, "--seed", 5]
    ran = trainer.run("train", TRAINING, *options, "--resume", checkpoint, "--", "--quick", "yes")
    assert ran.code == 7, ran.out + ran.err  # the program's own
    assert given(ran, "--submission").endswith(".so")
    assert Path(given(ran, "--submission")).exists()
    for option, name in (
        ("--images", "train-images-idx3-ubyte"),
        ("--labels", "train-labels-idx1-ubyte"),
        ("--test-images", "t10k-images-idx3-ubyte"),
        ("--test-labels", "t10k-labels-idx1-ubyte"),
    ):
        assert given(ran, option) == str(trainer.data / "mnist" / name)
    assert given(ran, "--data-name") == "mnist"
    assert given(ran, "--out") == str(trainer.work / "training" / TRAINING)
    for option, value in zip(options[::2], options[1::2]):
        assert given(ran, option) == str(value)
    assert given(ran, "--resume") == str(checkpoint)
    assert ran.out.endswith("<--quick>\n<yes>\n")


def test_options_that_are_not_given_are_left_to_the_program(trainer):
    ran = trainer.run("train", TRAINING)
    assert given(ran, "--model") is None and given(ran, "--epochs") is None


def test_the_solution_can_be_trained(trainer):
    shutil.rmtree(trainer.work)
    ran = trainer.run("train", TRAINING)
    assert ran.code == USED_WRONGLY
    assert "Begin with: ./convkit start" in ran.err
    ran = trainer.run("train", TRAINING, "--solution")
    assert ran.code == 7, ran.err


def test_synthetic_digits_are_made_once_and_kept_in_the_cache(trainer):
    ran = trainer.run("train", TRAINING, "--data", "synthetic")
    assert ran.code == 7, ran.err
    assert given(ran, "--data-name") == "synthetic"
    images = Path(given(ran, "--images"))
    assert images.is_relative_to(trainer.environment["CONVKIT_CACHE"])
    assert images.stat().st_size == 16 + 20000 * 28 * 28
    assert Path(given(ran, "--test-labels")).stat().st_size == 8 + 5000
    made = images.stat().st_mtime_ns
    trainer.run("train", TRAINING, "--data", "synthetic")
    assert images.stat().st_mtime_ns == made
    whole = images.read_bytes()
    images.write_bytes(whole[:5000])
    ran = trainer.run("train", TRAINING, "--data", "synthetic")
    assert ran.code == USED_WRONGLY
    assert "train-images-idx3-ubyte" in ran.err and "it is made again" in ran.err
    images.unlink()
    assert trainer.run("train", TRAINING, "--data", "synthetic").code == 7
    assert images.read_bytes() == whole


def test_without_mnist_it_takes_synthetic_digits_and_says_so(trainer, tmp_path):
    (tmp_path / "nothing").mkdir()
    nothing = {"CONVKIT_DATA": str(tmp_path / "nothing")}
    ran = trainer.run("train", TRAINING, env=nothing)
    assert ran.code == 7
    assert ran.out.startswith("Note: MNIST was not found: these are synthetic digits.")
    assert given(ran, "--data-name") == "synthetic"
    ran = trainer.run("train", TRAINING, "--data", "fashion", env=nothing)
    assert ran.code == USED_WRONGLY
    assert "python3 datasets/fetch.py fashion-mnist" in ran.err


def test_an_original_with_another_checksum_is_named(trainer):
    folder = trainer.data / "mnist"
    plain = folder / "train-labels-idx1-ubyte"
    damaged = folder / "train-labels-idx1-ubyte.gz"
    damaged.write_bytes(gzip.compress(plain.read_bytes()))
    ran = trainer.run("train", TRAINING)
    assert ran.code == USED_WRONGLY
    assert ran.err.startswith(f"{damaged} is damaged or not a file of MNIST: its sha256 is ")
    assert "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c" in ran.err
    assert "python3 datasets/fetch.py mnist" in ran.err


def test_a_folder_with_own_data_is_used(trainer, tmp_path):
    own = easy_data(tmp_path / "own", "bars") / "bars"
    ran = trainer.run("train", TRAINING, "--data", own)
    assert ran.code == 7, ran.err
    assert given(ran, "--data-name") == "bars"
    assert given(ran, "--images") == str(own / "train-images-idx3-ubyte")
    (own / "t10k-images-idx3-ubyte").write_bytes(b"\0\0\x08\x03\0\0\0\x05short")
    ran = trainer.run("train", TRAINING, "--data", own)
    assert ran.code == USED_WRONGLY
    assert str(own / "t10k-images-idx3-ubyte") in ran.err
    (own / "train-labels-idx1-ubyte").unlink()
    ran = trainer.run("train", TRAINING, "--data", own)
    assert ran.code == USED_WRONGLY
    assert "does not hold train-images-idx3-ubyte and train-labels-idx1-ubyte" in ran.err


def test_wrong_use_is_answered_in_one_sentence(trainer, kit, tmp_path):
    ran = trainer.run("train", TRAINING, "--data", "mnits")
    assert ran.code == USED_WRONGLY
    assert "There is no data set `mnits` and no such folder. Did you mean `mnist`?" in ran.err
    ran = trainer.run("train", TRAINING, "--resume", tmp_path / "none.npz")
    assert ran.code == USED_WRONGLY
    assert f"There is no checkpoint {tmp_path / 'none.npz'}." in ran.err
    ran = trainer.run("train", TRAINING, "--epochs", 0)
    assert ran.code == USED_WRONGLY and "--epochs" in ran.err
    source = trainer.work / TRAINING / "train.cpp"
    source.write_text(source.read_text() + "\nint broken = ;\n")
    ran = trainer.run("train", TRAINING)
    assert ran.code == USED_WRONGLY
    assert "does not build: train.cpp:" in ran.err


def test_a_stage_without_a_program_says_so(convkit):
    ran = convkit.run("train", STAGE)
    assert ran.code == USED_WRONGLY
    assert f"{STAGE} trains no network." in ran.err


def test_a_program_that_was_not_built_is_the_kits_fault(trainer):
    trainer.binary.with_name(f"{TRAINING}.train").unlink()
    ran = trainer.run("train", TRAINING)
    assert ran.code == GRADER_FAILED
    assert f"{TRAINING}.train was not built" in ran.err


def test_ctrl_c_reaches_the_program_which_ends_by_itself(trainer):
    terminal = Terminal(trainer, "train", TRAINING, env={"TEST_WAITS": "1"})
    terminal.wait_for("ready")
    terminal.press_ctrl_c()
    terminal.wait_for("checkpoint written")
    assert terminal.end() == 130


def test_a_signal_sent_to_convkit_reaches_the_program(trainer):
    process = trainer.start("train", TRAINING, env={"TEST_WAITS": "1"})
    while "ready" not in process.stdout.readline():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert "checkpoint written" in out
    assert process.returncode == 130
