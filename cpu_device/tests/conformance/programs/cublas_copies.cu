// SPDX-License-Identifier: MIT
// Vectors and matrices with distances between elements and columns, from the host and back. Link
// with -lcublas.
#include "../check_cublas.h"

int main() {
  const std::vector<float> host{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const DeviceArray<float> device(12);
  std::vector<float> back(12, -1);
  CHECK(cublasSetVector(4, sizeof(float), host.data(), 3, device.data(), 1));
  show("every third", device);
  CHECK(cublasGetVector(3, sizeof(float), device.data(), 1, back.data(), 4));
  show("spread", back);
  CHECK(cublasSetMatrix(2, 3, sizeof(float), host.data(), 4, device.data(), 3));
  show("two rows of four", device);
  std::fill(back.begin(), back.end(), -1.0f);
  CHECK(cublasGetMatrix(2, 3, sizeof(float), device.data(), 3, back.data(), 2));
  show("packed", back);

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cublasSetMatrixAsync(3, 4, sizeof(float), host.data(), 3, device.data(), 3, stream));
  std::fill(back.begin(), back.end(), -1.0f);
  CHECK(cublasGetVectorAsync(6, sizeof(float), device.data(), 2, back.data(), 1, stream));
  CHECK(cudaStreamSynchronize(stream));
  show("in order of the stream", back);
  const DeviceArray<double> doubles{1.5, 2.5};
  double two[2] = {};
  CHECK(cublasGetVector(2, sizeof(double), doubles.data(), 1, two, 1));
  show("doubles", two[0], two[1]);
  CHECK(cudaStreamDestroy(stream));
}

/* Prints:
every third: 0 3 6 9 0 0 0 0 0 0 0 0
spread: 0 -1 -1 -1 3 -1 -1 -1 6 -1 -1 -1
two rows of four: 0 1 6 4 5 0 8 9 0 0 0 0
packed: 0 1 4 5 8 9 -1 -1 -1 -1 -1 -1
in order of the stream: 0 2 4 6 8 10 -1 -1 -1 -1 -1 -1
doubles: 1.5 2.5
*/
