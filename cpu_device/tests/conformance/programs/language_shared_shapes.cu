// SPDX-License-Identifier: MIT
// Shared arrays of two and three dimensions, structs and unions, in nested scopes and device
// functions.
#include "../check.h"

struct Cell {
  short row, column;
};
union Bits {
  float real;
  unsigned bits;
};

__device__ int exchange(int value, int partner) {
  __shared__ int slots[16];
  slots[threadIdx.x] = value;
  __syncthreads();
  const int got = slots[partner];
  __syncthreads();
  return got;
}

__global__ void shapes_kernel(int* out) {
  __shared__ int plane[4][4 + 1];
  __shared__ unsigned char cube[2][2][4];
  __shared__ Cell cells[16];
  __shared__ Bits bits;
  const int i = threadIdx.x, row = i / 4, column = i % 4;
  plane[row][column] = i;
  cube[i / 8][i / 4 % 2][i % 4] = 2 * i;
  cells[i] = {static_cast<short>(row), static_cast<short>(column)};
  if (i == 0) bits.real = 1.0f;
  __syncthreads();
  const int(*rows)[5] = plane;
  const Cell other = cells[15 - i];
  int value = rows[column][row] + 100 * cube[column / 2][column % 2][row] + 10000 * other.row;
  {
    __shared__ int plane[16];  // another array of this name
    plane[i] = bits.bits >> 23;
    __syncthreads();
    value += 100000 * (plane[15 - i] - 126);
  }
  out[i] = value + 1000000 * exchange(other.column, (i + 1) % 16);
}

int main() {
  DeviceArray<int> out(16);
  shapes_kernel<<<1, 16>>>(out.data());
  CHECK_LAUNCH();
  show("values", out.host());
}

/* Prints:
values: 2130000 1130804 131608 3132412 2120201 1121005 121809 3122613 2110402 1111206 112010 3112814 2100603 1101407 102211 3103015
*/
