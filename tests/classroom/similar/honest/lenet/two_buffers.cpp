// SPDX-License-Identifier: MIT
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
