// SPDX-License-Identifier: MIT
// Calls of cuBLAS. Link with -lcublas.
#include "../check_cublas.h"
#include "../parts.h"

// The distance between the results counts bytes instead of elements.
namespace batch_past_end {

PART(batch_past_end) {
  const Blas blas;
  const DeviceArray<float> a(numbers<float>(4, 1)), b(numbers<float>(12, 2)), c(12);
  const float one = 1, zero = 0;
  CHECK(cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one,  // fault
                                  a.data(), 2, 0, b.data(), 2, 4, &zero, c.data(), 2,
                                  4 * sizeof(float), 3));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace batch_past_end

/* Reports:
kind = "out_of_bounds_global"
kernel = "cublasSgemmStridedBatched"
mentions = ["writes C", "3 times, 16 apart", "16 is the number of bytes of 4"]
mode = "any"
*/

// All products use the same first factor, and it is not said.
namespace shared_factor_advances {

PART(shared_factor_advances) {
  const Blas blas;
  const DeviceArray<float> a(numbers<float>(4, 1)), b(numbers<float>(12, 2)), c(12);
  const float one = 1, zero = 0;
  CHECK(cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one,  // fault
                                  a.data(), 2, 4, b.data(), 2, 4, &zero, c.data(), 2, 4, 3));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace shared_factor_advances

/* Reports:
kind = "out_of_bounds_global"
kernel = "cublasSgemmStridedBatched"
mentions = ["reads A", "holds one of these matrices", "from one to the next is 0"]
mode = "any"
*/

// All products of the batch are meant to be added to one matrix, which races.
namespace batches_on_each_other {

PART(batches_on_each_other) {
  const Blas blas;
  const DeviceArray<float> a(numbers<float>(12, 1)), b(numbers<float>(12, 2)), sum(4);
  const float one = 1;
  CHECK(cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one,  // fault
                                  a.data(), 2, 4, b.data(), 2, 4, &one, sum.data(), 2, 0, 3));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace batches_on_each_other

/* Reports:
kind = "race_across_blocks"
kernel = "cublasSgemmStridedBatched"
mentions = ["through its argument C more than once"]
mode = "check"
*/

// alpha is in device memory, and the pointer mode was left at host.
namespace device_factor {

PART(device_factor) {
  const Blas blas;
  const DeviceArray<float> alpha{2}, x{1, 2, 3, 4};
  CHECK(cublasSscal(blas, 4, alpha.data(), x.data(), 1));  // fault
  CHECK(cudaDeviceSynchronize());
}

}  // namespace device_factor

/* Reports:
kind = "device_pointer_on_host"
kernel = "cublasSscal"
mentions = ["argument alpha of cublasSscal", "pointer mode is host"]
mode = "any"
*/

// The weights are freed before they are used.
namespace freed_matrix {

PART(freed_matrix) {
  const Blas blas;
  const DeviceArray<float> x(numbers<float>(4, 1)), y(4);
  float* weights = nullptr;
  CHECK(cudaMalloc(&weights, 16 * sizeof(float)));
  CHECK(cudaMemset(weights, 0, 16 * sizeof(float)));
  CHECK(cudaFree(weights));
  const float one = 1, zero = 0;
  CHECK(cublasSgemv(blas, CUBLAS_OP_N, 4, 4, &one, weights, 4, x.data(), 1, &zero,  // fault
                    y.data(), 1));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace freed_matrix

/* Reports:
kind = "use_after_free"
kernel = "cublasSgemv"
mentions = ["reads A", "which has been freed"]
mode = "any"
*/

// The pointer mode is device, and alpha is a variable of the host.
namespace host_factor {

PART(host_factor) {
  const Blas blas;
  const DeviceArray<float> x{1, 2, 3, 4};
  const float alpha = 2;
  CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
  CHECK(cublasSscal(blas, 4, &alpha, x.data(), 1));  // fault
  CHECK(cudaDeviceSynchronize());
}

}  // namespace host_factor

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "cublasSscal"
mentions = ["argument alpha of cublasSscal", "pointer mode is device"]
mode = "any"
*/

// A matrix is given to the library where the host has it.
namespace host_matrix {

PART(host_matrix) {
  const Blas blas;
  const std::vector<float> a = numbers<float>(16, 1);
  const DeviceArray<float> b(numbers<float>(16, 2)), c(16);
  const float one = 1, zero = 0;
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one,  // fault
                    a.data(), 4, b.data(), 4, &zero, c.data(), 4));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace host_matrix

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "cublasSgemm"
mentions = ["argument A of cublasSgemm"]
mode = "any"
*/

// The columns of the matrix overlap: the call succeeds, and y stays as it was.
namespace ignored_gemv {

PART(ignored_gemv) {
  const Blas blas;
  const DeviceArray<float> a(numbers<float>(8, 1)), x{1, 1}, y(4);
  const float one = 1, zero = 0;
  CHECK(cublasSgemv(blas, CUBLAS_OP_N, 4, 2, &one, a.data(), 2, x.data(), 1, &zero,  // fault
                    y.data(), 1));
  show("y", y);
  if (y.host()[0] != a.host()[0] + a.host()[4]) std::exit(1);
}

}  // namespace ignored_gemv

/* Reports:
kind = "ignored_call"
kernel = "cublasSgemv"
mentions = ["did nothing", "argument lda is 2 and must be at least m", "CUBLAS_STATUS_SUCCESS"]
mode = "any"
*/

// The result takes the place of a factor that is still being read.
namespace in_place {

PART(in_place) {
  const Blas blas;
  const DeviceArray<float> a(numbers<float>(16, 1)), x(numbers<float>(8, 2));
  const float one = 1, zero = 0;
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 4, 2, 4, &one,  // fault
                    a.data(), 4, x.data(), 4, &zero, x.data(), 4));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace in_place

/* Reports:
kind = "race_across_blocks"
kernel = "cublasSgemm"
mentions = ["writes element 0 (byte 0) of allocation 2 (32 bytes", "through its argument C and reads it through B"]
mode = "check"
*/

// The arrays of pointers for a batch lie on the host.
namespace pointers_on_host {

PART(pointers_on_host) {
  const Blas blas;
  const DeviceArray<float> a(numbers<float>(4, 1)), b(numbers<float>(4, 2)), c(4);
  const std::vector<const float*> as{a.data()}, bs{b.data()};
  const std::vector<float*> cs{c.data()};
  const float one = 1, zero = 0;
  CHECK(cublasSgemmBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one,  // fault
                           as.data(), 2, bs.data(), 2, &zero, cs.data(), 2, 1));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace pointers_on_host

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "cublasSgemmBatched"
mentions = ["argument Aarray of cublasSgemmBatched"]
mode = "any"
*/

// The result of 4 x 3 and 3 x 5 is allocated as 4 x 3.
namespace result_too_small {

PART(result_too_small) {
  const Blas blas;
  constexpr int m = 4, n = 5, k = 3;
  const DeviceArray<float> a(numbers<float>(m * k, 1)), b(numbers<float>(k * n, 2)), c(m * k);
  const float one = 1, zero = 0;
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one,  // fault
                    a.data(), m, b.data(), k, &zero, c.data(), m));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace result_too_small

/* Reports:
kind = "out_of_bounds_global"
kernel = "cublasSgemm"
mentions = ["writes C, 5 columns of 4 elements of 4 bytes", "32 bytes past the end of allocation 3 (48 bytes"]
mode = "any"
*/

// The unrolled matrix has one column more than the kernel before wrote.
namespace unwritten_matrix {

__global__ void fill_kernel(float* x) {
  x[threadIdx.x] = 1;
}

PART(unwritten_matrix) {
  const Blas blas;
  const DeviceArray<float> w(numbers<float>(8, 1)), y(10);
  float* unrolled = nullptr;
  CHECK(cudaMalloc(&unrolled, 4 * 5 * sizeof(float)));
  fill_kernel<<<1, 4 * 4>>>(unrolled);
  CHECK(cudaGetLastError());
  const float one = 1, zero = 0;
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 5, 4, &one,  // fault
                    w.data(), 2, unrolled, 4, &zero, y.data(), 2));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(unrolled));
}

}  // namespace unwritten_matrix

/* Reports:
kind = "uninitialised_global"
kernel = "cublasSgemm"
mentions = ["element 16 (byte 64) of allocation 3 (80 bytes", "through its argument B"]
mode = "check"
*/

// beta is 1, but nothing has been written to what is added to.
namespace unwritten_result {

PART(unwritten_result) {
  const Blas blas;
  const DeviceArray<float> a(numbers<float>(4, 1)), b(numbers<float>(4, 2));
  float* sum = nullptr;
  CHECK(cudaMalloc(&sum, 4 * sizeof(float)));
  const float one = 1;
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one,  // fault
                    a.data(), 2, b.data(), 2, &one, sum, 2));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(sum));
}

}  // namespace unwritten_result

/* Reports:
kind = "uninitialised_global"
kernel = "cublasSgemm"
mentions = ["through its argument C"]
mode = "check"
*/
