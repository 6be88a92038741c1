# SPDX-License-Identifier: MIT
"""Reports of the CPU device name the launch, the stream, the threads and the element."""

import pytest
from driver import FALLS_SHORT
from gpu_submission import DIRECT, FILE, OP, grade, line_of, others_pass, source

pytestmark = pytest.mark.usefixtures("few_cases")


@pytest.fixture
def failed(no_cuda, handed_in_cuda):
    """failed(**parts): what `check` says of the first failing case of that submission."""

    def judge(text: str) -> dict:
        folder = handed_in_cuda({FILE: text})
        ran = no_cuda.judge("check", 2, "--device", "cpu", "--dir", folder / DIRECT)
        assert ran.code == FALLS_SHORT and others_pass(ran), ran.out
        return next(c for c in ran.stage["cases"] if c["op"] == OP and c["status"] != "PASS")

    return judge


def test_a_launch_on_the_default_stream_is_named_with_what_to_write(failed):
    text = source().replace("block, 0, stream>>>", "block>>>")
    case = failed(text)
    assert (case["status"], case["mistake"]) == ("WRONG", "unjoined_stream")
    line = line_of(text, "conv<<<")
    assert f"conv, launched at {FILE}:{line}, went to the default stream." in case["message"]
    assert "conv<<<grid, block, shared_bytes, stream>>>(...)" in case["hint"]


def test_a_memset_on_the_default_stream_is_named_with_the_call_to_make(failed):
    host = "static float* spare; if (!spare) cudaMalloc(&spare, 64); cudaMemset(spare, 0, 64);"
    text = source(host=host)
    case = failed(text)
    assert case["mistake"] == "unjoined_stream"
    where = f"cudaMemset, called at {FILE}:{line_of(text, 'static float')}"
    assert where in case["message"]
    assert "Write cudaMemsetAsync(..., stream)" in case["hint"]


def test_work_that_the_host_waits_for_but_that_runs_before_its_inputs_is_named(failed):
    host = "cudaStream_t own; cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);"
    text = source(host=host, returns="cudaStreamSynchronize(own)")
    case = failed(text.replace("0, stream>>>", "0, own>>>"))
    assert case["mistake"] == "race_across_streams"
    assert "on the stream made at " in case["message"]
    assert "on the given stream" in case["message"]


def test_two_threads_that_compute_one_output_are_named_with_it(failed):
    text = source(threads="64, 2").replace("+ j] = sum;", "+ j] = sum + threadIdx.y;")
    case = failed(text)
    assert case["mistake"] == "race_global_block"
    threads = "threads (0,1,0) and (0,0,0) of block (0,0,0) both write y[0,0,0,0]"
    assert f"{threads} (`y` is " in case["message"]
    assert "look at how the index is made from threadIdx" in case["hint"]


def test_a_thread_that_goes_past_the_end_of_a_row_with_its_pair_is_named(failed):
    text = source().replace("int j = blockIdx.x", "int j = 2 * (blockIdx.x")
    text = text.replace("+ threadIdx.x, i", "+ threadIdx.x), i")
    pair = "for (int k = 0; k < 2; ++k, ++j) {\n  if (k == 0 && j >= s.ow()) return;"
    text = text.replace("if (j >= s.ow()) return;", pair).replace("+ j] = sum;", "+ j] = sum; }")
    case = failed(text)
    assert "both write y[" in case["message"] or "past the end of `y`" in case["message"]
    assert "also stores y[" in case["hint"] and "in the last column: " in case["hint"]


def test_two_threads_of_one_sum_are_named_with_the_output(failed):
    text = source(threads="64, 2").replace(".ow() + j] = sum;", ".ow() + j] += sum;")
    case = failed(text)
    assert case["mistake"] == "race_global_block"
    assert "threads (0,1,0) and (0,0,0) of block (0,0,0) both update y[0,0,0,0]" in case["message"]


def test_a_thread_beyond_the_output_is_named_with_the_sizes_of_both(failed):
    case = failed(source().replace("if (j >= s.ow()) return;", ""))
    assert "The grid has 64 threads in x, and `y` has " in case["hint"]
    assert "a thread beyond the last column must not read or write." in case["hint"]


TOO_SMALL = source().replace(
    "dim3 block(64), grid((shape->ow() + 63) / 64,", "dim3 block(2), grid(1,"
)


def test_a_grid_that_does_not_cover_the_output_is_named_with_the_sizes_of_both(failed):
    case = failed(TOO_SMALL)
    assert case["status"] == "WRONG" and "were never written" in case["message"]
    line = line_of(TOO_SMALL, "conv<<<")
    assert f"The grid of conv, launched at {FILE}:{line}, has 1 x " in case["message"]
    assert "blocks of 2 x 1 x 1 threads" in case["message"]


# Every block but the first is missing, and every block is right.
ONE_BLOCK = TOO_SMALL.replace("dim3 block(2)", "dim3 block(4)")
NO_OFFSET = "every block computes the same ones"


def test_a_grid_of_one_block_is_not_taken_for_blocks_without_an_offset(failed):
    case = failed(ONE_BLOCK)
    assert "The grid of conv, launched at" in case["message"]
    assert NO_OFFSET not in case["message"]


def test_grade_does_not_take_it_for_blocks_without_an_offset(no_cuda, handed_in_cuda):
    ran = grade(no_cuda, handed_in_cuda({FILE: ONE_BLOCK}), check=True)
    told = [case for case in ran.stage["cases"] if "The grid of conv, launched" in case["message"]]
    assert told and all(NO_OFFSET not in case["message"] for case in ran.stage["cases"])


def test_a_block_of_one_row_of_threads_is_named_where_the_kernel_wants_two_dimensions(failed):
    text = source(threads="1024").replace("i = blockIdx.y;", "i = blockIdx.y * 16 + threadIdx.y;")
    text = text.replace("if (j >= s.ow()) return;", "if (i >= s.oh() || j >= s.ow()) return;")
    case = failed(text.replace("shape->oh(), shape->n", "(shape->oh() + 15) / 16, shape->n"))
    assert "The block has 1024 threads in x and 1 in y: threadIdx.y is always 0." in case["message"]
    assert "dim3(32, 32)" in case["message"]


def test_grade_says_it_of_a_failing_case_too(no_cuda, handed_in_cuda):
    ran = grade(no_cuda, handed_in_cuda({FILE: TOO_SMALL}), check=True)
    told = [case for case in ran.stage["cases"] if "The grid of conv, launched" in case["message"]]
    assert told and all(case["status"] == "WRONG" for case in told)
    # Two calls launch alike, and what they leave out is the same.
    assert {case["op"] for case in told} == {OP, f"{OP}_twice"}


def test_a_launch_beyond_its_launch_bounds_says_both_numbers(failed):
    text = source().replace("__global__ void conv(", "__global__ void __launch_bounds__(32) conv(")
    case = failed(text)
    assert (
        "its block of 64 x 1 x 1 has 64 threads; __launch_bounds__ of the kernel allows 32"
        in (case["message"])
    )


def test_a_device_that_there_is_not_is_refused_with_its_number(failed):
    case = failed(source(host="if (cudaError_t e = cudaSetDevice(3)) return e;"))
    assert "cudaSetDevice, called at " in case["message"]
    assert "device is 3; there is one device, number 0." in case["message"]
