// SPDX-License-Identifier: MIT
// Shared arrays of types with constructors: half, half2, and a class that is trivial to construct.
#include <cuda_fp16.h>

#include "../check.h"

class Fraction {
 public:
  Fraction() = default;
  __host__ __device__ Fraction(int above, int below) : above_(above), below_(below) {}
  __host__ __device__ float value() const {
    return static_cast<float>(above_) / static_cast<float>(below_);
  }

 private:
  int above_, below_;
};

template <class T>
__global__ void hand_on(const float* in, float* out) {
  __shared__ half halves[4];
  __shared__ half2 pairs[2][2];
  __shared__ Fraction fractions[4];
  __shared__ T any[4];
  const int i = static_cast<int>(threadIdx.x), next = (i + 1) % 4;
  halves[i] = __float2half(in[i]);
  pairs[i / 2][i % 2] = __floats2half2_rn(in[i], 2 * in[i]);
  fractions[i] = Fraction(i, 4);
  any[i] = T(in[i]);
  __syncthreads();
  out[i] = __half2float(halves[next]) + __high2float(pairs[next / 2][next % 2]) +
           fractions[next].value() + static_cast<float>(any[next]);
}

int main() {
  const DeviceArray<float> in = {1, 2, 3, 4};
  DeviceArray<float> out(4);
  hand_on<half><<<2, 4>>>(in.data(), out.data());
  CHECK_LAUNCH();
  show("halves", out.host());
  hand_on<float><<<1, 4>>>(in.data(), out.data());
  CHECK_LAUNCH();
  show("floats", out.host());
}

/* Prints:
halves: 8.25 12.5 16.75 4
floats: 8.25 12.5 16.75 4
*/
