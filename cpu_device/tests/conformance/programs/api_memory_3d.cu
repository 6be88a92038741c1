// SPDX-License-Identifier: MIT
// Memory of three dimensions: allocated with a pitch, set, copied as a box, and read by a kernel.
#include "../check.h"

constexpr int kWidth = 5, kHeight = 3, kDepth = 2;

__global__ void double_all(cudaPitchedPtr box) {
  const unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  char* slice = static_cast<char*>(box.ptr) + z * box.pitch * box.ysize;
  int* row = reinterpret_cast<int*>(slice + y * box.pitch);
  row[x] *= 2;
}

int main() {
  const cudaExtent extent = make_cudaExtent(kWidth * sizeof(int), kHeight, kDepth);
  cudaPitchedPtr box;
  CHECK(cudaMalloc3D(&box, extent));
  expect("pitch", box.pitch >= extent.width && box.xsize == extent.width && box.ysize == kHeight);
  CHECK(cudaMemset3D(box, 0, extent));

  std::vector<int> host(kWidth * kHeight * kDepth);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i);
  cudaMemcpy3DParms in = {};
  in.srcPtr = make_cudaPitchedPtr(host.data(), kWidth * sizeof(int), kWidth, kHeight);
  in.dstPtr = box;
  in.extent = extent;
  in.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&in));
  double_all<<<1, dim3(kWidth, kHeight, kDepth)>>>(box);
  CHECK_LAUNCH();

  // A box from inside: 2 columns, 2 rows, both slices, from column 1 and row 1.
  std::vector<int> part(2 * 2 * kDepth);
  cudaMemcpy3DParms out = {};
  out.srcPtr = box;
  out.srcPos = make_cudaPos(sizeof(int), 1, 0);
  out.dstPtr = make_cudaPitchedPtr(part.data(), 2 * sizeof(int), 2, 2);
  out.extent = make_cudaExtent(2 * sizeof(int), 2, kDepth);
  out.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&out));
  show("part", part);
  CHECK(cudaFree(box.ptr));
}

/* Prints:
pitch: ok
part: 12 14 22 24 42 44 52 54
*/
