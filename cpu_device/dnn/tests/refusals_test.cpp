// SPDX-License-Identifier: MIT
// A call that is refused says which argument is wrong, and why.
#include <functional>
#include <string>

#include "scene.h"
#include "simt/refused_call.h"

// Of cpu_device/dnn/alive.h.
extern "C" size_t convkit_simt_dnn_descriptors_alive();
extern "C" const char* convkit_simt_dnn_newest_descriptors(size_t count);

namespace {

using namespace convkit::simt::dnn::test;

const float kOne = 1, kZero = 0;

// What is said of the last call, which must have returned `status`.
std::string why(cudnnStatus_t status) {
  std::string text = convkit_simt_why_refused(CONVKIT_SIMT_CUDNN, status);
  convkit_simt_forget_refusal();
  return text;
}

std::string why_bad(cudnnStatus_t status) {
  CHECK(status == CUDNN_STATUS_BAD_PARAM);
  return why(status);
}

std::string why_unsupported(cudnnStatus_t status) {
  CHECK(status == CUDNN_STATUS_NOT_SUPPORTED);
  return why(status);
}

// Descriptors of a convolution of x with w.
struct Scene {
  Handle dnn;
  Tensor x, y;
  cudnnFilterDescriptor_t w = nullptr;
  cudnnConvolutionDescriptor_t conv = nullptr;
  cudnnActivationDescriptor_t relu = nullptr;
  cudnnPoolingDescriptor_t pooling = nullptr;

  explicit Scene(int wanted_channels = 2)
      : x({2, 2, 5, 5}, packed({2, 2, 5, 5})), y({2, 3, 3, 3}, packed({2, 3, 3, 3})) {
    cudnnCreateFilterDescriptor(&w);
    cudnnSetFilter4dDescriptor(w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 3, wanted_channels, 3, 3);
    cudnnCreateConvolutionDescriptor(&conv);
    cudnnSetConvolution2dDescriptor(conv, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
                                    CUDNN_DATA_FLOAT);
    cudnnCreateActivationDescriptor(&relu);
    cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0);
    cudnnCreatePoolingDescriptor(&pooling);
    cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2);
    convkit_simt_forget_refusal();
  }
  ~Scene() {
    cudnnDestroyPoolingDescriptor(pooling);
    cudnnDestroyActivationDescriptor(relu);
    cudnnDestroyConvolutionDescriptor(conv);
    cudnnDestroyFilterDescriptor(w);
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  cudnnStatus_t forward(int algorithm = 0, size_t bytes = 0, const Tensor* result = nullptr) const {
    const Tensor& to = result ? *result : y;
    return cudnnConvolutionForward(dnn, &kOne, x.descriptor(), x.data(), w, x.data(), conv,
                                   static_cast<cudnnConvolutionFwdAlgo_t>(algorithm), nullptr,
                                   bytes, &kZero, to.descriptor(), to.data());
  }
};

TEST_CASE("descriptors that are left are told by what they are") {
  const size_t before = convkit_simt_dnn_descriptors_alive();
  cudnnTensorDescriptor_t tensors[2];
  cudnnFilterDescriptor_t filter;
  for (auto& tensor : tensors)
    REQUIRE(cudnnCreateTensorDescriptor(&tensor) == CUDNN_STATUS_SUCCESS);
  REQUIRE(cudnnCreateFilterDescriptor(&filter) == CUDNN_STATUS_SUCCESS);
  CHECK(convkit_simt_dnn_descriptors_alive() == before + 3);
  CHECK(std::string(convkit_simt_dnn_newest_descriptors(3)) ==
        "2 tensor descriptors and a filter descriptor, one of them made with "
        "cudnnCreateTensorDescriptor.");
  for (auto& tensor : tensors) cudnnDestroyTensorDescriptor(tensor);
  cudnnDestroyFilterDescriptor(filter);
}

}  // namespace

TEST_CASE("descriptors of a convolution that do not fit are named with their sizes") {
  CHECK(why_bad(Scene(4).forward()) ==
        "cudnnConvolutionForward: the filter wants 4 channels (wDesc is 3 x 4 x 3 x 3, 1 group), "
        "xDesc has 2 (2 x 2 x 5 x 5).");
  const Scene s;
  const Tensor wrong({2, 3, 5, 5}, packed({2, 3, 5, 5}));
  CHECK(why_bad(s.forward(0, 0, &wrong)) ==
        "cudnnConvolutionForward: yDesc is 2 x 3 x 5 x 5; this convolution of xDesc, 2 x 2 x 5 x "
        "5, gives 2 x 3 x 3 x 3.");
  cudnnSetConvolutionGroupCount(s.conv, 2);
  cudnnSetFilter4dDescriptor(s.w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 3, 1, 3, 3);
  CHECK(why_bad(s.forward()) ==
        "cudnnConvolutionForward: wDesc has 3 filters, which is no multiple of convDesc's 2 "
        "groups.");
  size_t bytes = 0;
  cudnnSetConvolutionGroupCount(s.conv, 1);
  CHECK(why_bad(cudnnGetConvolutionBackwardDataWorkspaceSize(
            s.dnn, s.w, s.y.descriptor(), s.conv, s.x.descriptor(),
            CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, &bytes)) ==
        "cudnnGetConvolutionBackwardDataWorkspaceSize: the filter wants 1 channels (wDesc is 3 x 1 "
        "x 3 x 3, 1 group), dxDesc has 2 (2 x 2 x 5 x 5).");
}

TEST_CASE("descriptors that fit in another order are told so") {
  const Scene s;
  size_t bytes = 0;
  CHECK(why_bad(cudnnGetConvolutionForwardWorkspaceSize(
            s.dnn, s.y.descriptor(), s.w, s.conv, s.x.descriptor(),
            CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, &bytes)) ==
        "cudnnGetConvolutionForwardWorkspaceSize: the filter wants 2 channels (wDesc is 3 x 2 x 3 "
        "x 3, 1 group), xDesc has 3 (2 x 3 x 3 x 3); they fit if xDesc and yDesc are exchanged.");
  cudnnSetFilter4dDescriptor(s.w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 2, 3, 3, 3);
  CHECK(why_bad(s.forward()) ==
        "cudnnConvolutionForward: the filter wants 3 channels (wDesc is 2 x 3 x 3 x 3, 1 group), "
        "xDesc has 2 (2 x 2 x 5 x 5); they fit if the first two sizes of wDesc are exchanged.");
}

TEST_CASE("a filter that is larger than the padded input is named with both sizes") {
  const Scene s;
  int output[4] = {};
  cudnnSetFilter4dDescriptor(s.w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 3, 2, 3, 4);
  cudnnSetConvolution2dDescriptor(s.conv, 0, 0, 1, 1, 1, 2, CUDNN_CROSS_CORRELATION,
                                  CUDNN_DATA_FLOAT);
  CHECK(why_bad(cudnnGetConvolutionNdForwardOutputDim(s.conv, s.x.descriptor(), s.w, 4, output)) ==
        "cudnnGetConvolutionNdForwardOutputDim: along the width the filter reaches over 7 elements "
        "(4 of filterDesc, dilation 2), and the padded input has 5 (5 of inputTensorDesc, padding "
        "0).");
}

TEST_CASE("an algorithm says what it lacks") {
  const Scene s;
  CHECK(why_bad(s.forward(1)) ==
        "cudnnConvolutionForward: workSpaceSizeInBytes is 0, less than the 72 that algo 1 "
        "(CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM) needs here.");
  CHECK(why_bad(s.forward(1, 72)) ==
        "cudnnConvolutionForward: workSpace is null, and algo 1 "
        "(CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM) needs 72 bytes here.");
  CHECK(why_unsupported(s.forward(3)) ==
        "cudnnConvolutionForward: algo is 3 (CUDNN_CONVOLUTION_FWD_ALGO_DIRECT); it computes no "
        "convolution.");
  CHECK(why_bad(s.forward(8)) ==
        "cudnnConvolutionForward: algo is 8; the pass has the algorithms 0 to 7.");
  cudnnSetConvolution2dDescriptor(s.conv, 0, 0, 2, 2, 1, 1, CUDNN_CROSS_CORRELATION,
                                  CUDNN_DATA_FLOAT);
  const Tensor strided({2, 3, 2, 2}, packed({2, 3, 2, 2}));
  CHECK(why_unsupported(s.forward(6, 0, &strided)) ==
        "cudnnConvolutionForward: algo is 6 (CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD); it takes no "
        "stride but 1.");
}

TEST_CASE("numbers that no descriptor takes are named") {
  const Scene s;
  CHECK(why_bad(cudnnSetTensor4dDescriptor(s.x.descriptor(), CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 2,
                                           3, 0, 5)) ==
        "cudnnSetTensor4dDescriptor: h is 0; every dimension must be at least 1.");
  const int sizes[] = {2, 3, 4}, strides[] = {12, 0, 1};
  CHECK(
      why_bad(cudnnSetTensorNdDescriptor(s.x.descriptor(), CUDNN_DATA_FLOAT, 3, sizes, strides)) ==
      "cudnnSetTensorNdDescriptor: strideA[1] is 0, and dimA[1] is 3; only a dimension of 1 may "
      "have the stride 0.");
  CHECK(
      why_bad(cudnnSetFilter4dDescriptor(s.w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 3, -1, 3, 3)) ==
      "cudnnSetFilter4dDescriptor: c is -1; every dimension must be at least 1.");
  CHECK(why_bad(cudnnSetConvolution2dDescriptor(s.conv, 0, -1, 1, 1, 1, 1, CUDNN_CONVOLUTION,
                                                CUDNN_DATA_FLOAT)) ==
        "cudnnSetConvolution2dDescriptor: pad_w is -1; it must be at least 0.");
  CHECK(why_bad(cudnnSetConvolution2dDescriptor(s.conv, 0, 0, 0, 1, 1, 1, CUDNN_CONVOLUTION,
                                                CUDNN_DATA_FLOAT)) ==
        "cudnnSetConvolution2dDescriptor: u is 0; it must be at least 1.");
  CHECK(why_bad(cudnnSetPooling2dDescriptor(s.pooling, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 2, 0,
                                            0, 0, 1, 1)) ==
        "cudnnSetPooling2dDescriptor: windowWidth is 0; it must be at least 1.");
}

TEST_CASE("a null pointer, and a handle that is none, are named") {
  const Scene s;
  CHECK(why_bad(cudnnActivationBackward(s.dnn, s.relu, &kOne, s.x.descriptor(), s.x.data(),
                                        s.x.descriptor(), s.x.data(), s.x.descriptor(), nullptr,
                                        &kZero, s.x.descriptor(), s.x.data())) ==
        "cudnnActivationBackward: x is null.");
  CHECK(why_bad(cudnnSetStream(nullptr, nullptr)) == "cudnnSetStream: handle is null.");
}

TEST_CASE("a descriptor that has been destroyed is named") {
  cudnnTensorDescriptor_t gone = nullptr, other = nullptr;
  cudnnCreateTensorDescriptor(&gone);
  CHECK(cudnnDestroyTensorDescriptor(gone) == CUDNN_STATUS_SUCCESS);
  cudnnCreateTensorDescriptor(&other);
  CHECK(other != gone);
  const std::string why_gone = "has been destroyed already, by cudnnDestroyTensorDescriptor.";
  CHECK(
      why_bad(cudnnSetTensor4dDescriptor(gone, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, 1)) ==
      "cudnnSetTensor4dDescriptor: tensorDesc " + why_gone);
  CHECK(why_bad(cudnnDestroyTensorDescriptor(gone)) ==
        "cudnnDestroyTensorDescriptor: tensorDesc " + why_gone);
  CHECK(cudnnDestroyTensorDescriptor(other) == CUDNN_STATUS_SUCCESS);
  CHECK(cudnnDestroyTensorDescriptor(nullptr) == CUDNN_STATUS_SUCCESS);
}

TEST_CASE("tensors that do not fit are named with both sizes") {
  const Scene s;
  const Tensor bias({3, 1, 1, 1}, packed({3, 1, 1, 1})), none({1, 1}, {1, 1});
  CHECK(why_bad(cudnnAddTensor(s.dnn, &kOne, bias.descriptor(), bias.data(), &kOne,
                               s.y.descriptor(), s.y.data())) ==
        "cudnnAddTensor: aDesc is 3 x 1 x 1 x 1; each of its sizes must be 1 or that of cDesc, 2 x "
        "3 x 3 x 3.");
  CHECK(why_bad(cudnnConvolutionBackwardBias(s.dnn, &kOne, s.y.descriptor(), s.y.data(), &kZero,
                                             bias.descriptor(), bias.data())) ==
        "cudnnConvolutionBackwardBias: dbDesc is 3 x 1 x 1 x 1; for dyDesc of 2 x 3 x 3 x 3 it "
        "must be 1 x 3 x 1 x 1.");
  CHECK(why_bad(cudnnSoftmaxForward(s.dnn, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL,
                                    &kOne, s.x.descriptor(), s.x.data(), &kZero, s.y.descriptor(),
                                    s.y.data())) ==
        "cudnnSoftmaxForward: yDesc is 2 x 3 x 3 x 3; it must be of the sizes of xDesc, 2 x 2 x 5 "
        "x 5.");
  CHECK(why_bad(cudnnPoolingForward(s.dnn, s.pooling, &kOne, s.x.descriptor(), s.x.data(), &kZero,
                                    s.y.descriptor(), s.y.data())) ==
        "cudnnPoolingForward: yDesc is 2 x 3 x 3 x 3; this pooling of xDesc, 2 x 2 x 5 x 5, gives "
        "2 x 2 x 2 x 2.");
}

TEST_CASE("a reason is told for the status of the last refused call only") {
  const Scene s;
  CHECK(s.forward(8) == CUDNN_STATUS_BAD_PARAM);
  CHECK(std::string(convkit_simt_why_refused(CONVKIT_SIMT_CUDNN, CUDNN_STATUS_NOT_SUPPORTED))
            .empty());
  CHECK(std::string(convkit_simt_why_refused(CONVKIT_SIMT_CUBLAS, CUDNN_STATUS_BAD_PARAM)).empty());
  CHECK(s.forward() == CUDNN_STATUS_SUCCESS);  // what tidies up does not hide it
  CHECK_FALSE(why(CUDNN_STATUS_BAD_PARAM).empty());
  CHECK(why(CUDNN_STATUS_BAD_PARAM).empty());
  convkit_simt_remember_refusals(0);
  CHECK(s.forward(8) == CUDNN_STATUS_BAD_PARAM);
  convkit_simt_remember_refusals(1);
  CHECK(why(CUDNN_STATUS_BAD_PARAM).empty());
}

TEST_CASE("a stream that is gone is named") {
  const Scene s;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudnnSetStream(s.dnn, stream) == CUDNN_STATUS_SUCCESS);
  REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(s.forward() == CUDNN_STATUS_EXECUTION_FAILED);
  CHECK(why(CUDNN_STATUS_EXECUTION_FAILED) ==
        "cudnnConvolutionForward: its stream does not exist any more.");
  cudnnSetStream(s.dnn, nullptr);
}
