// SPDX-License-Identifier: MIT
#include "cpu_device/blas/product.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace convkit::simt::blas {
namespace {

template <class T, class Gemm>
void multiply_with(const Product<T>& product, Gemm gemm) {
  if (!gemm) {
    multiply_plainly(product);
    return;
  }
  constexpr int kColumnMajor = 102, kNoTranspose = 111, kTranspose = 112;
  gemm(kColumnMajor, product.transpose_a ? kTranspose : kNoTranspose,
       product.transpose_b ? kTranspose : kNoTranspose, product.m, product.n, product.k,
       product.alpha, product.a, static_cast<int>(product.lda), product.b,
       static_cast<int>(product.ldb), product.beta, product.c, static_cast<int>(product.ldc));
}

}  // namespace

void multiply(const Product<float>& product) {
  multiply_with(product, open_blas().sgemm);
}
void multiply(const Product<double>& product) {
  multiply_with(product, open_blas().dgemm);
}

namespace {

#ifdef CONVKIT_OPENBLAS_LIBRARY

// It starts its threads while it is being opened, as many as this says.
class OneThread {
 public:
  OneThread() {
    const char* before = std::getenv(kVariable);
    was_set_ = before != nullptr;
    if (before) before_ = before;
    setenv(kVariable, "1", 1);
  }
  ~OneThread() {
    if (was_set_) {
      setenv(kVariable, before_.c_str(), 1);
    } else {
      unsetenv(kVariable);
    }
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  static constexpr const char* kVariable = "OPENBLAS_NUM_THREADS";
  bool was_set_ = false;
  std::string before_;
};

// A first product allocates its buffers: a process that is confined later has them then.
void warm_up(const OpenBlas& blas) {
  constexpr int kSize = 128;
  const std::vector<float> a(kSize * kSize);
  std::vector<float> c(kSize * kSize);
  constexpr int kColumnMajor = 102, kNoTranspose = 111;
  blas.sgemm(kColumnMajor, kNoTranspose, kNoTranspose, kSize, kSize, kSize, 1, a.data(), kSize,
             a.data(), kSize, 0, c.data(), kSize);
}

OpenBlas find() {
  OpenBlas blas;
  const char* wanted = std::getenv("CONVKIT_SIMT_OPENBLAS");
  if (wanted && std::string(wanted) == "0") return blas;
  const OneThread one_thread;
  void* library = dlopen(CONVKIT_OPENBLAS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) return blas;
  blas.sgemm = reinterpret_cast<OpenBlas::Sgemm>(dlsym(library, "cblas_sgemm"));
  blas.dgemm = reinterpret_cast<OpenBlas::Dgemm>(dlsym(library, "cblas_dgemm"));
  if (!blas.found()) return {};
  warm_up(blas);
  return blas;
}

#else

OpenBlas find() {
  return {};
}

#endif

__attribute__((constructor)) void open() {
  open_blas();
}

}  // namespace

const OpenBlas& open_blas() {
  static const OpenBlas blas = find();
  return blas;
}

}  // namespace convkit::simt::blas
