// SPDX-License-Identifier: MIT
// Reductions of tensors along the axes where the result has size 1. Link with -lcudnn.
#include "../check_cudnn.h"

using Reduction = Owner<cudnnReduceTensorDescriptor_t, cudnnCreateReduceTensorDescriptor,
                        cudnnDestroyReduceTensorDescriptor>;

struct Scene {
  cudnnHandle_t dnn;
  const Reduction reduction{};

  void set(cudnnReduceTensorOp_t op) const {
    CHECK(cudnnSetReduceTensorDescriptor(reduction, op, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN,
                                         CUDNN_REDUCE_TENSOR_NO_INDICES, CUDNN_32BIT_INDICES));
  }
  void reduce(float alpha, cudnnTensorDescriptor_t a, const float* from, float beta,
              cudnnTensorDescriptor_t c, float* to) const {
    std::size_t bytes = 0;
    CHECK(cudnnGetReductionWorkspaceSize(dnn, reduction, a, c, &bytes));
    const DeviceArray<char> workspace(bytes + 1);
    CHECK(cudnnReduceTensor(dnn, reduction, nullptr, 0, workspace.data(), bytes, &alpha, a, from,
                            &beta, c, to));
    CHECK(cudaDeviceSynchronize());
  }
};

int main() {
  const Dnn dnn;
  const Scene scene{dnn};
  const Tensor a(2, 3, 2, 2), channels(1, 3, 1, 1), images(2, 1, 1, 1), all(1, 1, 1, 1);
  const DeviceArray<float> values{3, 4, 0, 0, 1, 2,  4, -2, 0, -5, 0, 12,
                                  0, 0, 0, 0, 1, -1, 1, 1,  0, 0,  0, 0};
  const struct {
    const char* name;
    cudnnReduceTensorOp_t op;
  } kOps[] = {{"sum", CUDNN_REDUCE_TENSOR_ADD},
              {"product", CUDNN_REDUCE_TENSOR_MUL},
              {"least", CUDNN_REDUCE_TENSOR_MIN},
              {"most", CUDNN_REDUCE_TENSOR_MAX},
              {"largest", CUDNN_REDUCE_TENSOR_AMAX},
              {"mean", CUDNN_REDUCE_TENSOR_AVG},
              {"sum of sizes", CUDNN_REDUCE_TENSOR_NORM1},
              {"length", CUDNN_REDUCE_TENSOR_NORM2},
              {"product without zeros", CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS}};
  for (const auto& [name, op] : kOps) {
    scene.set(op);
    const DeviceArray<float> of_channels(3), of_images(2), of_all(1);
    scene.reduce(1, a, values.data(), 0, channels, of_channels.data());
    show(name, of_channels);
    scene.reduce(1, a, values.data(), 0, images, of_images.data());
    show("  of images", of_images);
    scene.reduce(1, a, values.data(), 0, all, of_all.data());
    show("  of all", of_all);
  }

  scene.set(CUDNN_REDUCE_TENSOR_ADD);
  const DeviceArray<float> before{100, 200, 300};
  scene.reduce(2, a, values.data(), 0.5f, channels, before.data());
  show("twice the sum, half of what was there", before);
  const Tensor last(2, 3, 2, 2, CUDNN_TENSOR_NHWC);
  scene.reduce(1, last, values.data(), 0, channels, before.data());
  show("read as channels last", before);
  const Tensor planes(1, 3, 2, 2);
  const DeviceArray<float> sums(12);
  scene.reduce(1, a, values.data(), 0, planes, sums.data());
  show("over the images", sums);

  cudnnReduceTensorOp_t op;
  cudnnDataType_t type;
  cudnnNanPropagation_t nan;
  cudnnReduceTensorIndices_t indices;
  cudnnIndicesType_t indices_type;
  CHECK(cudnnGetReduceTensorDescriptor(scene.reduction, &op, &type, &nan, &indices, &indices_type));
  show("descriptor", static_cast<int>(op), static_cast<int>(type), static_cast<int>(nan),
       static_cast<int>(indices), static_cast<int>(indices_type));
}

/* Prints:
sum: 7 7 7
  of images: 19 2
  of all: 21
product: 0 16 0
  of images: 0 0
  of all: 0
least: 0 -2 -5
  of images: -5 -1
  of all: -5
most: 4 4 12
  of images: 12 1
  of all: 12
largest: 4 4 12
  of images: 12 1
  of all: 12
mean: 0.875 0.875 0.875
  of images: 1.583 0.167
  of all: 0.875
sum of sizes: 7 13 17
  of images: 33 4
  of all: 37
length: 5 5.385 13
  of images: 14.799 2
  of all: 14.933
product without zeros: 12 16 -60
  of images: 11520 -1
  of all: -11520
twice the sum, half of what was there: 64 114 164
read as channels last: 3 5 13
over the images: 3 4 0 0 2 1 5 -1 0 -5 0 12
descriptor: 0 0 0 0 0
*/
