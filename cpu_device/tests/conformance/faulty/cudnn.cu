// SPDX-License-Identifier: MIT
// Calls of cuDNN. Link with -lcudnn.
#include <cuda_fp16.h>
#include <cudnn.h>

#include "../check_cudnn.h"
#include "../parts.h"

// alpha lies in device memory.
namespace device_factor {

PART(device_factor) {
  const Dnn dnn;
  const Tensor x(1, 1, 1, 4);
  const DeviceArray<float> values(numbers(4, 1)), alpha{2};
  cudnnScaleTensor(dnn, x, values.data(), alpha.data());  // fault
  CHECK(cudaDeviceSynchronize());
}

}  // namespace device_factor

/* Reports:
kind = "device_pointer_on_host"
kernel = "cudnnScaleTensor"
mentions = ["argument alpha of cudnnScaleTensor, which is read on the host"]
mode = "any"
*/

// The gradient of a dropout is asked for without the forward call that says what stayed.
namespace dropout_without_reserve {

using Dropout =
    Owner<cudnnDropoutDescriptor_t, cudnnCreateDropoutDescriptor, cudnnDestroyDropoutDescriptor>;

PART(dropout_without_reserve) {
  const Dnn dnn;
  const Dropout dropout;
  const Tensor desc(1, 1, 8, 8);
  size_t state_bytes = 0, reserve_bytes = 0;
  CHECK(cudnnDropoutGetStatesSize(dnn, &state_bytes));
  CHECK(cudnnDropoutGetReserveSpaceSize(desc, &reserve_bytes));
  const DeviceArray<char> states(state_bytes);
  const DeviceArray<float> above(numbers(64, 1)), gradient(64);
  char* reserve = nullptr;
  CHECK(cudaMalloc(&reserve, reserve_bytes));
  CHECK(cudnnSetDropoutDescriptor(dropout, dnn, 0.5f, states.data(), state_bytes, 1));
  CHECK(cudnnDropoutBackward(dnn, dropout, desc, above.data(), desc, gradient.data(),  // fault
                             reserve, reserve_bytes));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(reserve));
}

}  // namespace dropout_without_reserve

/* Reports:
kind = "uninitialised_global"
kernel = "cudnnDropoutBackward"
mentions = ["through its argument reserveSpace"]
mode = "check"
*/

// The pictures are halves, and their descriptor says that they are floats.
namespace halves_as_floats {

PART(halves_as_floats) {
  const Dnn dnn;
  const Tensor x(2, 3, 4, 4), y(2, 3, 2, 2);
  const DeviceArray<__half> in(std::vector<__half>(96, __float2half(1)));
  const DeviceArray<float> out(24);
  const Pooling pool;
  CHECK(cudnnSetPooling2dDescriptor(pool, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, 2, 2, 0, 0, 2,
                                    2));
  const float one = 1, zero = 0;
  CHECK(cudnnPoolingForward(dnn, pool, &one, x, in.data(), &zero, y, out.data()));  // fault
  CHECK(cudaDeviceSynchronize());
}

}  // namespace halves_as_floats

/* Reports:
kind = "out_of_bounds_global"
kernel = "cudnnPoolingForward"
mentions = ["reads x, 96 elements of 4 bytes", "192 bytes past the end of allocation 1 (192 bytes"]
mode = "any"
*/

// The gradient of the filter is to go to an array of the host.
namespace host_gradient {

PART(host_gradient) {
  const Dnn dnn;
  const Tensor x(1, 1, 4, 4), dy(1, 2, 2, 2);
  const Filter dw(2, 1, 3, 3);
  const Convolution conv(0, 0, 1, 1);
  const DeviceArray<float> image(numbers(16, 1)), above(numbers(8, 2));
  std::vector<float> gradient(18);
  const float one = 1, zero = 0;
  CHECK(cudnnConvolutionBackwardFilter(dnn, &one, x, image.data(), dy, above.data(), conv,  // fault
                                       CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, nullptr, 0, &zero, dw,
                                       gradient.data()));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace host_gradient

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "cudnnConvolutionBackwardFilter"
mentions = ["argument dw of cudnnConvolutionBackwardFilter"]
mode = "any"
*/

// The image is given to the library where the host has it.
namespace host_image {

PART(host_image) {
  const Dnn dnn;
  const Tensor x(1, 1, 4, 4), y(1, 2, 2, 2);
  const Filter w(2, 1, 3, 3);
  const Convolution conv(0, 0, 1, 1);
  const std::vector<float> image = numbers(16, 1);
  const DeviceArray<float> filter(numbers(18, 2)), result(8);
  const float one = 1, zero = 0;
  CHECK(cudnnConvolutionForward(dnn, &one, x, image.data(), w, filter.data(), conv,  // fault
                                CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, y,
                                result.data()));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace host_image

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "cudnnConvolutionForward"
mentions = ["argument x of cudnnConvolutionForward"]
mode = "any"
*/

// The workspace is memory of the host.
namespace host_workspace {

PART(host_workspace) {
  const Dnn dnn;
  const Tensor x(1, 4, 8, 8), y(1, 4, 6, 6);
  const Filter w(4, 4, 3, 3);
  const Convolution conv(0, 0, 1, 1);
  const DeviceArray<float> image(numbers(256, 1)), filter(numbers(144, 2)), result(144);
  constexpr auto kAlgorithm = CUDNN_CONVOLUTION_FWD_ALGO_GEMM;
  size_t bytes = 0;
  CHECK(cudnnGetConvolutionForwardWorkspaceSize(dnn, x, w, conv, y, kAlgorithm, &bytes));
  std::vector<char> workspace(bytes);
  const float one = 1, zero = 0;
  CHECK(cudnnConvolutionForward(dnn, &one, x, image.data(), w, filter.data(), conv,  // fault
                                kAlgorithm, workspace.data(), bytes, &zero, y, result.data()));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace host_workspace

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "cudnnConvolutionForward"
mentions = ["argument workSpace of cudnnConvolutionForward"]
mode = "any"
*/

// The result of a convolution takes the place of its input.
namespace in_place {

PART(in_place) {
  const Dnn dnn;
  const Tensor x(1, 2, 6, 6);
  const Filter w(2, 2, 3, 3);
  const Convolution conv(1, 1, 1, 1);
  const DeviceArray<float> image(numbers(72, 1)), filter(numbers(36, 2));
  const float one = 1, zero = 0;
  CHECK(cudnnConvolutionForward(dnn, &one, x, image.data(), w, filter.data(), conv,  // fault
                                CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, x,
                                image.data()));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace in_place

/* Reports:
kind = "race_across_blocks"
kernel = "cudnnConvolutionForward"
mentions = ["writes element 0 (byte 0) of allocation 1 (288 bytes", "through its argument y and reads it through x"]
mode = "check"
*/

// A way out of a function leaves a descriptor behind.
namespace leaked_descriptor {

cudnnStatus_t describe(cudnnTensorDescriptor_t tensor, double most, int n, int c) {
  cudnnActivationDescriptor_t clipped = nullptr;
  cudnnStatus_t status = cudnnCreateActivationDescriptor(&clipped);  // fault
  if (status != CUDNN_STATUS_SUCCESS) return status;
  status = cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, 1, 1);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  status = cudnnSetActivationDescriptor(clipped, CUDNN_ACTIVATION_CLIPPED_RELU,
                                        CUDNN_NOT_PROPAGATE_NAN, most);
  cudnnDestroyActivationDescriptor(clipped);
  return status;
}

PART(leaked_descriptor) {
  cudnnTensorDescriptor_t tensor = nullptr;
  cudnnCreateTensorDescriptor(&tensor);
  const bool good = describe(tensor, 6, 2, 3) == CUDNN_STATUS_SUCCESS;
  const bool bad = describe(tensor, 6, 2, -3) != CUDNN_STATUS_SUCCESS;
  cudnnDestroyTensorDescriptor(tensor);
  expect("it says which failed", good && bad);
}

}  // namespace leaked_descriptor

/* Reports:
kind = "leak"
mentions = ["an activation descriptor", "cudnnDestroyActivationDescriptor()"]
mode = "check"
*/

// The result of a convolution is allocated for one channel instead of two.
namespace result_too_small {

PART(result_too_small) {
  const Dnn dnn;
  const Tensor x(1, 1, 4, 4), y(1, 2, 2, 2);
  const Filter w(2, 1, 3, 3);
  const Convolution conv(0, 0, 1, 1);
  const DeviceArray<float> image(numbers(16, 1)), filter(numbers(18, 2)), result(4);
  const float one = 1, zero = 0;
  CHECK(cudnnConvolutionForward(dnn, &one, x, image.data(), w, filter.data(), conv,  // fault
                                CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, y,
                                result.data()));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace result_too_small

/* Reports:
kind = "out_of_bounds_global"
kernel = "cudnnConvolutionForward"
mentions = ["writes y, 8 elements of 4 bytes", "16 bytes past the end of allocation 3 (16 bytes"]
mode = "any"
*/

// beta is 1 on the first use: the gradient is added to what nobody has written.
namespace unwritten_gradient {

PART(unwritten_gradient) {
  const Dnn dnn;
  const Tensor dy(1, 2, 2, 2), db(1, 2, 1, 1);
  const DeviceArray<float> above(numbers(8, 1));
  float* bias = nullptr;
  CHECK(cudaMalloc(&bias, 2 * sizeof(float)));
  const float one = 1;
  CHECK(cudnnConvolutionBackwardBias(dnn, &one, dy, above.data(), &one, db, bias));  // fault
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(bias));
}

}  // namespace unwritten_gradient

/* Reports:
kind = "uninitialised_global"
kernel = "cudnnConvolutionBackwardBias"
mentions = ["element 0 (byte 0) of allocation 2 (8 bytes", "through its argument db"]
mode = "check"
*/

// The workspace is allocated for another algorithm, which needs less of it.
namespace workspace_too_small {

PART(workspace_too_small) {
  const Dnn dnn;
  const Tensor x(1, 4, 8, 8), y(1, 4, 6, 6);
  const Filter w(4, 4, 3, 3);
  const Convolution conv(0, 0, 1, 1);
  const DeviceArray<float> image(numbers(256, 1)), filter(numbers(144, 2)), result(144);
  constexpr auto kAlgorithm = CUDNN_CONVOLUTION_FWD_ALGO_GEMM;
  size_t bytes = 0, less = 0;
  CHECK(cudnnGetConvolutionForwardWorkspaceSize(dnn, x, w, conv, y, kAlgorithm, &bytes));
  CHECK(cudnnGetConvolutionForwardWorkspaceSize(
      dnn, x, w, conv, y, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, &less));
  const DeviceArray<char> workspace(less);
  const float one = 1, zero = 0;
  CHECK(cudnnConvolutionForward(dnn, &one, x, image.data(), w, filter.data(), conv,  // fault
                                kAlgorithm, workspace.data(), bytes, &zero, y, result.data()));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace workspace_too_small

/* Reports:
kind = "out_of_bounds_global"
kernel = "cudnnConvolutionForward"
mentions = ["writes workSpace, 5184 elements of 1 bytes", "5040 bytes past the end of allocation 4 (144 bytes"]
mode = "any"
*/

// A layer's result goes to the buffer that it reads.
namespace layer_in_place {

PART(layer_in_place) {
  const Dnn dnn;
  const Tensor x(2, 3, 1, 1), y(2, 3, 1, 1), b(1, 3, 1, 1);
  const Filter w(3, 3, 1, 1);
  const Convolution conv(0, 0, 1, 1);
  const Activation relu;
  CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0));
  const DeviceArray<float> values(numbers(6, 1)), filter(numbers(9, 2)), bias(numbers(3, 3));
  const float one = 1, zero = 0;
  CHECK(cudnnConvolutionBiasActivationForward(  // fault
      dnn, &one, x, values.data(), w, filter.data(), conv, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
      nullptr, 0, &zero, y, values.data(), b, bias.data(), relu, y, values.data()));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace layer_in_place

/* Reports:
kind = "race_across_blocks"
kernel = "cudnnConvolutionBiasActivationForward"
mentions = ["x", "y"]
mode = "check"
*/
