// SPDX-License-Identifier: MIT
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
