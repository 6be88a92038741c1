// SPDX-License-Identifier: MIT
// Descriptors of poolings, and the sizes that come of them.
#include <algorithm>

#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/descriptors.h"
#include "cpu_device/dnn/refusal.h"

using namespace convkit::simt::dnn;

namespace {

// `window` and `stride` name the arguments: one array, or one for rows and one for columns.
struct PoolingNames {
  const char* window[2];
  const char* pad;
  const char* stride[2];
};

bool is_not_positive(Refusal& refusal, const char* const names[], int count, const int values[]) {
  for (int i = 0; i < count; ++i) {
    if (values[i] > 0) continue;
    const bool is_array = names[1] == nullptr;
    return refusal.bad_param(said(is_array ? names[0] : names[i], is_array ? said("[", i, "]") : "",
                                  " is ", values[i], "; it must be at least 1"));
  }
  return false;
}

// Negative padding is taken, as by cuDNN.
cudnnStatus_t set(const char* call, const PoolingNames& names, cudnnPoolingDescriptor_t poolingDesc,
                  cudnnPoolingMode_t mode, cudnnNanPropagation_t maxpoolingNanOpt, int nbDims,
                  const int window[], const int pad[], const int stride[]) {
  Refusal refusal(call);
  if (refusal.null({{"poolingDesc", poolingDesc}}) ||
      ((mode < CUDNN_POOLING_MAX || mode > CUDNN_POOLING_MAX_DETERMINISTIC) &&
       refusal.wrong_number("mode", mode, "it must be a cudnnPoolingMode_t")) ||
      refusal.unknown_nan_option("maxpoolingNanOpt", maxpoolingNanOpt) ||
      (nbDims < 1 && refusal.wrong_number("nbDims", nbDims, "it must be at least 1")) ||
      refusal.null({{names.window[0], window}, {names.pad, pad}, {names.stride[0], stride}}) ||
      (nbDims > kMostSpatial && refusal.not_supported(said("nbDims is ", nbDims, "; at most ",
                                                           kMostSpatial, " are supported"))) ||
      is_not_positive(refusal, names.window, nbDims, window) ||
      is_not_positive(refusal, names.stride, nbDims, stride)) {
    return refusal.status();
  }
  poolingDesc->mode = mode;
  poolingDesc->nan = maxpoolingNanOpt;
  poolingDesc->dims = nbDims;
  std::copy_n(window, nbDims, poolingDesc->window);
  std::copy_n(pad, nbDims, poolingDesc->pad);
  std::copy_n(stride, nbDims, poolingDesc->stride);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t output_dims(const char* call, cudnnPoolingDescriptor_t poolingDesc,
                          cudnnTensorDescriptor_t inputTensorDesc, int nbDims,
                          int outputTensorDimA[]) {
  Refusal refusal(call);
  int size[CUDNN_DIM_MAX] = {};
  if (refusal.null({{"poolingDesc", poolingDesc},
                    {"inputTensorDesc", inputTensorDesc},
                    {"outputTensorDimA", outputTensorDimA}}) ||
      refusal.never_set("inputTensorDesc", *inputTensorDesc) ||
      (inputTensorDesc->dims != nbDims &&
       refusal.bad_param(said("nbDims is ", nbDims, ", and inputTensorDesc has ",
                              inputTensorDesc->dims, " dimensions"))) ||
      !output_sizes(refusal, *poolingDesc, "inputTensorDesc", *inputTensorDesc, size)) {
    return refusal.status();
  }
  std::copy_n(size, nbDims, outputTensorDimA);
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

bool convkit::simt::dnn::output_sizes(Refusal& refusal, const cudnnPoolingStruct& pooling,
                                      const char* x_name, const cudnnTensorStruct& x,
                                      int (&size)[CUDNN_DIM_MAX]) {
  if (pooling.dims == 0) {
    refusal.bad_param("poolingDesc has no sizes yet: set the descriptor");
    return false;
  }
  if (refusal.never_set(x_name, x)) return false;
  if (x.dims != pooling.dims + 2) {
    refusal.bad_param(said(x_name, " has ", x.dims, " dimensions; for poolingDesc's ", pooling.dims,
                           " of space it must have ", pooling.dims + 2));
    return false;
  }
  size[0] = x.size[0];
  size[1] = x.size[1];
  for (int i = 2; i < x.dims; ++i) {
    const int axis = i - 2;
    const int padded = x.size[i] + 2 * pooling.pad[axis];
    if (padded < pooling.window[axis]) {
      refusal.bad_param(said("the window of ", pooling.window[axis],
                             " is larger than the padded input, ", padded, " (", x.size[i], " of ",
                             x_name, ", ", sizes_text(x), ", padding ", pooling.pad[axis], ")"));
      return false;
    }
    size[i] = (padded - pooling.window[axis]) / pooling.stride[axis] + 1;
  }
  return true;
}

extern "C" {

cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t* poolingDesc) {
  Refusal refusal("cudnnCreatePoolingDescriptor");
  if (refusal.null({{"poolingDesc", poolingDesc}})) return refusal.status();
  *poolingDesc = new cudnnPoolingStruct;
  note_created(poolingDesc, "pooling descriptor",
               convkit::simt::library_call("cudnnCreatePoolingDescriptor"));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t poolingDesc) {
  return destroy("cudnnDestroyPoolingDescriptor", "poolingDesc", poolingDesc);
}

cudnnStatus_t cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t poolingDesc,
                                          const cudnnPoolingMode_t mode,
                                          const cudnnNanPropagation_t maxpoolingNanOpt, int nbDims,
                                          const int windowDimA[], const int paddingA[],
                                          const int strideA[]) {
  constexpr PoolingNames kNames{{"windowDimA"}, "paddingA", {"strideA"}};
  return set("cudnnSetPoolingNdDescriptor", kNames, poolingDesc, mode, maxpoolingNanOpt, nbDims,
             windowDimA, paddingA, strideA);
}

cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t poolingDesc,
                                          cudnnPoolingMode_t mode,
                                          cudnnNanPropagation_t maxpoolingNanOpt, int windowHeight,
                                          int windowWidth, int verticalPadding,
                                          int horizontalPadding, int verticalStride,
                                          int horizontalStride) {
  const int window[] = {windowHeight, windowWidth}, pad[] = {verticalPadding, horizontalPadding},
            stride[] = {verticalStride, horizontalStride};
  constexpr PoolingNames kNames{
      {"windowHeight", "windowWidth"}, "verticalPadding", {"verticalStride", "horizontalStride"}};
  return set("cudnnSetPooling2dDescriptor", kNames, poolingDesc, mode, maxpoolingNanOpt, 2, window,
             pad, stride);
}

cudnnStatus_t cudnnGetPooling2dDescriptor(const cudnnPoolingDescriptor_t poolingDesc,
                                          cudnnPoolingMode_t* mode,
                                          cudnnNanPropagation_t* maxpoolingNanOpt,
                                          int* windowHeight, int* windowWidth, int* verticalPadding,
                                          int* horizontalPadding, int* verticalStride,
                                          int* horizontalStride) {
  Refusal refusal("cudnnGetPooling2dDescriptor");
  if (refusal.null({{"poolingDesc", poolingDesc},
                    {"mode", mode},
                    {"maxpoolingNanOpt", maxpoolingNanOpt},
                    {"windowHeight", windowHeight},
                    {"windowWidth", windowWidth},
                    {"verticalPadding", verticalPadding},
                    {"horizontalPadding", horizontalPadding},
                    {"verticalStride", verticalStride},
                    {"horizontalStride", horizontalStride}})) {
    return refusal.status();
  }
  *mode = poolingDesc->mode;
  *maxpoolingNanOpt = poolingDesc->nan;
  *windowHeight = poolingDesc->window[0];
  *windowWidth = poolingDesc->window[1];
  *verticalPadding = poolingDesc->pad[0];
  *horizontalPadding = poolingDesc->pad[1];
  *verticalStride = poolingDesc->stride[0];
  *horizontalStride = poolingDesc->stride[1];
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetPoolingNdDescriptor(const cudnnPoolingDescriptor_t poolingDesc,
                                          int nbDimsRequested, cudnnPoolingMode_t* mode,
                                          cudnnNanPropagation_t* maxpoolingNanOpt, int* nbDims,
                                          int windowDimA[], int paddingA[], int strideA[]) {
  Refusal refusal("cudnnGetPoolingNdDescriptor");
  if (refusal.null({{"poolingDesc", poolingDesc},
                    {"mode", mode},
                    {"maxpoolingNanOpt", maxpoolingNanOpt},
                    {"nbDims", nbDims},
                    {"windowDimA", windowDimA},
                    {"paddingA", paddingA},
                    {"strideA", strideA}}) ||
      (nbDimsRequested < 0 &&
       refusal.wrong_number("nbDimsRequested", nbDimsRequested, "it must not be negative")) ||
      (nbDimsRequested > kMostSpatial &&
       refusal.not_supported(said("nbDimsRequested is ", nbDimsRequested, "; at most ",
                                  kMostSpatial, " are supported")))) {
    return refusal.status();
  }
  const int given = std::min(nbDimsRequested, poolingDesc->dims);
  *mode = poolingDesc->mode;
  *maxpoolingNanOpt = poolingDesc->nan;
  *nbDims = poolingDesc->dims;
  std::copy_n(poolingDesc->window, given, windowDimA);
  std::copy_n(poolingDesc->pad, given, paddingA);
  std::copy_n(poolingDesc->stride, given, strideA);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetPoolingNdForwardOutputDim(const cudnnPoolingDescriptor_t poolingDesc,
                                                const cudnnTensorDescriptor_t inputTensorDesc,
                                                int nbDims, int outputTensorDimA[]) {
  return output_dims("cudnnGetPoolingNdForwardOutputDim", poolingDesc, inputTensorDesc, nbDims,
                     outputTensorDimA);
}

cudnnStatus_t cudnnGetPooling2dForwardOutputDim(const cudnnPoolingDescriptor_t poolingDesc,
                                                const cudnnTensorDescriptor_t inputTensorDesc,
                                                int* n, int* c, int* h, int* w) {
  constexpr const char* kCall = "cudnnGetPooling2dForwardOutputDim";
  Refusal refusal(kCall);
  if (refusal.null({{"n", n}, {"c", c}, {"h", h}, {"w", w}})) return refusal.status();
  int size[4];
  const cudnnStatus_t status = output_dims(kCall, poolingDesc, inputTensorDesc, 4, size);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  *n = size[0];
  *c = size[1];
  *h = size[2];
  *w = size[3];
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
