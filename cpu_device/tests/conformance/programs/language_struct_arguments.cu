// SPDX-License-Identifier: MIT
// Structs as arguments: by value, with padding and over-alignment, nested arrays, near the size
// limit.
#include "../check.h"

struct Mixed {
  char tag;
  double real;
  short small;
  float3 point;
  int numbers[3];
};
struct alignas(32) Aligned {
  float4 a, b;
};
struct Big {
  int values[960];
};

__global__ void mixed_kernel(char first, Mixed mixed, short second, Aligned aligned, char last,
                             double* out) {
  out[0] = first + second + last;
  out[1] = mixed.tag + mixed.real + mixed.small;
  out[2] = mixed.point.x + mixed.point.y + mixed.point.z;
  out[3] = mixed.numbers[0] + mixed.numbers[1] + mixed.numbers[2];
  out[4] = aligned.a.x + aligned.a.w + aligned.b.x + aligned.b.w;
  mixed.real = 0;  // a copy: the caller's stays
}

__global__ void big_kernel(Big big, int* out) {
  big.values[threadIdx.x] += 1;  // a copy for each thread
  int sum = 0;
  for (int value : big.values) sum += value;
  out[threadIdx.x] = sum;
}

int main() {
  DeviceArray<double> out(5);
  DeviceArray<int> sums(3);
  Mixed mixed = {'\1', 0.5, -3, {1.0f, 2.0f, 4.5f}, {10, 20, 30}};
  Aligned aligned = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  mixed_kernel<<<1, 1>>>('\2', mixed, 300, aligned, '\3', out.data());
  mixed.real = 100;  // after the launch: too late to count
  show("mixed", out.host());
  show("kept", mixed.real);
  Big big;
  for (int i = 0; i < 960; ++i) big.values[i] = i;
  big_kernel<<<1, 3>>>(big, sums.data());
  big = {};
  show("big", sums.host());
}

/* Prints:
mixed: 305 -1.5 7.5 60 18
kept: 100
big: 460321 460321 460321
*/
