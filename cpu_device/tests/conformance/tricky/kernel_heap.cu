// SPDX-License-Identifier: MIT
// Memory that kernels allocate themselves, with malloc() and with all forms of new, beside shared
// arrays; some of it lives longer than the launch.
#include "../check.h"

struct alignas(64) Wide {
  float values[16];
  __device__ explicit Wide(float first) {
    for (int i = 0; i < 16; ++i) values[i] = first + i;
  }
};

struct Counted {
  int* deleted;
  int value;
  __device__ ~Counted() {
    if (value == 1) atomicAdd(deleted, 1);
  }
};

__global__ void forms_kernel(float* out, int* deleted, int count) {
  __shared__ float tile[512];
  tile[threadIdx.x] = 2 * threadIdx.x;
  float* zeros = new float[count]();
  float* raw = static_cast<float*>(malloc(count * sizeof(float)));
  Wide* wide = new Wide(threadIdx.x);
  Wide* several = new Wide[2]{Wide(1), Wide(2)};
  Counted* counted = new Counted[3];
  for (int i = 0; i < 3; ++i) counted[i].deleted = deleted, counted[i].value = i;
  for (int i = 0; i < count; ++i) raw[i] = zeros[i] + i;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] =
      raw[count - 1] + wide->values[1] + several[1].values[3] + tile[63 - threadIdx.x];
  delete[] zeros;
  free(raw);
  delete wide;
  delete[] several;
  delete[] counted;
}

__global__ void make_kernel(int** lists, int count) {
  int* list = new int[count];
  for (int i = 0; i < count; ++i) list[i] = threadIdx.x + i;
  lists[threadIdx.x] = list;
}

__global__ void use_kernel(int** lists, int* out, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += lists[(threadIdx.x + 1) % 32][i];
  out[threadIdx.x] = sum;
  __syncthreads();
  delete[] lists[threadIdx.x];
}

int main() {
  DeviceArray<float> out(128);
  DeviceArray<int> deleted({0});
  for (int count : {1, 5, 100, 1000}) {
    forms_kernel<<<2, 64>>>(out.data(), deleted.data(), count);
    CHECK_LAUNCH();
    std::printf("%d:", count);
    for (int i : {0, 1, 127}) std::printf(" %g", out.host()[i]);
    std::printf("\n");
  }
  show("deleted", deleted.host());
  DeviceArray<int*> lists(32);
  DeviceArray<int> sums(32);
  make_kernel<<<1, 32>>>(lists.data(), 3);
  use_kernel<<<1, 32>>>(lists.data(), sums.data(), 3);
  CHECK_LAUNCH();
  show("sums", sums.host());
}

/* Prints:
1: 132 131 69
5: 136 135 73
100: 231 230 168
1000: 1131 1130 1068
deleted: 512
sums: 6 9 12 15 18 21 24 27 30 33 36 39 42 45 48 51 54 57 60 63 66 69 72 75 78 81 84 87 90 93 96 3
*/
