# SPDX-License-Identifier: MIT
"""Check mode beyond one report a program: its words, how often, exit codes, odd programs.

The folder cpu_device/tests/conformance/faulty has what check mode must find, and
cpu_device/tests/conformance/tricky what it must let pass.
"""

import os
import re
import resource
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("CONVKIT_BINARY", ROOT / "build/dev/bin/convkit"))
# Multiplied on a machine that is much slower than usual, as docs/install.md says.
TIME_SCALE = int(os.environ.get("CONVKIT_TIME_SCALE", 1))

HEAD = """\
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <thread>
"""


class Program:
    def __init__(self, path: Path):
        self.path = path

    def run(self, *arguments, **options):
        limit = options.pop("address_space", None)
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("CONVKIT_")}
        return subprocess.run(
            [self.path, *arguments],
            env=inherited | options,
            capture_output=True,
            text=True,
            timeout=60 * TIME_SCALE,
            preexec_fn=limit and (lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))),
        )


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """compiled(source): a program in check mode; the same source is compiled once."""
    cache, known = tmp_path_factory.mktemp("cache"), {}

    def make(source: str, *flags: str, name: str = "program", check: bool = True) -> Program:
        key = (source, flags, name, check)
        if key not in known:
            folder = tmp_path_factory.mktemp("program")
            (folder / f"{name}.cu").write_text(HEAD + source)
            mode = ["--check"] if check else []
            command = [BINARY, "cc", *mode, f"{name}.cu", "-o", name, *flags]
            ran = subprocess.run(
                command,
                cwd=folder,
                env=os.environ | {"CONVKIT_CACHE": str(cache), "CONVKIT_ROOT": str(ROOT)},
                capture_output=True,
                text=True,
                timeout=120 * TIME_SCALE,
            )
            assert ran.returncode == 0, ran.stderr
            known[key] = Program(folder / name)
        return known[key]

    return make


def kinds(ran) -> list[str]:
    return re.findall(r"^convkit: (\w+): ", ran.stderr, re.MULTILINE)


# A kernel and the launch of it on one array of 64 ints, which is cleared.
def on_array(kernel: str, launch: str = "kernel<<<1, 64>>>(d)", end: str = "return 0;") -> str:
    return f"""{kernel}
int main() {{
  int* d;
  cudaMalloc(&d, 64 * sizeof(int));
  cudaMemset(d, 0, 64 * sizeof(int));
  {launch};
  cudaDeviceSynchronize();
  cudaFree(d);
  {end}
}}
"""


SHIFT = """__global__ void kernel(int* d) {
  __shared__ int cells[64];
  cells[threadIdx.x] = d[threadIdx.x];
  d[threadIdx.x] = cells[threadIdx.x + 1];
}"""
REVERSE = SHIFT.replace("threadIdx.x + 1", "63 - threadIdx.x")


def test_the_words_of_a_race_report(compiled):
    ran = compiled(on_array(REVERSE)).run()
    assert ran.stderr == (
        "convkit: race_shared: thread (32,0,0) writes element 32 (byte 128) of `cells` (256 bytes "
        "of shared memory) at program.cu:7, and thread (31,0,0) read it at program.cu:8, with no "
        "barrier between.\n"
        "    program.cu:7: cells[threadIdx.x] = d[threadIdx.x];\n"
        "    program.cu:8: d[threadIdx.x] = cells[63 - threadIdx.x];\n"
        "  in kernel, block (0,0,0), thread (32,0,0), launched at program.cu:14\n"
        "  Put __syncthreads() between the two, at a place that every thread of the block "
        "reaches.\n"
    )
    assert ran.returncode == 1


def test_the_words_of_an_access_out_of_bounds(compiled):
    kernel = "__global__ void kernel(int* d) { d[threadIdx.x + 1] = 0; }"
    ran = compiled(on_array(kernel)).run()
    assert ran.stderr == (
        "convkit: out_of_bounds_global: thread (63,0,0) writes 4 bytes at program.cu:5, just past "
        "the end of allocation 1 (256 bytes, made at program.cu:8): as elements of 4 bytes, it has "
        "64, and this is index 64.\n"
        "    program.cu:5: __global__ void kernel(int* d) { d[threadIdx.x + 1] = 0; }\n"
        "  in kernel, block (0,0,0), thread (63,0,0), launched at program.cu:10\n"
        "  Compare the index with the array's size before using it.\n"
    )
    assert ran.returncode == 1


def test_an_exit_code_of_the_program_is_kept(compiled):
    assert compiled(on_array(REVERSE, end="return 3;")).run().returncode == 3


def test_what_the_program_printed_is_not_lost_with_its_exit_code(compiled):
    end = 'std::ios::sync_with_stdio(false); std::cout << "done"; std::printf(" too"); return 0;'
    ran = compiled(on_array(REVERSE, end=end)).run()
    assert sorted(ran.stdout.split()) == ["done", "too"]
    assert ran.returncode == 1


def test_one_pair_of_lines_is_reported_once(compiled):
    launch = "for (int i = 0; i < 20; ++i) kernel<<<3, 64>>>(d)"
    ran = compiled(on_array(REVERSE, launch)).run()
    assert kinds(ran).count("race_shared") == 1


def test_a_program_of_many_cases_can_start_over(compiled):
    declared = 'extern "C" void convkit_simt_check_start_over();\n'
    launch = "kernel<<<1, 64>>>(d); convkit_simt_check_start_over(); kernel<<<1, 64>>>(d)"
    ran = compiled(declared + on_array(REVERSE, launch)).run()
    assert kinds(ran).count("race_shared") == 1  # both launches run at the synchronisation
    launch = launch.replace("convkit_", "cudaDeviceSynchronize(); convkit_")
    ran = compiled(declared + on_array(REVERSE, launch)).run()
    assert kinds(ran).count("race_shared") == 2
    assert ran.returncode == 1


# What a stage's function does with memory of its own, and on streams of its own.
STREAMS = """extern "C" void convkit_simt_check_streams(cudaStream_t);
extern "C" void convkit_simt_check_freed();
__global__ void kernel(int* d) { d[threadIdx.x] += 1; }
int main() {
  int *d, *own, host[64];
  cudaStream_t caller, other;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&caller, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEventCreate(&event);
  cudaMalloc(&d, 256);
  cudaMemset(d, 0, 256);
  cudaDeviceSynchronize();
  WORK
  cudaStreamSynchronize(caller);
  convkit_simt_check_streams(caller);
  CHECK
  cudaFree(d);
}
"""


def with_streams(work: str, check: str = "") -> str:
    return STREAMS.replace("WORK", work).replace("CHECK", check)


@pytest.mark.parametrize(
    "work",
    [
        "cudaMallocAsync(&own, 256, other); cudaMemsetAsync(own, 0, 256, other);"
        "kernel<<<1, 64, 0, other>>>(own);"
        "cudaEventRecord(event, other); cudaStreamWaitEvent(caller, event, 0);"
        "cudaFreeAsync(own, other);",
        "cudaMallocAsync(&own, 256, nullptr); cudaMemset(own, 0, 256);"
        "cudaMemcpy(host, own, 256, cudaMemcpyDeviceToHost); cudaFreeAsync(own, nullptr);",
        "cudaMallocAsync(&own, 256, caller); cudaEventRecord(event, caller);"
        "cudaStreamWaitEvent(other, event, 0); cudaFreeAsync(own, other);"
        "cudaEventRecord(event, other);",
    ],
)
def test_a_free_that_waits_in_a_stream_is_neither_unjoined_work_nor_a_leak(compiled, work):
    freed = "convkit_simt_check_freed(); cudaFreeAsync(d, other); return 0;"
    assert kinds(compiled(with_streams(work, freed)).run())[:1] == ["leak"]  # it is d
    ran = compiled(with_streams(work, "cudaFreeAsync(d, other); convkit_simt_check_freed();")).run()
    assert kinds(ran) == ["double_free"]  # at the end, which waits for the first
    ran = compiled(with_streams(work, "cudaFreeAsync(d, other); return 0;")).run()
    assert (kinds(ran), ran.returncode) == ([], 0)


def test_work_before_a_free_is_unjoined(compiled):
    work = """cudaMallocAsync(&own, 256, other);
  cudaMemsetAsync(own, 0, 256, other);
  kernel<<<1, 64, 0, other>>>(own);
  cudaFreeAsync(own, other);"""
    ran = compiled(with_streams(work)).run()
    assert kinds(ran) == ["unjoined_stream"]
    assert "cudaMemsetAsync, called at program.cu:19, went to the stream made at" in ran.stderr
    assert "The same holds for kernel, launched at program.cu:20." in ran.stderr


@pytest.mark.parametrize(
    ("work", "words"),
    [
        (
            "kernel<<<1, 64>>>(d);",
            "kernel, launched at program.cu:18, went to the default stream. .*\n(.*\n)?"
            "  A launch without a fourth argument goes to the default stream. "
            r"Write kernel<<<grid, block, shared_bytes, stream>>>\(...\)",
        ),
        (
            "cudaMemset(d, 0, 256);",
            "cudaMemset, called at program.cu:18, went to the default stream. .*\n.*\n"
            r"  cudaMemset always uses the default stream. Write cudaMemsetAsync\(..., stream\)",
        ),
        (
            "cudaMemsetAsync(d, 0, 256, other);",
            "cudaMemsetAsync, called at program.cu:18, went to the stream made at program.cu:13. "
            ".*\n.*\n.*Or let that stream wait: ",
        ),
    ],
)
def test_unjoined_work_is_told_with_its_stream_and_what_to_write(compiled, work, words):
    ran = compiled(with_streams(work)).run()
    assert kinds(ran) == ["unjoined_stream"]
    assert re.search(words, ran.stderr), ran.stderr


def test_an_event_that_the_given_stream_does_not_wait_for_is_told(compiled):
    work = "cudaStreamWaitEvent(caller, event, 0);" + ON_OTHER + "cudaEventRecord(event, other);"
    ran = compiled(with_streams(work)).run()
    assert kinds(ran) == ["unjoined_stream"]
    assert "An event is recorded behind it (cudaEventRecord, called at program.cu:18)" in ran.stderr


@pytest.mark.parametrize("end", ["cudaDeviceSynchronize();", "cudaFree(d); return 0;", ""])
def test_a_program_that_ends_before_its_work_says_so(compiled, end):
    body = "int* d; cudaMalloc(&d, 256); cudaMemset(d, 0, 256); cudaDeviceSynchronize();"
    kernel = "__global__ void kernel(int* d) { d[threadIdx.x] += 1; }"
    source = f"{kernel}\nint main() {{ {body}\nkernel<<<1, 64>>>(d);\n{end} }}"
    ran = compiled(source).run()
    told = "the program ended, and nothing had waited for kernel, launched at program.cu:7."
    assert (told in ran.stderr) == (not end), ran.stderr
    assert ("unwaited_work" in kinds(ran)) == (not end)
    plain = compiled(source, check=False).run()
    assert (kinds(plain), plain.returncode) == ([] if end else ["unwaited_work"], 0)


HOST_AND_DEVICE = """__global__ void kernel(int* d) { d[threadIdx.x] += 1; } VARIABLE
int main() {
  int *d, sum = 0; ALLOCATE
  for (int i = 0; i < 64; ++i) d[i] = i;
  WORK
  for (int i = 0; i < 64; ++i) HOST
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i) sum += d[i];
  FREE
  return sum < 0;
}"""
MANAGED = ("cudaMallocManaged(&d, 256);", "cudaFree(d);")
VARIABLE = ("d = variable;", "")
PINNED = ("int* a; cudaMalloc(&a, 256); cudaMallocHost(&d, 256);", "cudaFree(a); cudaFreeHost(d);")


@pytest.mark.parametrize(
    "memory, work, host, races",
    [
        (MANAGED, "kernel<<<1, 64>>>(d);", "sum += d[i];", True),
        (MANAGED, "kernel<<<1, 64>>>(d);", "d[i] = 0;", True),
        (MANAGED, "kernel<<<1, 32>>>(d);", "if (i >= 32) d[i] = 0;", False),
        (MANAGED, "kernel<<<1, 64>>>(d);", "sum += *(volatile int*)(d + i);", False),
        (MANAGED, "kernel<<<1, 64>>>(d); cudaDeviceSynchronize();", "sum += d[i];", False),
        (VARIABLE, "kernel<<<1, 64>>>(d);", "sum += d[i];", True),
        (VARIABLE, "kernel<<<1, 64>>>(d);", "d[i] = 0;", True),
        (VARIABLE, "kernel<<<1, 64>>>(d); cudaDeviceSynchronize();", "d[i] = 0;", False),
        (VARIABLE, "kernel<<<1, 64>>>(d);", "d[64 + i] = 0;", False),
        (PINNED, "cudaMemcpyAsync(a, d, 256, cudaMemcpyHostToDevice);", "d[i] = 0;", True),
        (PINNED, "cudaMemcpyAsync(a, d, 256, cudaMemcpyHostToDevice);", "sum += d[i];", False),
        (
            PINNED,
            "cudaMemcpyAsync(a, d, 256, cudaMemcpyHostToDevice); cudaStreamSynchronize(0);",
            "d[i] = 0;",
            False,
        ),
        (PINNED, "kernel<<<1, 64>>>(d);", "sum += d[i];", True),
    ],
)
def test_host_code_beside_the_device_is_a_race(compiled, memory, work, host, races):
    variable = "__managed__ int variable[128];" if memory == VARIABLE else ""
    source = HOST_AND_DEVICE.replace("ALLOCATE", memory[0]).replace("FREE", memory[1])
    source = source.replace("VARIABLE", variable)
    ran = compiled(source.replace("WORK", work).replace("HOST", host)).run()
    assert kinds(ran) == (["race_with_host"] if races else []), ran.stderr
    if races:
        assert "host code at program.cu:10" in ran.stderr and "program.cu:9" in ran.stderr


MANAGED_VARIABLES = """__managed__ int one[8], other[8];
__global__ void past(int* d) { d[threadIdx.x] = 1; }
int main() {
  int host[16] = {};
  WORK
  return cudaDeviceSynchronize();
}"""


@pytest.mark.parametrize("name", ["one", "other"])
def test_managed_variables_are_told_apart(compiled, name):
    copy = f"return cudaMemcpy({name}, host, sizeof host, cudaMemcpyDefault);"
    ran = compiled(MANAGED_VARIABLES.replace("WORK", copy)).run()
    assert ran.returncode == 1, ran.stderr  # cudaErrorInvalidValue
    copy = f"cudaMemcpy({name}, host, sizeof host, cudaMemcpyDefault);"
    ran = compiled(MANAGED_VARIABLES.replace("WORK", copy)).run()
    assert f"`{name}` (32 bytes)" in ran.stderr


def test_a_kernel_past_managed_variables_names_the_nearest(compiled):
    launch = "past<<<1, 17>>>(one < other ? one : other);"
    ran = compiled(MANAGED_VARIABLES.replace("WORK", launch)).run()
    assert kinds(ran) == ["out_of_bounds_global"]
    assert re.search("just past the end of `(one|other)` \\(32 bytes\\)", ran.stderr), ran.stderr


def test_launches_that_nobody_waited_for_run_at_the_end_to_be_checked(compiled):
    kernel = "__global__ void kernel(int* d) { *d = threadIdx.x; }"
    source = f"{kernel}\nint main() {{ int* d; cudaMalloc(&d, 256);\nkernel<<<1, 64>>>(d); MORE }}"
    ran = compiled(source.replace("MORE", "")).run()
    assert kinds(ran) == ["unwaited_work", "race_global_block", "leak"], ran.stderr
    # What other work uses may be gone by now.
    ran = compiled(source.replace("MORE", "cudaMemsetAsync(d, 0, 256);")).run()
    assert kinds(ran) == ["unwaited_work", "leak"], ran.stderr


def test_a_sum_that_two_threads_add_to_names_both(compiled):
    adds = "__global__ void kernel(int* d) { d[threadIdx.x / 8] += threadIdx.x; }"
    ran = compiled(on_array(adds)).run()
    assert kinds(ran) == ["race_global_block"]
    assert "threads (1,0,0) and (0,0,0) of block (0,0,0) both update element 0" in ran.stderr
    shifts = "__global__ void kernel(int* d) { d[threadIdx.x] += d[(threadIdx.x + 1) % 64]; }"
    ran = compiled(on_array(shifts)).run()
    assert "both update" not in ran.stderr and "race_global_block" in kinds(ran)


SHAPED = """#include "simt/named_memory.h"
__global__ void kernel(const float* x, float* y) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  y[row * 20 + column] = x[row * 20 + column] + column;
}
int main() {
  const int64_t dims[] = {1, 1, 20, 20};
  float *x, *y;
  cudaMalloc(&x, 1600);
  cudaMalloc(&y, 1600);
  convkit_simt_name_memory(x, 1600, "x");
  convkit_simt_name_memory(y, 1600, "y");
  convkit_simt_shape_memory(x, dims, 4, 4, 0);
  convkit_simt_shape_memory(y, dims, 4, 4, 1);
  cudaMemset(x, 0, 1600);
  kernel<<<GRID, BLOCK>>>(x, y);
  cudaDeviceSynchronize();
}
"""


def with_grid(grid: str, block: str) -> str:
    return SHAPED.replace("GRID", grid).replace("BLOCK", block)


def test_a_thread_beyond_the_output_is_named_in_its_coordinates(compiled):
    ran = compiled(with_grid("dim3(2, 1)", "dim3(16, 20)")).run()
    assert "both write y[0,0,1,0] (`y` is 1 x 1 x 20 x 20)" in ran.stderr
    columns = (
        "The grid has 32 threads in x, and `y` has 20 columns: a thread beyond the last column"
    )
    assert columns in ran.stderr
    ran = compiled(with_grid("dim3(1, 2)", "dim3(20, 16)")).run()
    assert kinds(ran)[0] == "out_of_bounds_global"
    beyond = "x[0,0,20,0] or x[1,0,0,0] (or x[0,0,19,20], a column too far)"
    assert f"this is index 400, {beyond}: x has one image, one channel and rows" in ran.stderr
    rows = "The grid has 32 threads in y, and `y` has 20 rows: a thread beyond the last row"
    assert rows in ran.stderr


def test_a_grid_that_is_larger_for_another_reason_is_not_blamed(compiled):
    ran = compiled(with_grid("dim3(1, 30)", "dim3(20, 1)")).run()
    assert kinds(ran)[0] == "out_of_bounds_global"
    assert "a thread beyond" not in ran.stderr  # more blocks than rounding up gives
    ran = compiled(with_grid("dim3(3, 1)", "dim3(20, 20)")).run()
    assert "a thread beyond" not in ran.stderr


ON_OTHER = "kernel<<<1, 64, 0, other>>>(d);"
JOIN = "cudaEventRecord(event, other); cudaStreamWaitEvent(caller, event, 0);"
FLOOD = "for (int i = 0; i < 1100; ++i) nothing<<<1, 1, 0, caller>>>();"
DESTROY = "cudaStreamDestroy(other);"
NOTHING = "__global__ void nothing() {}\n"


@pytest.mark.parametrize(
    "work",
    [
        ON_OTHER + DESTROY,
        ON_OTHER + FLOOD,
        ON_OTHER + FLOOD + DESTROY,
        ON_OTHER + "cudaLaunchHostFunc(caller, [](void* stream) {"
        "cudaStreamSynchronize((cudaStream_t)stream); }, other);",
        ON_OTHER + "cudaStreamAddCallback(caller, [](cudaStream_t, cudaError_t, void*) {"
        "cudaDeviceSynchronize(); }, nullptr, 0);",
        ON_OTHER + "cudaStreamQuery(other);",
        "cudaEventRecord(event, other);" + ON_OTHER + FLOOD + "cudaEventQuery(event);",
    ],
    ids=["destroyed", "flooded", "both", "host function", "callback", "looked at", "event before"],
)
def test_work_that_nobody_waits_for_is_unjoined_however_it_came_to_run(compiled, work):
    ran = compiled(NOTHING + with_streams(work)).run()
    assert kinds(ran) == ["unjoined_stream"]


@pytest.mark.parametrize(
    "work",
    [
        ON_OTHER + JOIN + DESTROY,
        ON_OTHER + JOIN + FLOOD + DESTROY,
        ON_OTHER + FLOOD + JOIN + DESTROY,
        ON_OTHER + FLOOD + "cudaStreamSynchronize(other);" + DESTROY,
        ON_OTHER + DESTROY + FLOOD + "cudaDeviceSynchronize();",
        ON_OTHER + FLOOD + "while (cudaStreamQuery(other) != cudaSuccess) {}" + DESTROY,
        ON_OTHER
        + "cudaEventRecord(event, other);"
        + FLOOD
        + DESTROY
        # What has run is done at the first look.
        + "while (cudaEventQuery(event) != cudaSuccess) {}",
        ON_OTHER + DESTROY + FLOOD + "cudaMalloc(&own, 4); cudaFree(own);",
        # The legacy stream waits for a blocking stream, also for one that is destroyed.
        "cudaStream_t blocking; cudaStreamCreate(&blocking);"
        "kernel<<<1, 64, 0, blocking>>>(d); cudaStreamDestroy(blocking);"
        + FLOOD
        + "nothing<<<1, 1>>>(); cudaStreamSynchronize(nullptr);",
        "cudaStream_t blocking; cudaStreamCreate(&blocking); nothing<<<1, 1>>>();"
        + FLOOD
        + "kernel<<<1, 64, 0, blocking>>>(d); cudaEventRecord(event, blocking);"
        "cudaStreamWaitEvent(caller, event, 0); cudaStreamDestroy(blocking);",
        "cudaMallocAsync(&own, 256, other); cudaMemsetAsync(own, 0, 256, other);"
        "kernel<<<1, 64, 0, other>>>(own);" + JOIN + "cudaFreeAsync(own, other);" + FLOOD + DESTROY,
        "for (int i = 0; i < 600; ++i) {" + ON_OTHER + JOIN + "nothing<<<1, 1, 0, caller>>>();"
        "cudaEventRecord(event, caller); cudaStreamWaitEvent(other, event, 0); }",
    ],
)
def test_work_that_is_joined_is_so_also_if_it_ran_early_or_its_stream_is_destroyed(compiled, work):
    ran = compiled(NOTHING + with_streams(work)).run()
    assert (kinds(ran), ran.returncode) == ([], 0)


def test_the_line_of_a_free_in_a_stream_is_that_of_the_call(compiled):
    work = """cudaFreeAsync(d, caller);
  kernel<<<1, 64, 0, caller>>>(d);"""
    ran = compiled(with_streams(work)).run()
    assert kinds(ran)[0] == "use_after_free"
    assert "freed at program.cu:18" in ran.stderr


def test_memory_that_a_stream_has_yet_to_free_can_be_allocated_again(compiled):
    loop = """for (int i = 0; i < 20; ++i) {
    cudaMallocAsync(&own, 4 << 20, other);
    cudaMemsetAsync(own, 0, 4 << 20, other);
    if (cudaFreeAsync(own, other) != cudaSuccess) return 2;
  }
  cudaStreamSynchronize(other);"""
    ran = compiled(with_streams(loop)).run(CONVKIT_SIMT_MEMORY_MIB="16")
    assert (kinds(ran), ran.returncode) == ([], 0)


def test_no_more_than_ten_reports(compiled):
    lines = "\n".join(f"d[{i}] = threadIdx.x;" for i in range(15))
    ran = compiled(on_array(f"__global__ void kernel(int* d) {{\n{lines}\n}}")).run()
    assert kinds(ran) == ["race_global_block"] * 10
    assert "more reports were left out" in ran.stderr


@pytest.mark.parametrize("count, told", [(20, True), (32, False)])
def test_a_shuffle_from_lanes_that_returned_is_a_note(compiled, count, told):
    """It may be right, so the exit code stays."""
    source = """
__global__ void k(int* out, int count) {
  if (threadIdx.x >= count) return;
  int next = __shfl_down_sync(~0u >> (32 - count), 7, 1);
  if (threadIdx.x + 1 < count) out[threadIdx.x] = next;
}
int main(int argc, char** argv) {
  int* d_out = nullptr;
  cudaMalloc(&d_out, 32 * sizeof(int));
  k<<<1, 32>>>(d_out, atoi(argv[1]));
  cudaDeviceSynchronize();
  cudaFree(d_out);
}
"""
    ran = compiled(source).run(str(count))
    assert ran.returncode == 0
    assert ("convkit: note: lane 19 reads the value of lane 20" in ran.stderr) == told, ran.stderr
    assert told or not ran.stderr


# The way out of an error, as programs write it.
FAILED_COPY = """
int main() {
  float* d = nullptr;
  static float host[64];
  cudaMalloc(&d, 32 * sizeof(float));
  cudaMemset(d, 0, 32 * sizeof(float));
  const cudaError_t error = cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
  SEEN
  cudaFree(d);
}
"""


@pytest.mark.parametrize(
    "seen, told",
    [
        ("(void)error;", True),
        ("if (error) return 3;", False),
        ("printf(cudaGetErrorString(error));", False),
        ("cudaGetLastError();", False),
    ],
)
def test_an_error_of_a_copy_that_nobody_may_have_seen_is_a_note(compiled, seen, told):
    ran = compiled(FAILED_COPY.replace("SEEN", seen)).run()
    note = "convkit: note: cudaMemcpy, called at program.cu:11: it reads 256 bytes"
    assert (note in ran.stderr) == told, ran.stderr
    assert kinds(ran) == ["note"] * told
    assert ran.returncode == (3 if "return 3" in seen else 0)


def test_the_use_of_a_destroyed_descriptor_is_a_note(compiled):
    """Whether a program looks at the status of a library's call is not seen."""
    ran = compiled(
        """
#include <cudnn.h>
int main() {
  cudnnTensorDescriptor_t x;
  cudnnCreateTensorDescriptor(&x);
  cudnnDestroyTensorDescriptor(x);
  cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 4, 4);
}
""",
        "-lcudnn",
    ).run()
    assert (
        "convkit: note: cudnnSetTensor4dDescriptor, called at program.cu:11: tensorDesc has been "
        "destroyed already, by cudnnDestroyTensorDescriptor at program.cu:10" in ran.stderr
    )
    assert kinds(ran) == ["note"]
    assert ran.returncode == 0


def test_a_program_may_replace_operator_new(compiled):
    """What notes the program's blocks allocates, too."""
    source = """
#include <vector>
void* operator new(size_t bytes) { return malloc(bytes); }
void operator delete(void* memory) noexcept { free(memory); }
void operator delete(void* memory, size_t) noexcept { free(memory); }
int main() {
  std::vector<int> host(100);
  int* d = nullptr;
  cudaMalloc(&d, 400);
  cudaMemset(d, 0, 400);
  cudaMemcpy(host.data(), d, 400, cudaMemcpyDeviceToHost);
  cudaFree(d);
}
"""
    ran = compiled(source).run()
    assert (kinds(ran), ran.returncode) == ([], 0)


def test_a_value_may_be_written_twice_if_it_is_the_same(compiled):
    same = (
        "__global__ void kernel(int* d) { d[0] = 7; __shared__ bool any; any = true; d[1] = any; }"
    )
    assert kinds(compiled(on_array(same, "kernel<<<4, 32>>>(d)")).run()) == []
    other = "__global__ void kernel(int* d) { d[0] = blockIdx.x; }"
    ran = compiled(on_array(other, "kernel<<<4, 32>>>(d)")).run()
    assert kinds(ran) == ["race_across_blocks"]


def test_an_element_past_the_end_is_seen_though_another_array_lies_there(compiled):
    kernel = """__global__ void kernel(int* d) {
  __shared__ int before[64], cells[64], after[64];
  before[threadIdx.x] = after[threadIdx.x] = 1;
  __syncthreads();
  cells[threadIdx.x + 1] = before[threadIdx.x] + after[threadIdx.x];
  __syncthreads();
  d[threadIdx.x] = cells[threadIdx.x] + before[threadIdx.x] + after[threadIdx.x];
}"""
    ran = compiled(on_array(kernel)).run()
    assert kinds(ran) == ["out_of_bounds_shared"]
    assert "`cells` (256 bytes" in ran.stderr


def test_rows_of_an_array_may_be_used_as_one(compiled):
    kernel = """__global__ void kernel(int* d) {
  __shared__ int tile[4][16];
  tile[0][threadIdx.x] = d[threadIdx.x];
  __syncthreads();
  d[threadIdx.x] = tile[0][63 - threadIdx.x];
}"""
    assert kinds(compiled(on_array(kernel)).run()) == []


def test_memory_that_a_kernel_allocates_is_its_own(compiled):
    kernel = """__global__ void kernel(int* d) {
  int* own = new int[4];
  int* more = static_cast<int*>(malloc(16));
  own[1] = more[2] = threadIdx.x;
  d[threadIdx.x] = own[1] + more[2];
  delete[] own;
  free(more);
}"""
    assert kinds(compiled(on_array(kernel)).run()) == []


def test_host_threads_work_while_a_kernel_runs(compiled):
    kernel = """__global__ void kernel(int* d) {
  for (int i = 0; i < 20000; ++i) d[threadIdx.x] += i;
}"""
    launch = """
  static int table[1000];
  std::thread other([] { for (int i = 0; i < 3000000; ++i) table[i % 1000] += i; });
  kernel<<<1, 64>>>(d);
  cudaDeviceSynchronize();
  other.join()"""
    ran = compiled(on_array(kernel, launch)).run()
    assert (kinds(ran), ran.returncode) == ([], 0)


def test_a_missing_barrier_is_no_uninitialised_read_and_the_other_way_round(compiled):
    fresh = (
        "int* fresh; cudaMalloc(&fresh, 256); kernel<<<1, 64>>>(fresh); cudaDeviceSynchronize();"
    )
    kernel = """__global__ void kernel(int* d) {
  d[threadIdx.x] = 1;
  const int next = d[(threadIdx.x + 1) % 64];
  if (next == 0) d[threadIdx.x] = 2;
}"""
    assert "uninitialised_global" not in kinds(compiled(on_array(kernel, fresh)).run())
    kernel = "__global__ void kernel(int* d) { d[threadIdx.x] += 1; }"
    assert kinds(compiled(on_array(kernel, fresh)).run())[0] == "uninitialised_global"


# The engine's thread-local storage must be there from the start: this program uses it.
LOADS_A_LIBRARY = """#include <dlfcn.h>
int main(int, char** arguments) {
  cudaFree(nullptr);
  void* library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::printf("%s", dlerror());
  return reinterpret_cast<int (*)()>(dlsym(library, "run"))();
}
"""


@pytest.fixture(scope="session")
def run_in_library(compiled):
    """run_in_library(source): as a program of it would, in a library that is loaded late."""

    def run(source: str):
        source = source.replace("int main", 'extern "C" int run')
        library = compiled(source, "-shared", "-Xcompiler", "-fPIC", name="library")
        return compiled(LOADS_A_LIBRARY, name="host").run(library.path)

    return run


def test_a_kernel_in_a_library_that_is_loaded_late(run_in_library):
    ran = run_in_library(on_array(REVERSE))
    assert kinds(ran) == ["race_shared"], ran.stdout
    assert "`cells` (256 bytes" in ran.stderr
    assert "library.cu:7" in ran.stderr


# The shared arrays of such a library lie on the worker's heap.
@pytest.mark.parametrize("count", [1, 7, 60, 1000, 20000])
def test_memory_that_a_kernel_allocates_beside_shared_arrays_is_its_own(run_in_library, count):
    kernels = """__global__ void tiled(int* d) {
  __shared__ int tile[512];
  tile[threadIdx.x] = d[threadIdx.x];
  __syncthreads();
  d[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void kernel(int* d, int count) {
  int* own = new int[count]();
  int* more = static_cast<int*>(malloc(count * sizeof(int)));
  for (int i = 0; i < count; ++i) own[i] += i;
  for (int i = 0; i < count; ++i) more[i] = own[i];
  __syncthreads();
  d[threadIdx.x] = own[count - 1] + more[count / 2];
  delete[] own;
  free(more);
}"""
    launch = f"tiled<<<1, 64>>>(d); kernel<<<2, 64>>>(d, {count})"
    ran = run_in_library(on_array(kernels, launch))
    assert "out_of_bounds" not in ran.stderr
    assert kinds(ran) == []


def test_a_stripped_program_gets_a_report_without_lines(compiled, tmp_path):
    stripped = tmp_path / "stripped"
    shutil.copy(compiled(on_array(REVERSE)).path, stripped)
    subprocess.run(["strip", stripped], check=True)
    ran = Program(stripped).run()
    assert kinds(ran) == ["race_shared"]
    assert "an unknown line" in ran.stderr
    assert "launched at program.cu:14" in ran.stderr


def test_it_lives_with_one_gigabyte_of_addresses(compiled):
    ran = compiled(on_array(REVERSE)).run(address_space=1 << 30)
    assert kinds(ran) == ["race_shared"]


def test_leaks_are_not_counted_after_a_fault_nor_after_a_reset(compiled):
    ran = compiled("int main() { int* d; cudaMalloc(&d, 8); return cudaDeviceReset(); }").run()
    assert (kinds(ran), ran.returncode) == ([], 0)
    kernel = "__global__ void kernel(int* d) { d[64] = 0; }"
    ran = compiled(on_array(kernel, end="return 0;").replace("cudaFree(d);", "")).run()
    assert kinds(ran) == ["out_of_bounds_global"]


@pytest.mark.skipif(not shutil.which("clang++"), reason="there is no clang++")
def test_clang_finds_the_same(compiled):
    def found(source):
        return kinds(compiled(source, "-ccbin", "clang++").run())

    assert found(on_array(REVERSE)) == ["race_shared"]
    assert found(on_array(SHIFT))[-1] == "out_of_bounds_shared"
    adds = "__global__ void kernel(int* d) { d[0] += 1; }"
    assert found(on_array(adds, "kernel<<<2, 1>>>(d)")) == ["race_across_blocks"]
    copies = """struct Large { int values[8]; };
__global__ void kernel(int* d) {
  Large* large = reinterpret_cast<Large*>(d);
  large[threadIdx.x + 1] = large[threadIdx.x];
}"""
    assert found(on_array(copies, "kernel<<<1, 8>>>(d)"))[-1] == "out_of_bounds_global"


# Each thread writes its three cells of shared memory by `write`, from `mine`, and reads those of
# its neighbour, with no barrier between.
COPIES = {
    "memmove": "memmove(cells[i], mine, 12)",
    "bcopy": "bcopy(mine, cells[i], 12)",
    "bzero": "bzero(cells[i], 12)",
    "mempcpy": "mempcpy(cells[i], mine, 12)",
    "wmemcpy": "wmemcpy(cells[i], mine, 3)",
    "wmemmove": "wmemmove(cells[i], mine, 3)",
    "wmempcpy": "wmempcpy(cells[i], mine, 3)",
    "wmemset": "wmemset(cells[i], mine[0], 3)",
    "strcpy": "strcpy((char*)cells[i], text)",
    "strncpy": "strncpy((char*)cells[i], text, 12)",
    "stpcpy": "stpcpy((char*)cells[i], text)",
    "stpncpy": "stpncpy((char*)cells[i], text, 12)",
    "snprintf": 'snprintf((char*)cells[i], 12, "%d", i)',
    "sprintf": 'sprintf((char*)cells[i], "%d", i)',
}
COPY = """#include <cstring>
#include <cwchar>
#include <strings.h>
__global__ void kernel(int* d) {{
  __shared__ wchar_t cells[64][3];
  const int i = threadIdx.x;
  const wchar_t mine[3] = {{d[i], i, 2}};
  const char text[] = {{char('a' + d[i]), 'b', 0}};
  {0};
  d[i] = cells[63 - i][0] + mine[1] + text[1];
}}"""


@pytest.mark.parametrize("function", COPIES)
def test_what_the_c_library_copies_is_seen(compiled, function):
    ran = compiled(on_array(COPY.format(COPIES[function]))).run()
    assert kinds(ran) == ["race_shared"], ran.stderr
    assert "program.cu:13: " in ran.stderr and "program.cu:14: " in ran.stderr


RACES = """__shared__ int cells[64];
  cells[threadIdx.x] = d[threadIdx.x];
  d[threadIdx.x] = cells[63 - threadIdx.x];
}"""


@pytest.mark.parametrize(
    "attribute",
    [
        '__attribute__((PASTE(no_sani, tize)("thread")))',
        '__attribute__((PASTE(__no_sani, tize__) NOTHING ("thread")))',
        "[[gnu::PASTE(no_sanitize_, thread)]]",
        "__attribute__((PASTE(disable_sanitizer_, instrumentation)))",
    ],
)
def test_no_attribute_switches_check_mode_off(compiled, attribute):
    macros = "#define PASTE(a, b) a##b\n#define NOTHING\n"
    kernel = f"{macros}{attribute} __global__ void kernel(int* d) {{\n  {RACES}"
    assert kinds(compiled(on_array(kernel)).run()) == ["race_shared"]


def test_a_kernel_cannot_make_check_mode_start_over(compiled):
    over = "convkit_simt_check_start_over();"
    body = RACES.replace("  d[", f"  {over}\n  d[")
    kernel = f'extern "C" void {over}\n__global__ void kernel(int* d) {{\n  {body}'
    assert kinds(compiled(on_array(kernel)).run()) == ["race_shared"]
