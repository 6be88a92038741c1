// SPDX-License-Identifier: MIT
// The workloads of kernels.cu as OpenCL. opencl.cpp gives the constants, those of workload.h.

__kernel void conv(__global const float* x, __global const float* w, __global float* y, int edge) {
  const int column = get_global_id(0);
  const int row = get_global_id(1);
  if (row >= edge || column >= edge) return;
  const int width = edge + FILTER - 1;
  float sum = 0;
  for (int p = 0; p < FILTER; ++p) {
    for (int q = 0; q < FILTER; ++q) {
      sum += x[(row + p) * width + column + q] * w[p * FILTER + q];
    }
  }
  y[row * edge + column] = sum;
}

__kernel void add(__global const float* a, __global const float* b, __global float* c) {
  const int i = get_global_id(0);
  c[i] = a[i] + b[i];
}

__kernel void matmul(__global const float* a, __global const float* b, __global float* c,
                     int edge) {
  __local float a_tile[TILE][TILE], b_tile[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int tile = 0; tile < edge; tile += TILE) {
    a_tile[y][x] = a[row * edge + tile + x];
    b_tile[y][x] = b[(tile + y) * edge + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum += a_tile[y][k] * b_tile[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * edge + column] = sum;
}

__kernel void ring(__global const float* x, __global float* y) {
  __local float cell[BLOCK];
  const int i = get_global_id(0), t = get_local_id(0);
  float value = x[i];
  for (int turn = 0; turn < TURNS; ++turn) {
    cell[t] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    value = cell[(t + 1) % BLOCK] + 0.25f;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[i] = value;
}

__kernel void launches(void) {}
