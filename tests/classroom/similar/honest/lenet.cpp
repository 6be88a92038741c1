// SPDX-License-Identifier: MIT
// Programs by different hands, one behind each line of `====`, which names its style.

// ==== buffer_per_layer
#include <memory>

#include "cpu_conv.h"

void lenet_forward(const float* x, const LenetWeights* weights, float* y, int n) {
  auto buffer = [n](int per_image) { return std::make_unique<float[]>(int64_t(n) * per_image); };
  auto conv1 = buffer(4704), conv1_relu = buffer(4704), pool1 = buffer(1176);
  auto conv2 = buffer(1600), conv2_relu = buffer(1600), pool2 = buffer(400);
  auto fc1 = buffer(120), fc1_relu = buffer(120), fc2 = buffer(84), fc2_relu = buffer(84);
  auto fc3 = buffer(10);

  Conv2dShape shape1 = {
      .n = n, .c = 1, .h = 28, .w = 28, .m = 6, .kh = 5, .kw = 5, .pad_h = 2, .pad_w = 2};
  Pool2dShape half1 = {.n = n, .c = 6, .h = 28, .w = 28};
  Conv2dShape shape2 = {.n = n, .c = 6, .h = 14, .w = 14, .m = 16, .kh = 5, .kw = 5};
  Pool2dShape half2 = {.n = n, .c = 16, .h = 10, .w = 10};

  conv2d_forward(x, weights->conv1_w, weights->conv1_b, conv1.get(), &shape1);
  relu_forward(conv1.get(), conv1_relu.get(), shape1.y_size());
  max_pool2d_forward(conv1_relu.get(), pool1.get(), &half1);
  conv2d_forward(pool1.get(), weights->conv2_w, weights->conv2_b, conv2.get(), &shape2);
  relu_forward(conv2.get(), conv2_relu.get(), shape2.y_size());
  max_pool2d_forward(conv2_relu.get(), pool2.get(), &half2);
  dense_forward(pool2.get(), weights->fc1_w, weights->fc1_b, fc1.get(), n, 400, 120);
  relu_forward(fc1.get(), fc1_relu.get(), int64_t(n) * 120);
  dense_forward(fc1_relu.get(), weights->fc2_w, weights->fc2_b, fc2.get(), n, 120, 84);
  relu_forward(fc2.get(), fc2_relu.get(), int64_t(n) * 84);
  dense_forward(fc2_relu.get(), weights->fc3_w, weights->fc3_b, fc3.get(), n, 84, 10);
  softmax_forward(fc3.get(), y, n, 10);
}

// ==== two_buffers
// One image at a time through two buffers that change places.
#include <algorithm>

#include "cpu_conv.h"

static float front[6 * 28 * 28], back[6 * 28 * 28];

static void conv_layer(const float* from, float* to, const float* w, const float* b, int channels,
                       int size, int maps, int pad) {
  Conv2dShape shape{1, channels, size, size, maps, 5, 5, pad, pad};
  conv2d_forward(from, w, b, to, &shape);
  int count = maps * shape.oh() * shape.ow();
  for (int i = 0; i < count; i++) to[i] = std::max(to[i], 0.f);
}

static void halve(const float* from, float* to, int channels, int size) {
  const Pool2dShape shape{1, channels, size, size};
  max_pool2d_forward(from, to, &shape);
}

void lenet_forward(const float* x, const LenetWeights* weights, float* y, int n) {
  const LenetWeights& p = *weights;
  for (int image = 0; image < n; image++) {
    conv_layer(x + image * 784, front, p.conv1_w, p.conv1_b, 1, 28, 6, 2);
    halve(front, back, 6, 28);
    conv_layer(back, front, p.conv2_w, p.conv2_b, 6, 14, 16, 0);
    halve(front, back, 16, 10);
    dense_forward(back, p.fc1_w, p.fc1_b, front, 1, 400, 120);
    relu_forward(front, back, 120);
    dense_forward(back, p.fc2_w, p.fc2_b, front, 1, 120, 84);
    relu_forward(front, back, 84);
    dense_forward(back, p.fc3_w, p.fc3_b, front, 1, 84, 10);
    softmax_forward(front, y + image * 10, 1, 10);
  }
}

// ==== vectors
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
