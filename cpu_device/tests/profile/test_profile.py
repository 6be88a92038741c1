# SPDX-License-Identifier: MIT
"""`convkit cc --profile`: what a profiler of a GPU would count, of small programs."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("CONVKIT_BINARY", ROOT / "build/dev/bin/convkit"))
# Multiplied on a machine that is much slower than usual, as docs/install.md says.
TIME_SCALE = int(os.environ.get("CONVKIT_TIME_SCALE", 1))

PROGRAM = """\
#include <cstdio>
constexpr int kSide = 64;
__constant__ float factor[4];
__device__ float shift;

__global__ void transpose_plainly(const float* in, float* out) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  const float value = in[y * kSide + x];  // plain load
  out[x * kSide + y] = value;             // plain store
}

template <int kPadding>
__global__ void transpose_tile(const float* in, float* out) {
  __shared__ float tile[32][32 + kPadding];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * kSide + x];
  __syncthreads();  // tile barrier
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  out[y * kSide + x] = tile[threadIdx.x][threadIdx.y];  // tile read
}

__global__ void histogram(const unsigned* in, unsigned* bins) {
  atomicAdd(&bins[in[blockIdx.x * blockDim.x + threadIdx.x]], 1u);  // histogram atomic
}

__global__ void sum(const float* in, float* total) {
  atomicAdd(total, in[threadIdx.x]);  // sum atomic
}

__global__ void few_lanes(volatile float* x) {
  if (threadIdx.x % 32 < 2) {
    for (int i = 0; i < 8; ++i) x[threadIdx.x] = i;  // few lanes
  }
}

__global__ void other_trip_counts(volatile float* x) {
  for (unsigned i = 0; i <= threadIdx.x; ++i) x[threadIdx.x] = i;  // trips
}

__global__ void copy_vectors(const float4* in, float4* out) {
  out[threadIdx.x] = in[threadIdx.x];  // vectors
}

__global__ void use_constant(float* out, int i) {
  out[threadIdx.x] = factor[i];  // constant
}

__global__ void use_constants(float* out) {
  out[threadIdx.x] = factor[threadIdx.x % 4];  // constants
}

__global__ void use_variable(float* out) {
  out[threadIdx.x] = shift;  // variable
}

__global__ void shuffle(float* x) {
  float value = x[threadIdx.x];
  for (int i = 16; i > 0; i /= 2) value += __shfl_down_sync(~0u, value, i);
  if (threadIdx.x % 32 == 0) x[threadIdx.x] = value;  // shuffle store
}

int main() {
  float *a, *b;
  cudaMalloc(&a, kSide * kSide * 4);
  cudaMalloc(&b, kSide * kSide * 4);
  cudaMemset(a, 0, kSide * kSide * 4);
  const float factors[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(factor, factors, sizeof factors);
  const dim3 grid(2, 2), block(32, 32);
  transpose_plainly<<<grid, block>>>(a, b);
  transpose_tile<0><<<grid, block>>>(a, b);
  transpose_tile<1><<<grid, block>>>(a, b);
  histogram<<<4, 64>>>((unsigned*)a, (unsigned*)b);
  sum<<<1, 64>>>(a, b);
  few_lanes<<<1, 64>>>(a);
  other_trip_counts<<<1, 32>>>(a);
  copy_vectors<<<1, 64>>>((float4*)a, (float4*)b);
  use_constant<<<1, 32>>>(b, 2);
  use_constants<<<1, 32>>>(b);
  const float one = 1;
  cudaMemcpyToSymbol(shift, &one, sizeof one);
  use_variable<<<1, 32>>>(b);
  shuffle<<<1, 64>>>(a);
  std::printf("error %d\\n", (int)cudaDeviceSynchronize());
  cudaFree(a);
  cudaFree(b);
}
"""


def line(mark: str) -> int:
    (number,) = [i for i, text in enumerate(PROGRAM.splitlines(), 1) if text.endswith("// " + mark)]
    return number


def compile_program(folder: Path, source: str, *flags: str) -> subprocess.CompletedProcess:
    (folder / "program.cu").write_text(source)
    return subprocess.run(
        [BINARY, "cc", *flags, "program.cu", "-o", "program"],
        cwd=folder,
        env={"CONVKIT_CACHE": str(folder / "cache"), "CONVKIT_ROOT": str(ROOT)} | os.environ,
        capture_output=True,
        text=True,
        timeout=120 * TIME_SCALE,
    )


def run(folder: Path, **settings: str) -> subprocess.CompletedProcess:
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("CONVKIT_")}
    return subprocess.run(
        [folder / "program"],
        env=inherited | settings,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60 * TIME_SCALE,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("profiled")
    compiled = compile_program(folder, PROGRAM, "--profile")
    assert compiled.returncode == 0, compiled.stderr
    return folder


@pytest.fixture(scope="module")
def kernels(folder):
    ran = run(folder, CONVKIT_PROFILE_JSON="profile.json")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "error 0\n"
    profile = json.loads((folder / "profile.json").read_text())
    assert (profile["format"], profile["version"]) == ("convkit-profile", 1)
    return {kernel["name"]: kernel for kernel in profile["kernels"]}


def of_kind(kernel: dict, kind: str) -> dict:
    (found,) = [row for row in kernel["lines"] if row["kind"] == kind]
    return found


def test_a_plain_transposition_stores_a_column_in_32_sectors(kernels):
    kernel = kernels["transpose_plainly"]
    load, store = of_kind(kernel, "global_load"), of_kind(kernel, "global_store")
    assert (load["line"], store["line"]) == (line("plain load"), line("plain store"))
    assert (load["requests"], load["sectors"]) == (128, 4 * 128)
    assert (load["bytes_used"], load["bytes_moved"]) == (64 * 64 * 4, 64 * 64 * 4)
    assert (store["requests"], store["sectors"]) == (128, 32 * 128)
    assert (store["bytes_used"], store["bytes_moved"]) == (64 * 64 * 4, 8 * 64 * 64 * 4)
    assert kernel["limiter"] == "stores"
    assert f"program.cu:{line('plain store')}: 32 sectors a request" in kernel["sentence"]


def test_a_tile_has_bank_conflicts_that_padding_removes(kernels):
    tile, padded = kernels["transpose_tile<0>"], kernels["transpose_tile<1>"]
    read = of_kind(tile, "shared_load")
    assert read["line"] == line("tile read")
    assert (read["requests"], read["wavefronts"], read["bank_conflicts"]) == (128, 4096, 3968)
    assert tile["limiter"] == "bank_conflicts"
    assert of_kind(padded, "shared_load")["wavefronts"] == 128
    assert of_kind(padded, "shared_store")["bank_conflicts"] == 0
    assert of_kind(padded, "global_store")["sectors"] == 4 * 128
    assert padded["limiter"] == "none"


def test_barriers_are_counted_by_line(kernels):
    (barrier,) = kernels["transpose_tile<1>"]["barriers"]
    assert (barrier["line"], barrier["times"]) == (line("tile barrier"), 4)


@pytest.mark.parametrize("kernel, threads", [("histogram", 256), ("sum", 64)])
def test_atomics_on_one_address_are_one_operation_each(kernels, kernel, threads):
    atomic = of_kind(kernels[kernel], "global_atomic")
    assert atomic["line"] == line(f"{kernel} atomic")
    assert (atomic["requests"], atomic["lanes"]) == (threads // 32, threads)
    assert (atomic["addresses"], atomic["passes"]) == (threads // 32, threads)
    assert atomic["most_on_one_address"] == threads
    assert kernels[kernel]["limiter"] == "atomics"


def test_a_divergent_kernel_has_few_active_lanes(kernels):
    store = of_kind(kernels["few_lanes"], "global_store")
    assert (store["requests"], store["lanes"], store["possible_lanes"]) == (16, 32, 512)
    assert kernels["few_lanes"]["limiter"] == "divergence"
    assert f"program.cu:{line('few lanes')}: 2 of 32 lanes" in kernels["few_lanes"]["sentence"]


def test_lanes_with_other_trip_counts_stay_aligned(kernels):
    store = of_kind(kernels["other_trip_counts"], "global_store")
    assert (store["requests"], store["lanes"]) == (32, 32 * 33 // 2)


def test_vectors_are_one_request(kernels):
    load = of_kind(kernels["copy_vectors"], "global_load")
    assert (load["requests"], load["sectors"]) == (2, 32)


def test_lanes_that_load_one_constant_share_it(kernels):
    one = of_kind(kernels["use_constant"], "constant_load")
    four = of_kind(kernels["use_constants"], "constant_load")
    assert (one["line"], one["requests"], one["words"]) == (line("constant"), 1, 1)
    assert (four["line"], four["requests"], four["words"]) == (line("constants"), 1, 4)
    assert kernels["use_constants"]["limiter"] == "constants"
    assert "a request loads 4 words" in kernels["use_constants"]["sentence"]


def test_variables_are_apart_from_global_memory(kernels):
    load = of_kind(kernels["use_variable"], "variable_load")
    assert (load["line"], load["requests"], load["sectors"]) == (line("variable"), 1, 1)


def test_warp_functions_are_no_accesses(kernels):
    kernel = kernels["shuffle"]
    assert {row["kind"] for row in kernel["lines"]} == {"global_load", "global_store"}
    assert of_kind(kernel, "global_store")["lanes"] == 2


def test_the_text_is_the_same_on_every_run_and_says_what_json_says(folder, kernels):
    first, second = run(folder), run(folder)
    assert first.stderr == second.stderr
    assert first.stderr.count("convkit profile: ") == len(kernels)
    for kernel in kernels.values():
        assert kernel["sentence"] in first.stderr


def test_json_that_cannot_be_written_is_one_sentence(folder):
    ran = run(folder, CONVKIT_PROFILE_JSON="/nowhere/profile.json")
    assert ran.returncode == 0
    last = ran.stderr.splitlines()[-1]
    assert last == "convkit: CONVKIT_PROFILE_JSON: /nowhere/profile.json cannot be written."


def test_check_mode_and_the_profiler_exclude_each_other(tmp_path):
    compiled = compile_program(tmp_path, PROGRAM, "--profile", "--check")
    assert compiled.returncode == 2
    assert "--check and --profile are two programs" in compiled.stderr
    assert len(compiled.stderr.splitlines()) == 1


def test_a_program_without_a_kernel_says_so_and_a_fault_has_its_line(tmp_path):
    assert compile_program(tmp_path, "int main() {}\n", "--profile").returncode == 0
    assert run(tmp_path).stderr == "convkit profile: no kernel ran.\n"
    source = (
        "__global__ void fault(int* x) {\n  *x = 1;\n}\n"
        "int main() { fault<<<1, 1>>>(nullptr); return cudaDeviceSynchronize() == 0; }\n"
    )
    assert compile_program(tmp_path, source, "--profile").returncode == 0
    ran = run(tmp_path)
    assert ran.returncode == 0
    assert "program.cu:2" in ran.stderr


def test_loads_and_stores_of_tensor_cores_are_those_of_their_elements(tmp_path):
    source = """\
#include <mma.h>
using namespace nvcuda;
__global__ void tile(const half* a, const half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a_tile;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b_tile;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(a_tile, a, 16);  // line 8
  wmma::load_matrix_sync(b_tile, b, 16);
  wmma::mma_sync(sum, a_tile, b_tile, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);  // line 11
}
int main() {
  half* a;
  float* c;
  cudaMalloc(&a, 512);
  cudaMalloc(&c, 1024);
  cudaMemset(a, 0, 512);
  tile<<<1, 32>>>(a, a, c);
  return cudaDeviceSynchronize();
}
"""
    assert compile_program(tmp_path, source, "--profile").returncode == 0
    ran = run(tmp_path)
    assert ran.returncode == 0
    report = " ".join(ran.stderr.split())
    assert "program.cu:8 global load 8 requests of 32.0 lanes" in report
    assert "program.cu:11 global store 8 requests of 32.0 lanes" in report


def test_blocks_that_wait_for_each_other_are_counted_as_others(tmp_path):
    source = """\
#include <cooperative_groups.h>
__device__ unsigned arrived = 0;
__global__ void copy(const float* from, float* to) {
  const auto i = cooperative_groups::this_grid().thread_rank();
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1);
    while (*(volatile unsigned*)&arrived < gridDim.x) {}
  }
  __syncthreads();
  to[i] = from[i];
  cooperative_groups::this_grid().sync();
}
int main() {
  float *from, *to;
  cudaMalloc(&from, 384 * sizeof(float));
  cudaMalloc(&to, 384 * sizeof(float));
  void* arguments[] = {&from, &to};
  cudaLaunchCooperativeKernel(copy, 3, 128, arguments);
  return cudaDeviceSynchronize();
}
"""
    assert compile_program(tmp_path, source, "--profile").returncode == 0
    ran = run(tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "copy, 1 launch, 3 blocks of 128 threads" in ran.stderr
    assert "program.cu:10  global load    12 requests of 32.0 lanes" in ran.stderr
    assert "program.cu:11  barrier        3 times" in ran.stderr


ARITHMETIC = """\
#include <cuda_fp16.h>
__global__ void fused(const float* in, float* out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i] * in[threadIdx.x];  // fused
  out[threadIdx.x] = sum;
}
__global__ void branch(float* x, double* y) {
  const float value = x[threadIdx.x];
  if (threadIdx.x % 4 == 0) {
    x[threadIdx.x] = value * 3;  // product
  } else if (threadIdx.x % 4 == 1) {
    x[threadIdx.x] = value - 2;  // difference
  }
  switch (threadIdx.x % 8) {
    case 0: x[0] = value / 3; break;
    case 1: y[0] = y[1] * y[2] - y[3]; break;  // double fma
    case 2: y[4] = y[1] * y[2]; break;  // double product
    case 3: y[5] = y[1] + y[2]; break;  // double sum
    case 4: y[6] = exp(y[1]); break;  // function
    case 5: x[5] = sqrtf(value); break;  // root
  }
}
__device__ __noinline__ float square(float value) {
  return value * value;  // called product
}
__global__ void calls(float* x) {
  if (threadIdx.x < 5) x[threadIdx.x] = square(x[threadIdx.x]);
}
__global__ void others(half* h, float* sum, int* i) {
  h[threadIdx.x] = __hfma(h[threadIdx.x], h[0], h[1]);
  atomicAdd(sum, 1.0f);
  i[threadIdx.x] = i[0] * i[1] + 7;
}
int main() {
  float* x;
  cudaMalloc(&x, 4096);
  cudaMemset(x, 0, 4096);
  float on_the_host = 1;
  for (int i = 0; i < 1000; ++i) on_the_host = on_the_host * 1.5f + 0.5f;
  fused<<<3, 40>>>(x, x + 512, 7);
  branch<<<1, 64>>>(x, (double*)(x + 512));
  calls<<<2, 32>>>(x);
  others<<<1, 32>>>((half*)x, x + 512, (int*)x);
  return cudaDeviceSynchronize() + (on_the_host == 0);
}
"""


def fuses() -> bool:
    return " fma " in Path("/proc/cpuinfo").read_text()


@pytest.fixture(scope="module", params=["g++", "clang++"])
def counted(request, tmp_path_factory):
    """By kernel: what JSON says of it."""
    if not fuses():
        pytest.skip("the processor has no fused multiply-add")
    if shutil.which(request.param) is None:
        pytest.skip(f"there is no {request.param}")
    folder = tmp_path_factory.mktemp("arithmetic")
    compiled = compile_program(folder, ARITHMETIC, "--profile", "-ccbin", request.param)
    assert compiled.returncode == 0, compiled.stderr
    ran = run(folder, CONVKIT_PROFILE_JSON="profile.json")
    assert ran.returncode == 0, ran.stderr
    profile = json.loads((folder / "profile.json").read_text())
    return {kernel["name"]: kernel for kernel in profile["kernels"]} | {"text": ran.stderr}


def arithmetic_line(mark: str) -> int:
    lines = enumerate(ARITHMETIC.splitlines(), 1)
    (number,) = [i for i, text in lines if text.endswith("// " + mark)]
    return number


def operations(kernel: dict) -> dict[int, dict[str, int]]:
    """By line."""
    return {
        row["line"]: {k: v for k, v in row.items() if k not in ("file", "line")}
        for row in kernel["arithmetic"]
    }


def test_a_loop_executes_one_fma_for_each_turn_of_each_thread(counted):
    kernel = counted["fused"]
    assert kernel["arithmetic_unknown"] == ""
    assert operations(kernel) == {arithmetic_line("fused"): {"float_fma": 3 * 40 * 7}}
    words = f"program.cu:{arithmetic_line('fused')}  arithmetic     840 float fma"
    assert words in counted["text"]


def test_only_the_threads_that_take_a_branch_do_its_arithmetic(counted):
    assert operations(counted["branch"]) == {
        arithmetic_line("product"): {"float_mul": 16},
        arithmetic_line("difference"): {"float_add": 16},
        arithmetic_line("double fma") - 1: {"special": 8},
        arithmetic_line("double fma"): {"double_fma": 8},
        arithmetic_line("double product"): {"double_mul": 8},
        arithmetic_line("double sum"): {"double_add": 8},
        arithmetic_line("function"): {"special": 8},
        arithmetic_line("root"): {"special": 8},
    }


def test_the_arithmetic_of_a_called_function_stands_in_its_lines(counted):
    assert operations(counted["calls"]) == {arithmetic_line("called product"): {"float_mul": 10}}


def test_half_precision_atomics_and_integers_are_no_float_arithmetic(counted):
    assert operations(counted["others"]) == {}


def test_different_sectors_are_counted_once_in_a_launch(counted):
    # Each block loads 40 floats from the beginning of one array and stores 40 into another.
    kernel = counted["fused"]
    assert kernel["different_sectors_loaded"] == 5
    assert kernel["different_sectors_stored"] == 5


def test_without_objdump_the_arithmetic_is_not_known(tmp_path):
    if not fuses():
        pytest.skip("the processor has no fused multiply-add")
    source = (
        "__global__ void k(float x) { if (x * x == 2) __syncthreads(); }\n"
        "int main() { k<<<1, 1>>>(2); return cudaDeviceSynchronize(); }\n"
    )
    assert compile_program(tmp_path, source, "--profile").returncode == 0
    ran = run(tmp_path, PATH=str(tmp_path))
    sentence = f"objdump (of binutils) is not here, or cannot read {tmp_path / 'program'}."
    assert f"  Its arithmetic is not known: {sentence}\n" in ran.stderr


def test_a_kernel_that_a_kernel_launches_is_counted_as_any_other(tmp_path):
    source = """
__global__ void leaf(float* x) { x[threadIdx.x] = 1; }
__global__ void root(float* x) {
  leaf<<<1, 32>>>(x);
  leaf<<<2, 32, 0, cudaStreamTailLaunch>>>(x);
}
int main() {
  float* x;
  cudaMalloc(&x, 32 * sizeof(float));
  root<<<1, 1>>>(x);
  return cudaDeviceSynchronize();
}
"""
    assert compile_program(tmp_path, source, "--profile").returncode == 0
    ran = run(tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "root, 1 launch, 1 block of 1 thread" in ran.stderr
    assert "leaf, 2 launches, 3 blocks" in ran.stderr
    assert "program.cu:2  global store   3 requests of 32.0 lanes" in ran.stderr


def test_what_lies_between_two_equal_tests_is_not_there_twice(tmp_path):
    source = """
__global__ void k(const float* from, float* to) {
  __shared__ float first;
  if (threadIdx.x < 16) first = 0;
  __syncthreads();
  to[threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 16) to[100] = first;
}
int main() {
  float* x;
  cudaMalloc(&x, 1024);
  k<<<1, 32>>>(x, x + 128);
  return cudaDeviceSynchronize();
}
"""
    assert compile_program(tmp_path, source, "--profile").returncode == 0
    assert "program.cu:6  global load    1 request of 32.0 lanes" in run(tmp_path).stderr


LOOPS = """\
__device__ __attribute__((noinline)) float row_sum(const float* x, int from, int most) {
  float sum = 0;
  for (int i = 0; i < 9; ++i) {
    if (i == most) return sum;
    sum += x[from + 40 * i];  // called
  }
  return sum;
}
__device__ __attribute__((noinline)) float tree(const float* x, int at, int depth) {
  float sum = 0;
  for (int i = 0; i < 3; ++i) {
    if ((at + i) % 3 == 0) continue;
    sum += x[at + 50 * i];  // tree
    if (depth > 0) sum += tree(x, at + 7 * i + depth, depth - 1);
  }
  return sum;
}
template <int kTurns, class Use>
__device__ void unrolled(Use use) {
#pragma unroll
  for (int i = 0; i < kTurns; ++i) use(i);
}

__global__ void border(const float* x, float* y) {
  float sum = 0;
  for (int p = 0; p < 5; ++p) {
    for (int q = 0; q < 5; ++q) {
      const int row = int(threadIdx.x) / 12 + p - 2, col = int(threadIdx.x) % 12 + q - 2;
      if (row < 0 || row >= 3 || col < 0 || col >= 12) continue;
      sum += x[row * 100 + col];  // border
    }
  }
  y[threadIdx.x] = sum;
}
__global__ void leaves(const float* x, float* y) {
  const int lane = threadIdx.x;
  float sum = 0;
  for (int i = 0;; ++i) {
    int j = 0;
    while (j < (lane + i) % 4) {
      if (j == 2 && i % 2 == 0) break;
      sum += x[lane + 40 * i + 200 * j];  // inner
      ++j;
    }
    if (i == 3 + lane % 3) break;
    sum += x[lane + 33 * i];  // outer
  }
  y[lane] = sum;
}
__global__ void backwards(const float* x, float* y) {
  int lane = threadIdx.x, i = 0;
  float sum = 0;
again:
  sum *= 2;
  do {
    if (i % 3 != lane % 3) sum += x[lane + 40 * i];  // do
    ++i;
  } while (i % 4 != lane % 4);
  if (i < 9) goto again;
  y[lane] = sum;
}
__global__ void calls(const float* x, float* y) {
  const int lane = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 4; ++i) {
    if ((lane + i) % 4 == 0) continue;
    sum += row_sum(x, lane + 50 * i, (lane + 2 * i) % 6);
  }
  y[lane] = sum;
}
__global__ void recurses(const float* x, float* y) {
  y[threadIdx.x] = tree(x, threadIdx.x, 2);
}
__global__ void lambdas(const float* x, float* y) {
  const int lane = threadIdx.x;
  float sum = 0;
  for (int from = 0; from < 3 + lane % 2; ++from) {
    unrolled<3>([&](int i) {
      if ((lane + i + from) % 4 != 0) sum += x[lane + 64 * i + 300 * from];  // lambda
    });
  }
  y[lane] = sum;
}
int main() {
  float *x, *y;
  cudaMalloc(&x, 1 << 16);
  cudaMalloc(&y, 1 << 16);
  cudaMemset(x, 0, 1 << 16);
  for (auto kernel : {border, leaves, backwards, calls, recurses, lambdas}) kernel<<<1, 32>>>(x, y);
  return cudaDeviceSynchronize();
}
"""


# By the mark of a line: what a lane loads there, as (turns of the loops, element).
def border(lane):
    for p in range(5):
        for q in range(5):
            row, col = lane // 12 + p - 2, lane % 12 + q - 2
            if 0 <= row < 3 and 0 <= col < 12:
                yield (p, q), row * 100 + col


def leaves(lane, inner):
    for i in range(4 + lane % 3):
        for j in range((lane + i) % 4):
            if j == 2 and i % 2 == 0:
                break
            if inner:
                yield (i, j), lane + 40 * i + 200 * j
        if not inner and i != 3 + lane % 3:
            yield (i,), lane + 33 * i


def backwards(lane):
    i = outer = 0
    while outer == 0 or i < 9:
        inner = 0
        while inner == 0 or i % 4 != lane % 4:
            if i % 3 != lane % 3:
                yield (outer, inner), lane + 40 * i
            i, inner = i + 1, inner + 1
        outer += 1


def calls(lane):
    for i in range(4):
        if (lane + i) % 4 != 0:
            for j in range((lane + 2 * i) % 6):
                yield (i, j), lane + 50 * i + 40 * j


def tree(at, depth=2, turns=()):
    for i in range(3):
        if (at + i) % 3 != 0:
            yield (*turns, i), at + 50 * i
            if depth > 0:
                yield from tree(at + 7 * i + depth, depth - 1, (*turns, i))


def lambdas(lane):
    for first in range(3 + lane % 2):
        for i in range(3):
            if (lane + i + first) % 4 != 0:
                yield (first, i), lane + 64 * i + 300 * first


LOADS = {
    "border": border,
    "inner": lambda lane: leaves(lane, True),
    "outer": lambda lane: leaves(lane, False),
    "do": backwards,
    "called": calls,
    "tree": tree,
    "lambda": lambdas,
}


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_loads_of_a_warp_belong_together_by_the_turns_of_their_loops(compiler, tmp_path):
    if not fuses():
        pytest.skip("the processor has no fused multiply-add: loops are not followed")
    if shutil.which(compiler) is None:
        pytest.skip(f"there is no {compiler}")
    assert compile_program(tmp_path, LOOPS, "--profile", "-ccbin", compiler).returncode == 0
    assert run(tmp_path, CONVKIT_PROFILE_JSON="profile.json").returncode == 0
    profile = json.loads((tmp_path / "profile.json").read_text())
    marks = [line.split("// ")[-1] for line in LOOPS.splitlines()]
    found = {
        marks[row["line"] - 1]: (row["requests"], row["lanes"], row["sectors"])
        for kernel in profile["kernels"]
        for row in kernel["lines"]
        if row["kind"] == "global_load"
    }
    expected = {}
    for mark, loads_of in LOADS.items():
        requests = {}
        for lane in range(32):
            for turns, element in loads_of(lane):
                requests.setdefault(turns, []).append(element)
        sectors = sum(len({element // 8 for element in one}) for one in requests.values())
        expected[mark] = (len(requests), sum(map(len, requests.values())), sectors)
    assert found == expected
