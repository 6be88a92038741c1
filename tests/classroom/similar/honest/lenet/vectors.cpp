// SPDX-License-Identifier: MIT
#include <vector>

#include "cpu_conv.h"

void lenet_forward(const float* x, const LenetWeights* weights, float* y, int n) {
  Conv2dShape c1;
  c1.n = n;
  c1.c = 1;
  c1.h = c1.w = 28;
  c1.m = 6;
  c1.kh = c1.kw = 5;
  c1.pad_h = c1.pad_w = 2;
  std::vector<float> a1(n * 6 * 28 * 28);
  conv2d_forward(x, weights->conv1_w, weights->conv1_b, a1.data(), &c1);
  relu_forward(a1.data(), a1.data(), a1.size());
  Pool2dShape p1;
  p1.n = n;
  p1.c = 6;
  p1.h = p1.w = 28;
  std::vector<float> a2(n * 6 * 14 * 14);
  max_pool2d_forward(a1.data(), a2.data(), &p1);
  Conv2dShape c2;
  c2.n = n;
  c2.c = 6;
  c2.h = c2.w = 14;
  c2.m = 16;
  c2.kh = c2.kw = 5;
  std::vector<float> a3(n * 16 * 10 * 10);
  conv2d_forward(a2.data(), weights->conv2_w, weights->conv2_b, a3.data(), &c2);
  relu_forward(a3.data(), a3.data(), a3.size());
  Pool2dShape p2;
  p2.n = n;
  p2.c = 16;
  p2.h = p2.w = 10;
  std::vector<float> a4(n * 400), a5(n * 120), a6(n * 84), a7(n * 10);
  max_pool2d_forward(a3.data(), a4.data(), &p2);
  dense_forward(a4.data(), weights->fc1_w, weights->fc1_b, a5.data(), n, 400, 120);
  relu_forward(a5.data(), a5.data(), a5.size());
  dense_forward(a5.data(), weights->fc2_w, weights->fc2_b, a6.data(), n, 120, 84);
  relu_forward(a6.data(), a6.data(), a6.size());
  dense_forward(a6.data(), weights->fc3_w, weights->fc3_b, a7.data(), n, 84, 10);
  softmax_forward(a7.data(), y, n, 10);
}
