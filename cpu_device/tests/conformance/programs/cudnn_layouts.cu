// SPDX-License-Identifier: MIT
// Convolutions of channels-last pictures, of strided ones, and of volumes: each is computed once
// more as plain pictures. Link with -lcudnn.
#include "../check_cudnn.h"

constexpr float kOne = 1, kZero = 0;
constexpr auto kForward = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;

// Runs a convolution with the workspace that it needs.
std::vector<float> convolve(cudnnHandle_t dnn, cudnnTensorDescriptor_t x,
                            const std::vector<float>& image, cudnnFilterDescriptor_t w,
                            const std::vector<float>& filter, cudnnConvolutionDescriptor_t conv,
                            cudnnTensorDescriptor_t y) {
  size_t bytes = 0, result_bytes = 0;
  CHECK(cudnnGetTensorSizeInBytes(y, &result_bytes));
  CHECK(cudnnGetConvolutionForwardWorkspaceSize(dnn, x, w, conv, y, kForward, &bytes));
  const DeviceArray<float> d_x(image), d_w(filter), result(result_bytes / sizeof(float));
  const DeviceArray<char> workspace(bytes + 1);
  CHECK(cudnnConvolutionForward(dnn, &kOne, x, d_x.data(), w, d_w.data(), conv, kForward,
                                workspace.data(), bytes, &kZero, y, result.data()));
  return result.host();
}

// From [outer, channels, rest] to [outer, rest, channels].
std::vector<float> channels_last(const std::vector<float>& values, std::size_t channels,
                                 std::size_t rest) {
  std::vector<float> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t place = i % rest, channel = i / rest % channels, outer = i / rest / channels;
    result[(outer * rest + place) * channels + channel] = values[i];
  }
  return result;
}

int main() {
  const Dnn dnn;
  const std::vector<float> image = numbers(2 * 4 * 5 * 6, 1), filter = numbers(8 * 4 * 3 * 3, 2);
  const Convolution conv(1, 0, 1, 2);
  const Tensor x(2, 4, 5, 6), y(2, 8, 5, 2);
  const Filter w(8, 4, 3, 3);
  const std::vector<float> plain = convolve(dnn, x, image, w, filter, conv, y);
  const Tensor last_x(2, 4, 5, 6, CUDNN_TENSOR_NHWC), last_y(2, 8, 5, 2, CUDNN_TENSOR_NHWC);
  const Filter last_w(8, 4, 3, 3, CUDNN_TENSOR_NHWC);
  const std::vector<float> last = convolve(dnn, last_x, channels_last(image, 4, 30), last_w,
                                           channels_last(filter, 4, 9), conv, last_y);
  expect("channels last", last == channels_last(plain, 8, 10));

  // Each row of the picture with two numbers behind it that belong to nobody.
  const Tensor padded;
  CHECK(cudnnSetTensor4dDescriptorEx(padded, CUDNN_DATA_FLOAT, 2, 4, 5, 6, 160, 40, 8, 1));
  std::vector<float> rows(2 * 4 * 5 * 8, 1000);
  for (std::size_t i = 0; i < image.size(); ++i) rows[i / 6 * 8 + i % 6] = image[i];
  expect("rows with gaps", convolve(dnn, padded, rows, w, filter, conv, y) == plain);

  // A volume whose filter has one layer is a picture for each layer.
  const int x_size[] = {1, 1, 3, 5, 6}, w_size[] = {2, 1, 1, 3, 3}, y_size[] = {1, 2, 3, 5, 2};
  const int pad[] = {0, 1, 0}, stride[] = {1, 1, 2}, dilation[] = {1, 1, 1};
  const Tensor volume, result;
  const Filter layer;
  const Convolution deep;
  CHECK(cudnnSetTensorNdDescriptorEx(volume, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 5, x_size));
  CHECK(cudnnSetTensorNdDescriptorEx(result, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 5, y_size));
  CHECK(cudnnSetFilterNdDescriptor(layer, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 5, w_size));
  CHECK(cudnnSetConvolutionNdDescriptor(deep, 3, pad, stride, dilation, CUDNN_CROSS_CORRELATION,
                                        CUDNN_DATA_FLOAT));
  CHECK(cudnnSetConvolutionMathType(deep, CUDNN_FMA_MATH));
  const std::vector<float> layers(image.begin(), image.begin() + 90);
  const std::vector<float> filters(filter.begin(), filter.begin() + 18);
  const std::vector<float> in_depth = convolve(dnn, volume, layers, layer, filters, deep, result);
  const Tensor one_x(3, 1, 5, 6), one_y(3, 2, 5, 2);
  const Filter one_w(2, 1, 3, 3);
  const std::vector<float> pictures = convolve(dnn, one_x, layers, one_w, filters, conv, one_y);
  bool same = true;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const std::size_t place = i % 10, channel = i / 10 % 2, depth = i / 20;
    same = same && pictures[i] == in_depth[(channel * 3 + depth) * 10 + place];
  }
  expect("a volume", same);
}

/* Prints:
channels last: ok
rows with gaps: ok
a volume: ok
*/
