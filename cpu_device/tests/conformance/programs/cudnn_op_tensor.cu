// SPDX-License-Identifier: MIT
// Operations on two tensors, and copies between layouts. Link with -lcudnn.
#include "../check_cudnn.h"

int main() {
  const Dnn dnn;
  const Owner<cudnnOpTensorDescriptor_t, cudnnCreateOpTensorDescriptor,
              cudnnDestroyOpTensorDescriptor>
      op;
  const Tensor desc(1, 2, 1, 3), channels(1, 2, 1, 1), last(1, 2, 1, 3, CUDNN_TENSOR_NHWC);
  const DeviceArray<float> a{1, 4, 9, 16, 25, 36}, b{10, -10}, c(6), d{6, 5, 4, 3, 2, 1};
  const float one = 1, two = 2, zero = 0;
  const auto run = [&](const char* name, cudnnOpTensorOp_t operation) {
    CHECK(cudnnSetOpTensorDescriptor(op, operation, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN));
    CHECK(cudnnOpTensor(dnn, op, &one, desc, a.data(), &two, channels, b.data(), &zero, desc,
                        c.data()));
    show(name, c);
  };
  run("sum", CUDNN_OP_TENSOR_ADD);
  run("product", CUDNN_OP_TENSOR_MUL);
  run("minimum", CUDNN_OP_TENSOR_MIN);
  run("maximum", CUDNN_OP_TENSOR_MAX);
  run("square root", CUDNN_OP_TENSOR_SQRT);
  CHECK(cudnnSetOpTensorDescriptor(op, CUDNN_OP_TENSOR_MUL, CUDNN_DATA_FLOAT, CUDNN_PROPAGATE_NAN));
  CHECK(cudnnOpTensor(dnn, op, &one, desc, a.data(), &one, desc, d.data(), &one, desc, c.data()));
  show("product, added", c);
  cudnnOpTensorOp_t operation;
  cudnnDataType_t type;
  cudnnNanPropagation_t nan;
  CHECK(cudnnGetOpTensorDescriptor(op, &operation, &type, &nan));
  show("descriptor", static_cast<int>(operation), static_cast<int>(type), static_cast<int>(nan));

  CHECK(cudnnTransformTensor(dnn, &two, desc, a.data(), &zero, last, c.data()));
  show("channels last", c);
  CHECK(cudnnTransformTensor(dnn, &one, last, c.data(), &one, desc, d.data()));
  show("and back, added", d);
}

/* Prints:
sum: 21 24 29 -4 5 16
product: 20 80 180 -320 -500 -720
minimum: 1 4 9 -20 -20 -20
maximum: 20 20 20 16 25 36
square root: 1 2 3 4 5 6
product, added: 7 22 39 52 55 42
descriptor: 1 0 1
channels last: 2 32 8 50 18 72
and back, added: 8 13 22 35 52 73
*/
