// SPDX-License-Identifier: MIT
// Task 01.6: a LeNet-like network that reads digits, put together from the tasks before it.
#include "cpu_conv.h"
// BEGIN SOLUTION(01.6)

#include <cstddef>
#include <vector>

namespace {

using Activations = std::vector<float>;

Activations relu(const Activations& x) {
  Activations y(x.size());
  relu_forward(x.data(), y.data(), static_cast<int64_t>(x.size()));
  return y;
}

// Convolution -> ReLU -> max pooling 2x2, stride 2.
Activations conv_block(const float* x, const float* w, const float* b, const Conv2dShape& conv) {
  Activations features(static_cast<size_t>(conv.y_size()));
  conv2d_forward(x, w, b, features.data(), &conv);
  features = relu(features);

  const Pool2dShape pool{.n = conv.n, .c = conv.m, .h = conv.oh(), .w = conv.ow()};
  Activations pooled(static_cast<size_t>(pool.y_size()));
  max_pool2d_forward(features.data(), pooled.data(), &pool);
  return pooled;
}

Activations dense(const Activations& x, const float* w, const float* b, int n, int in, int out) {
  Activations y(static_cast<size_t>(n) * static_cast<size_t>(out));
  dense_forward(x.data(), w, b, y.data(), n, in, out);
  return y;
}

}  // namespace
// END SOLUTION

void lenet_forward(const float* x, const LenetWeights* weights, float* y, int n) {
  // BEGIN SOLUTION(01.6)
  //> // TODO(01.6): y[n][10] holds the probability of each digit; the layers are in cpu_conv.h.
  //> CONVKIT_TODO("01.6");
  const LenetWeights& net = *weights;
  const Conv2dShape conv1{
      .n = n, .c = 1, .h = 28, .w = 28, .m = 6, .kh = 5, .kw = 5, .pad_h = 2, .pad_w = 2};
  const Conv2dShape conv2{.n = n, .c = 6, .h = 14, .w = 14, .m = 16, .kh = 5, .kw = 5};

  Activations layer = conv_block(x, net.conv1_w, net.conv1_b, conv1);    // [n][6][14][14]
  layer = conv_block(layer.data(), net.conv2_w, net.conv2_b, conv2);     // [n][16][5][5]
  layer = relu(dense(layer, net.fc1_w, net.fc1_b, n, 16 * 5 * 5, 120));  // NCHW is flat already
  layer = relu(dense(layer, net.fc2_w, net.fc2_b, n, 120, 84));
  layer = dense(layer, net.fc3_w, net.fc3_b, n, 84, 10);
  softmax_forward(layer.data(), y, n, 10);
  // END SOLUTION
}
