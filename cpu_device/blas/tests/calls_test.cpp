// SPDX-License-Identifier: MIT
// What conformance programs cannot print: when calls run, and calls that no GPU would survive.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "catch.h"
#include "simt/refused_call.h"

namespace {

const float kOne = 1, kZero = 0, kTwo = 2;
constexpr int kMost = std::numeric_limits<int>::max();

// A handle, and pinned memory: the device uses it, and the host sees at once what happened.
struct Scene {
  cublasHandle_t handle = nullptr;
  float* x = nullptr;
  Scene() {
    REQUIRE(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
    REQUIRE(cudaMallocHost(&x, 16 * sizeof(float)) == cudaSuccess);
    for (int i = 0; i < 16; ++i) x[i] = 1;
  }
  ~Scene() {
    if (handle) cublasDestroy(handle);
    cudaFreeHost(x);
  }
};

// Runs `body` in a process of its own, because a device that failed stays so. True if `body` is.
template <class Body>
bool in_a_process(const Body& body) {
  const pid_t child = fork();
  if (child == 0) {
    close(STDERR_FILENO);
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// What `body` writes on stderr in a process of its own, and "failed" if it is not true.
template <class Body>
std::string stderr_of(const Body& body) {
  int ends[2] = {};
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    _exit(body() ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char piece[256];
  for (ssize_t got = 0; (got = read(ends[0], piece, sizeof piece)) > 0;) {
    text.append(piece, static_cast<size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : text + "failed";
}

// A call after which the device has failed.
template <class Call>
bool is_refused(const Call& call) {
  return in_a_process([&] {
    Scene scene;
    float* d_x = nullptr;
    cudaMalloc(&d_x, 16 * sizeof(float));
    call(scene.handle, d_x);
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress &&
           cublasSscal(scene.handle, 1, &kOne, scene.x, 1) == CUBLAS_STATUS_EXECUTION_FAILED;
  });
}

}  // namespace

TEST_CASE("a call runs when its stream is waited for, and not before") {
  Scene s;
  CHECK(cublasSscal(s.handle, 4, &kTwo, s.x, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(s.x[0] == 1);
  CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
  CHECK(s.x[0] == 2);
  CHECK(s.x[4] == 1);
}

TEST_CASE("a result for the host waits for the work before it") {
  Scene s;
  float sum = 0;
  CHECK(cublasSscal(s.handle, 4, &kTwo, s.x, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSasum(s.handle, 5, s.x, 1, &sum) == CUBLAS_STATUS_SUCCESS);
  CHECK(sum == 9);
}

TEST_CASE("destroying a handle waits for the device; a handle is used up then") {
  Scene s;
  CHECK(cublasSscal(s.handle, 4, &kTwo, s.x, 1) == CUBLAS_STATUS_SUCCESS);
  const cublasHandle_t handle = s.handle;
  s.handle = nullptr;
  CHECK(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  CHECK(s.x[0] == 2);
  CHECK(cublasDestroy(handle) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(cublasSscal(handle, 4, &kTwo, s.x, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
}

TEST_CASE("thousands of calls may be pending") {
  Scene s;
  for (int i = 0; i < 5000; ++i) {
    REQUIRE(cublasSaxpy(s.handle, 1, &kOne, s.x, 1, s.x + 1, 1) == CUBLAS_STATUS_SUCCESS);
  }
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(s.x[1] == 5001);
}

TEST_CASE("a stream that is gone is an error and no crash") {
  Scene s;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cublasSetStream(s.handle, stream) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cublasSscal(s.handle, 4, &kTwo, s.x, 1) == CUBLAS_STATUS_EXECUTION_FAILED);
}

TEST_CASE("sizes that no memory holds are refused before anything is computed") {
  CHECK(is_refused([](cublasHandle_t handle, float* x) {
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, kMost, kMost, 1, &kOne, x, kMost, x, 1, &kZero, x,
                kMost);
  }));
  CHECK(is_refused(
      [](cublasHandle_t handle, float* x) { cublasSaxpy(handle, kMost, &kOne, x, kMost, x, 1); }));
  CHECK(is_refused([](cublasHandle_t handle, float* x) {
    cublasSger(handle, kMost, kMost, &kOne, x, -kMost, x, kMost, x, kMost);
  }));
  CHECK(is_refused([](cublasHandle_t handle, float* x) {
    constexpr long long kFar = std::numeric_limits<long long>::max();
    cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &kOne, x, 2, kFar, x, 2,
                              -kFar, &kZero, x, 2, kFar, kMost);
  }));
}

TEST_CASE("pointers that lead nowhere are refused") {
  CHECK(
      is_refused([](cublasHandle_t handle, float*) { cublasSscal(handle, 4, &kTwo, nullptr, 1); }));
  CHECK(is_refused([](cublasHandle_t handle, float* x) {
    cublasSscal(handle, 4, &kTwo, x + 13, 1);  // past the end
  }));
  CHECK(is_refused([](cublasHandle_t handle, float* x) {
    cublasSscal(handle, 4, &kTwo, x - 1, 1);  // before the beginning
  }));
  CHECK(is_refused([](cublasHandle_t handle, float* x) {
    cublasSscal(handle, 4, &kTwo, x + (1 << 20), 1);  // nobody's memory
  }));
  CHECK(is_refused([](cublasHandle_t handle, float*) {
    std::vector<float> host(4);
    cublasSscal(handle, 4, &kTwo, host.data(), 1);
    cudaDeviceSynchronize();
  }));
  CHECK(is_refused([](cublasHandle_t handle, float* x) {
    cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &kOne, x, 2, -4, x, 2, 0,
                              &kZero, x + 4, 2, 4, 2);  // A of the second product
  }));
  CHECK(is_refused([](cublasHandle_t handle, float* x) {
    cublasSdot(handle, 1, x, 1, x, 1, x);  // the result, in host mode
  }));
}

TEST_CASE("batches may go backwards and lie on each other where they are read") {
  Scene s;
  for (int i = 0; i < 4; ++i) s.x[i] = static_cast<float>(i + 1);
  CHECK(cublasSgemmStridedBatched(s.handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &kOne, s.x + 3, 1,
                                  -1, s.x + 3, 1, 0, &kZero, s.x + 8, 1, 1,
                                  4) == CUBLAS_STATUS_SUCCESS);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(std::vector<float>(s.x + 8, s.x + 12) == std::vector<float>{16, 12, 8, 4});
}

TEST_CASE("gemv without effect is told once for each argument, and the device goes on") {
  const std::string told = stderr_of([] {
    Scene s;
    for (int i = 0; i < 3; ++i) {
      for (const int lda : {1, 2}) {
        cublasSgemv(s.handle, CUBLAS_OP_N, 4, 2, &kOne, s.x, lda, s.x, 1, &kTwo, s.x + 8, 1);
      }
      cublasSgemv(s.handle, CUBLAS_OP_N, -1, 2, &kOne, s.x, 4, s.x, 1, &kTwo, s.x + 8, 1);
    }
    return cudaDeviceSynchronize() == cudaSuccess && s.x[8] == 1;
  });
  CHECK(told ==
        "convkit: ignored_call: cublasSgemv did nothing: its "
        "argument lda is 1 and must be at least m.\n"
        "  cuBLAS 13.0 does not report it: its status is CUBLAS_STATUS_SUCCESS.\n"
        "convkit: ignored_call: cublasSgemv did nothing: its "
        "argument m is -1 and must not be negative.\n"
        "  cuBLAS 13.0 does not report it: its status is CUBLAS_STATUS_SUCCESS.\n");
}

TEST_CASE("gemv of no rows or no columns is right whatever else is said") {
  CHECK(stderr_of([] {
          Scene s;
          return cublasSgemv(s.handle, CUBLAS_OP_N, 0, 2, &kOne, s.x, 0, s.x, 1, &kTwo, s.x, 1) ==
                     CUBLAS_STATUS_SUCCESS &&
                 cudaDeviceSynchronize() == cudaSuccess && s.x[0] == 1;
        }).empty());
}

// What is said of the call that has just returned `status`, which must be `expected`.
std::string why(cublasStatus_t status, cublasStatus_t expected = CUBLAS_STATUS_INVALID_VALUE) {
  CHECK(status == expected);
  std::string text = convkit_simt_why_refused(CONVKIT_SIMT_CUBLAS, status);
  convkit_simt_forget_refusal();
  return text;
}

TEST_CASE("a refused call says which argument is wrong and why") {
  Scene s;
  const auto gemm = [&](cublasOperation_t transb, int m, int ldb, const float* alpha, float* c) {
    return cublasSgemm(s.handle, CUBLAS_OP_N, transb, m, 5, 3, alpha, s.x, 2, s.x, ldb, &kZero, c,
                       2);
  };
  CHECK(why(gemm(CUBLAS_OP_T, 2, 3, &kOne, s.x)) ==
        "cublasSgemm: ldb is 3; it must be at least 5, the rows of B (n, as transb is not N).");
  CHECK(why(gemm(CUBLAS_OP_N, 2, 2, &kOne, s.x)) ==
        "cublasSgemm: ldb is 2; it must be at least 3, the rows of B (k, as transb is N).");
  CHECK(why(gemm(CUBLAS_OP_N, -1, 3, &kOne, s.x)) ==
        "cublasSgemm: m is -1; it must not be negative.");
  CHECK(why(gemm(CUBLAS_OP_N, 2, 3, nullptr, s.x)) == "cublasSgemm: alpha is null.");
  CHECK(why(gemm(CUBLAS_OP_N, 2, 3, &kOne, nullptr)) == "cublasSgemm: C is null.");
  CHECK(why(cublasSger(s.handle, 4, 2, &kOne, s.x, 0, s.x, 1, s.x, 4)) ==
        "cublasSger: incx is 0; it must not be 0.");
  CHECK(why(cublasSgeam(s.handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, &kOne, s.x, 2, &kZero, s.x + 4, 2,
                        s.x, 2)) ==
        "cublasSgeam: C is A, which works in place only without a transpose and with the ld of C.");
  CHECK(why(cublasSetVector(4, 4, s.x, 0, s.x, 1)) ==
        "cublasSetVector: incx is 0; it must be at least 1.");
  CHECK(why(cublasSetVector(-4, 4, s.x, 1, s.x, 1), CUBLAS_STATUS_MAPPING_ERROR) ==
        "cublasSetVector: n is -4; it must not be negative.");
  CHECK(why(cublasGemmEx(s.handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &kOne, s.x, CUDA_R_32F, 1,
                         s.x, CUDA_R_16F, 1, &kZero, s.x, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F,
                         CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_NOT_SUPPORTED) ==
        "cublasGemmEx: Atype is CUDA_R_32F, and Btype CUDA_R_16F; they must be the same.");
  CHECK(why(cublasSdot(s.handle, 4, s.x, 1, s.x, 1, nullptr)) == "cublasSdot: result is null.");
  CHECK(why(cublasSsymv(s.handle, CUBLAS_FILL_MODE_LOWER, 3, &kOne, s.x, 2, s.x, 1, &kZero, s.x,
                        1)) == "cublasSsymv: lda is 2; it is less than the rows of its matrix.");
  CHECK(why(cublasScalEx(s.handle, 1, &kOne, CUDA_R_32F, s.x, CUDA_R_64F, 1, CUDA_R_64F),
            CUBLAS_STATUS_NOT_SUPPORTED) ==
        "cublasScalEx: its types are no combination that is supported.");
  CHECK(why(cublasSscal(nullptr, 4, &kTwo, s.x, 1), CUBLAS_STATUS_NOT_INITIALIZED) ==
        "cublasSscal: handle is null.");
}

TEST_CASE("no thread is started for the library") {
  Scene s;
  CHECK(cublasSgemm(s.handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &kOne, s.x, 2, s.x, 2, &kZero,
                    s.x + 8, 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(s.x[8] == 2);
  const std::filesystem::directory_iterator threads("/proc/self/task");
  CHECK(std::distance(begin(threads), end(threads)) == 1);
}
