// SPDX-License-Identifier: MIT
// OpenBLAS, opened when the program starts. On one thread: operations of the device run on the
// thread that waits for them, and a confined process may not have started others.
#pragma once

namespace convkit::simt::blas {

// CBLAS's functions of these names.
struct OpenBlas {
  using Sgemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int,
                         float, float*, int);
  using Dgemm = void (*)(int, int, int, int, int, int, double, const double*, int, const double*,
                         int, double, double*, int);
  Sgemm sgemm = nullptr;
  Dgemm dgemm = nullptr;

  bool found() const { return sgemm && dgemm; }
};

const OpenBlas& open_blas();

}  // namespace convkit::simt::blas
