// SPDX-License-Identifier: MIT
// cublasLt: plain products, transposed, in batches, added to C, and with bias and relu.
// Link with -lcublasLt.
// Link with -lcublas.
#include <cublasLt.h>

#include "../check_cublas.h"

constexpr int kM = 2, kN = 3, kK = 2;

struct Layouts {
  cublasLtMatrixLayout_t a, b, c, d;
};

int main() {
  cublasLtHandle_t handle;
  CHECK(cublasLtCreate(&handle));
  // Columns: A is (1 3; 2 4), B is (1 0 2; 1 1 0).
  DeviceArray<float> a = {1, 2, 3, 4, 1, 0, 0, 1}, b = {1, 1, 0, 1, 2, 0, 1, 1, 0, 1, 2, 0},
                     c = {10, 20, 30, 40, 50, 60}, d(12), bias = {-5, 1};
  cublasLtMatmulDesc_t desc;
  CHECK(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  Layouts l;
  CHECK(cublasLtMatrixLayoutCreate(&l.a, CUDA_R_32F, kM, kK, kM));
  CHECK(cublasLtMatrixLayoutCreate(&l.b, CUDA_R_32F, kK, kN, kK));
  CHECK(cublasLtMatrixLayoutCreate(&l.c, CUDA_R_32F, kM, kN, kM));
  CHECK(cublasLtMatrixLayoutCreate(&l.d, CUDA_R_32F, kM, kN, kM));

  cublasLtMatmulPreference_t preference;
  CHECK(cublasLtMatmulPreferenceCreate(&preference));
  const size_t none = 0;
  CHECK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                             &none, sizeof none));
  cublasLtMatmulHeuristicResult_t found;
  int count = 0;
  CHECK(cublasLtMatmulAlgoGetHeuristic(handle, desc, l.a, l.b, l.c, l.d, preference, 1, &found,
                                       &count));
  show("algorithms", count);

  const float one = 1, zero = 0;
  const auto product = [&](float factor_of_c) {
    CHECK(cublasLtMatmul(handle, desc, &one, a.data(), l.a, b.data(), l.b, &factor_of_c, c.data(),
                         l.c, d.data(), l.d, nullptr, nullptr, 0, nullptr));
    CHECK(cudaDeviceSynchronize());
    show("d", d.host());
  };
  product(zero);
  product(one);

  const cublasOperation_t turned = CUBLAS_OP_T;
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &turned, sizeof turned));
  product(zero);

  const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
  const float* d_bias = bias.data();
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                       sizeof epilogue));
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &d_bias,
                                       sizeof d_bias));
  product(zero);

  const cublasLtEpilogue_t plain = CUBLASLT_EPILOGUE_DEFAULT;
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &plain, sizeof plain));
  const int batches = 2;
  for (cublasLtMatrixLayout_t each : {l.a, l.b, l.c, l.d}) {
    const long long offset = each == l.a ? kM * kK : 6;
    CHECK(cublasLtMatrixLayoutSetAttribute(each, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches,
                                           sizeof batches));
    CHECK(cublasLtMatrixLayoutSetAttribute(each, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                           &offset, sizeof offset));
  }
  const cublasStatus_t refused =
      cublasLtMatmul(handle, desc, &one, a.data(), l.a, b.data(), l.b, &zero, c.data(), l.c,
                     d.data(), l.d, nullptr, nullptr, 0, nullptr);
  show("with an unused bias", refused == CUBLAS_STATUS_INVALID_VALUE);
  d_bias = nullptr;
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &d_bias,
                                       sizeof d_bias));
  product(zero);

  for (cublasLtMatrixLayout_t each : {l.a, l.b, l.c, l.d}) {
    CHECK(cublasLtMatrixLayoutDestroy(each));
  }
  CHECK(cublasLtMatmulPreferenceDestroy(preference));
  CHECK(cublasLtMatmulDescDestroy(desc));
  CHECK(cublasLtDestroy(handle));
}

/* Prints:
algorithms: 1
d: 4 6 3 4 2 4 0 0 0 0 0 0
d: 14 26 33 44 52 64 0 0 0 0 0 0
d: 3 7 2 4 2 6 0 0 0 0 0 0
d: 0 8 0 5 0 7 0 0 0 0 0 0
with an unused bias: 1
d: 3 7 2 4 2 6 1 1 0 1 2 0
*/
