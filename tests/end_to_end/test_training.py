# SPDX-License-Identifier: MIT
"""Trainings: only the grader has the labels of the images held back, and it says why answers are
bad.
"""

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
from driver import FALLS_SHORT, GRADER_FAILED, PASSED, USED_WRONGLY
from toy_training import STAGE, easy_data, hand_in, training_kit, write_cases, write_idx

VISIBLE = ["digits", "permuted_digits"]


@pytest.fixture(scope="session")
def toy_kit(tmp_path_factory) -> Path:
    runner = Path(os.environ["CONVKIT_BINARY"]).with_name(f"{STAGE}.runner")
    if not runner.exists():
        pytest.skip(f"{runner.name} was not built: only a developer's build has it")
    return training_kit(tmp_path_factory.mktemp("training_kit"))


@pytest.fixture(scope="session")
def bars(tmp_path_factory) -> Path:
    return easy_data(tmp_path_factory.mktemp("bars"))


@pytest.fixture
def grade(convkit, toy_kit, bars, tmp_path):
    """grade(start=..., end=...): the honest submission with code put into it."""

    def run(*arguments, data=bars, kit=toy_kit, hidden=None, **parts):
        folder = hand_in(tmp_path / f"ada{len(list(tmp_path.iterdir()))}", **parts)
        environment = {"CONVKIT_ROOT": str(kit), "CONVKIT_DATA": str(data)}
        if hidden:
            environment["CONVKIT_HIDDEN"] = str(hidden)
        return convkit.grade(folder, *arguments, env=environment)

    return run


def test_an_honest_training_passes(grade):
    ran = grade()
    assert ran.code == PASSED, ran.out + ran.err
    assert [case["name"] for case in ran.stage["cases"]] == ["doubles", *VISIBLE]
    message = ran.case("digits")["message"]
    assert message.startswith("Of 200 images held back, 100.0 % with seed ")
    assert message.endswith("were answered right (MNIST). Required: 70.0 %.")
    assert not ran.stage["notes"]


def test_check_runs_one_training_by_its_name(convkit, toy_kit, bars, tmp_path):
    folder = hand_in(tmp_path / "work") / STAGE
    environment = {"CONVKIT_ROOT": str(toy_kit), "CONVKIT_DATA": str(bars)}
    ran = convkit.judge("check", STAGE, "--dir", folder, "--case", "digits", "-v", env=environment)
    assert ran.code == PASSED, ran.out + ran.err
    assert [case["name"] for case in ran.stage["cases"]] == ["digits"]
    assert "digits: Of 200 images held back" in ran.out
    ran = convkit.run("check", STAGE, "--dir", folder, "--case", "digit", env=environment)
    assert ran.code == USED_WRONGLY
    assert "Did you mean `digits`?" in ran.err


@pytest.mark.parametrize(
    ("mistake", "parts", "says"),
    [
        ("nan_loss", {"end": "losses[1] = NAN;"}, "The mean loss is NaN in epoch 2 of 3"),
        ("nan_loss", {"end": "losses[0] = INFINITY;"}, "infinite in epoch 1 of 3"),
        (
            "constant_answers",
            {"end": "for (int i = 0; i < held_back; ++i) answers[i] = 4;"},
            "All 200 answers are 4.",
        ),
        (
            "answers_at_chance",
            {"end": "for (int i = 0; i < held_back; ++i) answers[i] = i % 10;"},
            "guessing gets about 20.",
        ),
        (
            "answers_out_of_range",
            {"end": "for (int i = 0; i < held_back; ++i) ++answers[i];"},
            "are not a class from 0 to 9",
        ),
        (
            "labels_renamed",
            {"end": "for (int i = 0; i < held_back; ++i) answers[i] = 9 - answers[i];"},
            "gives them other names",
        ),
        (
            "low_accuracy",
            {"end": "for (int i = 0; i < held_back; i += 2) answers[i] = i / 2 % 10;"},
            "70.0 % are required",
        ),
        (
            "seed_dependent",
            {
                "prelude": "static int runs;",
                "end": "if (runs++) for (int i = 0; i < held_back; ++i) answers[i] = 1;",
            },
            "One run is much worse than another",
        ),
        ("answers_missing", {"start": "held_back -= 8;"}, "left 8 of 200 answers unwritten"),
        ("loss_not_written", {"start": "epochs -= 1;"}, "`losses[2]`"),
    ],
)
def test_the_message_says_what_went_wrong(grade, mistake, parts, says):
    ran = grade(**parts)
    assert ran.code == FALLS_SHORT, ran.out + ran.err
    case = ran.case("digits")
    assert (case["status"], case["mistake"]) == ("WRONG", mistake), case
    assert says in case["message"]


# Code that looks for the bar, like a model that was trained elsewhere.
BROUGHT_ALONG = """
for (int i = 0; i < held_back; ++i) {
  int best = -1;
  for (int k = 0; k < 10; ++k) {
    int sum = 0;
    for (int row = 0; row < 28; ++row) sum += queries[i * 784 + row * 28 + 2 * k + 4];
    if (sum > best) best = sum, answers[i] = k;
  }
}
"""


def test_a_model_brought_along_passes_on_the_usual_labels_only(grade):
    ran = grade(end=BROUGHT_ALONG)
    assert ran.case("digits")["status"] == "PASS"
    case = ran.case("permuted_digits")
    assert (case["status"], case["mistake"]) == ("WRONG", "model_brought_along")
    assert "were not learned from the `labels` of this training" in case["message"]


def test_a_function_that_fails_its_own_cases_is_named_first(grade):
    ran = grade(doubles="y[0] = 1;", end="for (int i = 0; i < held_back; ++i) answers[i] = 4;")
    assert ran.case("doubles")["status"] == "WRONG"
    hint = ran.case("digits")["hint"]
    assert hint.startswith("doubles fails its own cases: fix that first. The scores do not")


def test_a_training_that_takes_too_long_is_stopped(grade):
    ran = grade(start="for (volatile long i = 0;; i = i + 1) {}")
    assert ran.case("digits")["status"] == "TIMED_OUT"
    assert "5 s" in ran.case("digits")["message"]


def test_a_stub_is_not_started(grade):
    ran = grade(start='CONVKIT_TODO("90.1"); return;')
    assert {ran.case(name)["status"] for name in VISIBLE} == {"NOT_STARTED"}
    assert ran.case("digits")["message"].startswith("Task 90.1 is not started")


def test_the_data_sets_cannot_be_read_by_the_submission(grade, bars):
    file = bars / "mnist" / "t10k-labels-idx1-ubyte"
    cheat = f"""
    if (FILE* file = std::fopen("{file}", "rb")) {{
      for (int i = 0; i < held_back; ++i) answers[i] = 3;
      std::fclose(file);
    }}
    """
    ran = grade(prelude="#include <cstdio>", end=cheat)
    # The file cannot be opened; if it could, all answers would be 3.
    assert ran.case("digits")["status"] == "PASS"


SHOWS_DRAW = """
unsigned sum = 0;
for (int i = 0; i < held_back * 784; ++i) sum = sum * 31 + queries[i];
losses[0] = float(sum % 1000 + 1);
losses[1] = NAN;
"""


def test_what_is_asked_follows_from_a_nonce_that_the_result_keeps(grade, convkit, tmp_path):
    first = grade(end=SHOWS_DRAW)
    drawn, nonce = first.case("digits")["message"], first.result["nonce"]
    assert "NaN in epoch 2 of 3 (seed " in drawn
    assert re.fullmatch("[0-9a-f]{64}", nonce)
    again = grade(end=SHOWS_DRAW)
    assert again.result["nonce"] != nonce
    assert again.case("digits")["message"] != drawn
    assert grade("--nonce", nonce, end=SHOWS_DRAW).case("digits")["message"] == drawn
    # An appeal: the nonce of a result is for the submission of that result only.
    kept = tmp_path / "kept.json"
    kept.write_text(json.dumps(first.result))
    appeal = grade("--nonce", kept, end=SHOWS_DRAW)
    assert appeal.result["nonce"] == nonce
    assert appeal.case("digits")["message"] == drawn
    other = grade("--nonce", kept, end=SHOWS_DRAW + "// a word")
    assert other.code == USED_WRONGLY and other.result == {}
    assert other.err.startswith("The nonce belongs to another submission")


def test_no_file_of_a_submission_decides_the_nonce(grade, convkit):
    """Of 256 bits, none is the submission's: not even its checksum."""
    nonces = {grade().result["nonce"] for _ in range(3)}
    assert len(nonces) == 3
    wrong = convkit.run("grade", convkit.home, "--nonce", "12ab")
    assert wrong.code == USED_WRONGLY and "64 hexadecimal digits" in wrong.err


def test_without_the_data_synthetic_digits_are_used_and_the_report_says_so(grade, tmp_path):
    (tmp_path / "nothing").mkdir()
    ran = grade(data=tmp_path / "nothing")
    assert ran.code == PASSED, ran.out
    message = ran.case("digits")["message"]
    assert "were answered right (synthetic digits). Required: 40.0 %." in message
    assert len([note for note in ran.stage["notes"] if "MNIST was not found" in note]) == 1
    assert "Note: MNIST was not found" in ran.out


def test_damaged_data_is_the_kits_fault_and_named(grade, bars, tmp_path):
    data = easy_data(tmp_path / "data")
    file = data / "mnist" / "train-images-idx3-ubyte"
    file.write_bytes(file.read_bytes()[:1000])
    ran = grade(data=data)
    assert ran.code == GRADER_FAILED
    case = ran.case("digits")
    assert case["status"] == "GRADER_ERROR"
    assert "train-images-idx3-ubyte" in case["message"]
    assert "no points were lost" in case["message"]
    assert ran.result["points"] + ran.result["pending_points"] == 100


def test_too_few_images_are_the_kits_fault(grade, tmp_path):
    data = easy_data(tmp_path / "data")
    few = np.zeros((50, 28, 28), np.uint8)
    write_idx(data / "mnist", "t10k", few, np.zeros(50, np.uint8))
    case = grade(data=data).case("digits")
    assert case["status"] == "GRADER_ERROR"
    assert "200 images are needed, but" in case["message"]


def test_a_hidden_training_shows_its_sentence_only(grade, bars, tmp_path):
    hidden = tmp_path / "hidden"
    write_cases(hidden / STAGE, visible=False)
    ran = grade(hidden=hidden, end="losses[0] = NAN;")
    case = ran.case("secret_fashion")
    assert case["hidden"] is True
    assert case["status"] == "WRONG"
    assert case["message"] == "A network learns pictures of clothes."
    assert not case.get("hint") and not case.get("mistake")
    ran = grade("--reveal-hidden", hidden=hidden, end="losses[0] = NAN;")
    assert "NaN in epoch 1" in ran.case("secret_fashion")["message"]


def test_a_wrong_variant_may_name_the_mistake_of_a_training(convkit, bars, tmp_path):
    (tmp_path / "kit").mkdir()
    kit = training_kit(tmp_path / "kit")
    solution = hand_in(kit / "solutions") / STAGE
    stub = '  // BEGIN SOLUTION(90.1)\n  //> CONVKIT_TODO("90.1");\n  //> return;\n'
    text = (solution / "train.cpp").read_text()
    body = text.index("  /*start*/")
    end = text[body + len("  /*start*/\n") :].replace("  /*end*/\n", "  // END SOLUTION\n")
    (solution / "train.cpp").write_text(text[:body] + stub + end)
    (kit / "starter").mkdir()
    wrong = kit / "assignments" / STAGE / "wrong"
    wrong.mkdir()
    for name, end, mistake in (
        ("nan", "losses[0] = NAN;", "nan_loss"),
        ("constant", "answers[0] = 0;", "constant_answers"),
    ):
        folder = hand_in(tmp_path / name, end=end) / STAGE
        (folder / "expect.toml").write_text(
            f'status = "WRONG"\nop = "train"\nmistake = "{mistake}"\nabout = "A test."\n'
        )
        folder.rename(wrong / name)
    environment = {"CONVKIT_ROOT": str(kit), "CONVKIT_DATA": str(bars)}
    options = ["--write-starter", "--no-references", "--no-handouts"]
    ran = convkit.run("verify", *options, env=environment)
    assert "variant nan" in ran.out and "[nan_loss]" in ran.out, ran.out + ran.err
    constant = next(line for line in ran.out.splitlines() if "variant constant" in line)
    assert "It was not caught" in constant, ran.out
