# SPDX-License-Identifier: MIT
"""What `check` says of a call of CUDA or cuDNN that the CPU device refuses: which call, on which
line, which argument and which limit. And only where the submission failed because of it."""

import re
import shutil
from pathlib import Path

import pytest
from driver import FALLS_SHORT, ROOT, Convkit, Ran
from gpu_submission import DIRECT, FILE, source

STAGE = "06_cudnn_port"

# Edits of the solution: a file, what is there and what is written instead.
EDITS = [
    (
        "convolution.cuh",
        "describe_tensor(bias, 1, s.m, 1, 1)",
        "describe_tensor(bias, s.m, 1, 1, 1)",
    ),
    (
        "layers.cu",
        "a.row.get(),\n                                 d_dy, a.row.get(), d_y, &kZero",
        "a.row.get(),\n                                 d_dy, a.row.get(), nullptr, &kZero",
    ),
    (
        "layers.cu",
        "  TensorDescriptor rows;\n  CUDNN_TRY(describe_tensor(rows, n, k, 1, 1));\n"
        "  CUDNN_TRY(cudnnSetStream(handle, stream));\n  return cudnnSoftmaxForward(",
        "  TensorDescriptor rows;\n  CUDNN_TRY(describe_tensor(rows, n, k, 0, 1));\n"
        "  CUDNN_TRY(cudnnSetStream(handle, stream));\n  return cudnnSoftmaxForward(",
    ),
    # Asks for something that is refused, and goes on.
    (
        "layers.cu",
        "  CUDNN_TRY(a.describe(mode, size));\n  CUDNN_TRY(cudnnSetStream(handle, stream));\n"
        "  return cudnnActivationForward(",
        "  TensorDescriptor other;\n  describe_tensor(other, 0, 0, 0, 0);\n"
        "  CUDNN_TRY(a.describe(mode, size));\n  CUDNN_TRY(cudnnSetStream(handle, stream));\n"
        "  return cudnnActivationForward(",
    ),
    # The same, and then a status that no call gave.
    (
        "layers.cu",
        "  return cudnnPoolingForward(",
        "  TensorDescriptor other;\n  describe_tensor(other, 0, 0, 0, 0);\n"
        "  if (shape) return CUDNN_STATUS_NOT_SUPPORTED;\n  return cudnnPoolingForward(",
    ),
]


def hand_in(folder: Path) -> Path:
    shutil.copytree(ROOT / "solutions" / STAGE, folder)
    for file, find, replace in EDITS:
        text = (folder / file).read_text()
        assert text.count(find) == 1, find
        (folder / file).write_text(text.replace(find, replace))
    return folder


@pytest.fixture(scope="module")
def checked(tmp_path_factory, cache) -> tuple[Ran, Path]:
    home = tmp_path_factory.mktemp("refused")
    user = Convkit(home / "home", cache)
    user.environment["PATH"] = "/usr/bin:/bin"
    folder = hand_in(home / STAGE)
    return user.judge("check", 6, "--device", "cpu", "--dir", folder, timeout=300), folder


def line_of(file: Path, part: str) -> int:
    text = file.read_text()
    assert text.count(part) == 1, part
    return 1 + text[: text.index(part)].count("\n")


def messages_of(ran: Ran, op: str) -> list[str]:
    messages = [case["message"] for case in ran.cases_of(op) if case["status"] != "PASS"]
    assert messages, op
    return messages


def test_a_refused_call_is_named_with_its_line_and_both_sizes(checked):
    ran, folder = checked
    assert ran.code == FALLS_SHORT, ran.err
    line = line_of(folder / "forward.cu", "return cudnnAddTensor(")
    for message in messages_of(ran, "conv2d_cudnn"):
        assert re.fullmatch(
            r"conv2d_cudnn returned CUDNN_STATUS_BAD_PARAM\. cudnnAddTensor, called at "
            rf"forward\.cu:{line}: aDesc is (\d+) x 1 x 1 x 1; each of its sizes must be 1 or "
            r"that of cDesc, \d+ x \1 x \d+ x \d+\.",
            message,
        ), message


def test_a_null_pointer_is_named(checked):
    ran, folder = checked
    line = line_of(folder / "layers.cu", "return cudnnActivationBackward(")
    for message in messages_of(ran, "relu_backward"):
        assert message == (
            "relu_backward returned CUDNN_STATUS_BAD_PARAM. cudnnActivationBackward, called at "
            f"layers.cu:{line}: x is null."
        )


def test_a_descriptor_that_cannot_be_set_is_named(checked):
    ran, folder = checked
    line = line_of(folder / "descriptors.cuh", "return cudnnSetTensorNdDescriptor(")
    for message in messages_of(ran, "softmax_forward"):
        assert message == (
            "softmax_forward returned CUDNN_STATUS_BAD_PARAM. cudnnSetTensorNdDescriptor, called "
            f"at descriptors.cuh:{line}: dimA[2] is 0; every dimension must be at least 1."
        )


def test_a_program_that_handles_a_refusal_is_not_accused(checked):
    ran, _ = checked
    assert {case["status"] for case in ran.cases_of("relu_forward")} == {"PASS"}
    for message in messages_of(ran, "max_pool2d_forward"):
        assert message == (
            "max_pool2d_forward returned CUDNN_STATUS_NOT_SUPPORTED. None of the cuDNN calls in "
            "it gave this status."
        )


# Of one function of stage 02 each: host code in its launcher, and what is said of it.
RUNTIME = {
    "copies too much": (
        "cudaError_t error = cudaMemcpyAsync(d_y, d_x, 4 << 20, cudaMemcpyDeviceToDevice, stream);"
        " if (error != cudaSuccess) return error;",
        r"conv2d_constant returned cudaErrorInvalidValue \(invalid argument\)\. cudaMemcpyAsync, "
        r"called at conv2d_constant\.cu:\d+: it writes 4194304 bytes, and dst, byte 0 of `y` "
        r"\((\d+) bytes\), has \1 from there on\.",
    ),
    "has 2048 threads in a block": (
        "block.x = 2048;",
        r"conv2d_constant returned cudaErrorInvalidValue \(invalid argument\)\. The launch of conv "
        r"at conv2d_constant\.cu:\d+ was refused: its block of 2048 x 1 x 1 has 2048 threads; at "
        r"most 1024 are allowed\.",
    ),
}


@pytest.mark.parametrize("what", RUNTIME)
def test_a_refused_call_of_the_runtime_names_the_tensor(no_cuda, handed_in_cuda, what):
    host, said = RUNTIME[what]
    folder = handed_in_cuda({FILE: source(host=host)})
    ran = no_cuda.judge("check", 2, "--device", "cpu", "--dir", folder / DIRECT, timeout=300)
    assert re.fullmatch(said, ran.case("constant_one_filter")["message"])


def test_an_access_past_a_tensor_names_the_tensor(no_cuda, handed_in_cuda):
    folder = handed_in_cuda({FILE: source(kernel="if (j == 0) j += b[s.m] > 1e30f;")})
    ran = no_cuda.judge("check", 2, "--device", "cpu", "--dir", folder / DIRECT, timeout=300)
    message = ran.case("constant_one_filter")["message"]
    assert "just past the end of `b` (" in message, message
