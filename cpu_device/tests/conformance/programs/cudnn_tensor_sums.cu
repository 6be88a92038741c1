// SPDX-License-Identifier: MIT
// Sums of tensors, with one value for each channel or for all, and with strides. What lies between
// the elements stays as it was. Link with -lcudnn.
#include "../check_cudnn.h"

int main() {
  const Dnn dnn;
  const float one = 1, two = 2, zero = 0, half = 0.5f;
  const Tensor tensor(2, 2, 1, 2), channels(1, 2, 1, 1), single(1, 1, 1, 1), picture(1, 1, 1, 2);
  const DeviceArray<float> c{1, 2, 3, 4, 5, 6, 7, 8}, bias{10, 20}, number{100};
  CHECK(cudnnAddTensor(dnn, &one, channels, bias.data(), &one, tensor, c.data()));
  show("bias", c);
  CHECK(cudnnAddTensor(dnn, &two, single, number.data(), &zero, tensor, c.data()));
  show("one for all, not added", c);
  CHECK(cudnnAddTensor(dnn, &one, picture, bias.data(), &half, tensor, c.data()));
  show("a picture", c);
  CHECK(cudnnScaleTensor(dnn, tensor, c.data(), &half));
  show("half", c);
  CHECK(cudnnSetTensor(dnn, tensor, c.data(), &two));
  show("set", c);

  const Tensor strided;
  CHECK(cudnnSetTensor4dDescriptorEx(strided, CUDNN_DATA_FLOAT, 2, 2, 1, 2, 9, 4, 4, 2));
  const DeviceArray<float> wide(std::vector<float>(16, -1));
  CHECK(cudnnSetTensor(dnn, strided, wide.data(), &two));
  show("with strides", wide);

  // Channels last: the same numbers, read by another descriptor.
  const Tensor last(1, 2, 1, 3, CUDNN_TENSOR_NHWC), first(1, 2, 1, 3);
  const DeviceArray<float> from{1, 2, 3, 4, 5, 6}, to(6);
  CHECK(cudnnAddTensor(dnn, &one, last, from.data(), &zero, last, to.data()));
  show("channels last", to);
  CHECK(cudnnAddTensor(dnn, &one, channels, bias.data(), &one, last, to.data()));
  show("bias of channels last", to);
}

/* Prints:
bias: 11 12 23 24 15 16 27 28
one for all, not added: 200 200 200 200 200 200 200 200
a picture: 110 120 110 120 110 120 110 120
half: 55 60 55 60 55 60 55 60
set: 2 2 2 2 2 2 2 2
with strides: 2 -1 2 -1 2 -1 2 -1 -1 2 -1 2 -1 2 -1 2
channels last: 1 2 3 4 5 6
bias of channels last: 11 22 13 24 15 26
*/
