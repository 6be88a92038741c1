// SPDX-License-Identifier: MIT
// Products by cublasSgemm on the CPU device and by OpenBLAS, called directly, in turn. Prints one
// line a round: microseconds of CPU time for a product of 512^3, direct, queued and waited for one
// by one, and the same for 4^3.
//
//   products ROUNDS
#include <cublas_v2.h>
#include <time.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// CBLAS's function of this name; its header has constants instead of numbers.
extern "C" void cblas_sgemm(int order, int transpose_a, int transpose_b, int m, int n, int k,
                            float alpha, const float* a, int lda, const float* b, int ldb,
                            float beta, float* c, int ldc);

namespace {

constexpr float kAlpha = 1, kBeta = 0;

double cpu_time_us() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double timed_us(const Work& work) {
  const double begin = cpu_time_us();
  work();
  return cpu_time_us() - begin;
}

void check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}

// Two square matrices and their product, on host and device.
struct Square {
  int size;
  std::vector<float> a, b, c;
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;

  explicit Square(int edge) : size(edge), a(elements()), b(elements()), c(elements()) {
    for (size_t i = 0; i < elements(); ++i) {
      a[i] = static_cast<float>(std::rand() % 17) - 8;
      b[i] = static_cast<float>(std::rand() % 13) - 6;
    }
    for (float** pointer : {&d_a, &d_b, &d_c}) {
      check(cudaMalloc(pointer, bytes()) == cudaSuccess, "cudaMalloc");
    }
    check(cudaMemcpy(d_a, a.data(), bytes(), cudaMemcpyHostToDevice) == cudaSuccess, "cudaMemcpy");
    check(cudaMemcpy(d_b, b.data(), bytes(), cudaMemcpyHostToDevice) == cudaSuccess, "cudaMemcpy");
  }

  size_t elements() const { return static_cast<size_t>(size) * static_cast<size_t>(size); }
  size_t bytes() const { return elements() * sizeof(float); }

  void ours(cublasHandle_t handle) {
    check(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &kAlpha, d_a, size, d_b,
                      size, &kBeta, d_c, size) == CUBLAS_STATUS_SUCCESS,
          "cublasSgemm");
  }
  void direct() {
    constexpr int kColumnMajor = 102, kNoTranspose = 111;
    cblas_sgemm(kColumnMajor, kNoTranspose, kNoTranspose, size, size, size, kAlpha, a.data(), size,
                b.data(), size, kBeta, c.data(), size);
  }

  // The numbers are small and whole, so both are exact.
  void compare() {
    std::vector<float> device(elements());
    check(cudaMemcpy(device.data(), d_c, bytes(), cudaMemcpyDeviceToHost) == cudaSuccess,
          "cudaMemcpy");
    check(device == c, "the comparison of the products");
  }
};

void wait() {
  check(cudaDeviceSynchronize() == cudaSuccess, "cudaDeviceSynchronize");
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
  constexpr int kLarge = 8;     // products that one wait is for
  constexpr int kSmall = 1000;  // as many may be pending
  cublasHandle_t handle = nullptr;
  check(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
  Square large(512), small(4);
  const auto queued = [&](Square& square, int calls) {
    return timed_us([&] {
             for (int i = 0; i < calls; ++i) square.ours(handle);
             wait();
           }) /
           calls;
  };
  const auto waited_for = [&](Square& square, int calls) {
    return timed_us([&] {
             for (int i = 0; i < calls; ++i) {
               square.ours(handle);
               wait();
             }
           }) /
           calls;
  };
  const auto direct = [&](Square& square, int calls) {
    return timed_us([&] {
             for (int i = 0; i < calls; ++i) square.direct();
           }) /
           calls;
  };
  for (int round = -1; round < rounds; ++round) {
    double seen[6] = {};
    for (int turn = 0; turn < 3; ++turn) {  // each first in its turn
      switch ((turn + round + 1) % 3) {
        case 0:
          seen[0] = direct(large, kLarge);
          seen[3] = direct(small, kSmall);
          break;
        case 1:
          seen[1] = queued(large, kLarge);
          seen[4] = queued(small, kSmall);
          break;
        default:
          seen[2] = waited_for(large, kLarge);
          seen[5] = waited_for(small, kSmall);
      }
    }
    large.compare();
    small.compare();
    if (round < 0) continue;  // warms up
    for (const double us : seen) std::printf(" %.5f", us);
    std::printf("\n");
  }
  cublasDestroy(handle);
  for (const Square* square : {&large, &small}) {
    cudaFree(square->d_a);
    cudaFree(square->d_b);
    cudaFree(square->d_c);
  }
  return 0;
}
