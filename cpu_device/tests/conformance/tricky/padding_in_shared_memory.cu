// SPDX-License-Identifier: MIT
// Structures with padding, written member by member to shared memory and copied as a whole.
#include "../check.h"

struct NumberLast {
  double value;
  int number;
};
struct NumberFirst {
  int number;
  double value;
};
struct Letter {
  char letter;
  float value;
};

template <class T>
__global__ void copy_kernel(double* out) {
  __shared__ T cells[32];
  const int i = threadIdx.x;
  cells[i].value = i;
  cells[i].letter = 'a';
  __syncthreads();
  const T last = cells[31 - i];
  out[i] = last.value + last.letter;
}

template <class T>
__global__ void both_kernel(double* out) {
  __shared__ T cells[32];
  const int i = threadIdx.x;
  cells[i].value = i;
  cells[i].number = 100 * i;
  __syncthreads();
  const T last = cells[31 - i];
  out[i] = last.value + last.number;
}

int main() {
  DeviceArray<double> out(32);
  both_kernel<NumberLast><<<1, 32>>>(out.data());
  CHECK_LAUNCH();
  show("number last", out.host()[0], out.host()[30]);
  both_kernel<NumberFirst><<<1, 32>>>(out.data());
  CHECK_LAUNCH();
  show("number first", out.host()[0], out.host()[30]);
  copy_kernel<Letter><<<1, 32>>>(out.data());
  CHECK_LAUNCH();
  show("letter", out.host()[0], out.host()[30]);
}

/* Prints:
number last: 3131 101
number first: 3131 101
letter: 128 98
*/
