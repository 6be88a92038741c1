// SPDX-License-Identifier: MIT
// Descriptors of convolutions, and the sizes that come of them.
#include <algorithm>

#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/descriptors.h"
#include "cpu_device/dnn/refusal.h"

using namespace convkit::simt::dnn;

namespace {

// One of the arrays of a descriptor has an element below `least`. Those for rows and columns have
// names of their own where the call has no arrays.
bool has_less(Refusal& refusal, const char* const names[], int least, int count,
              const int values[]) {
  for (int i = 0; i < count; ++i) {
    if (values[i] >= least) continue;
    const bool is_array = names[1] == nullptr;
    return refusal.bad_param(said(is_array ? names[0] : names[i], is_array ? said("[", i, "]") : "",
                                  " is ", values[i], "; it must be at least ", least));
  }
  return false;
}

// What the arguments of a convolution's descriptor are called; two of each, or one array.
struct ConvolutionNames {
  const char* pad[2];
  const char* stride[2];
  const char* dilation[2];
};

cudnnStatus_t set(const char* call, const ConvolutionNames& names,
                  cudnnConvolutionDescriptor_t conv, int dims, const int pad[], const int stride[],
                  const int dilation[], cudnnConvolutionMode_t mode, cudnnDataType_t type) {
  Refusal refusal(call);
  const bool is_sum = type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_DOUBLE ||
                      type == CUDNN_DATA_HALF || type == CUDNN_DATA_INT32;
  if (refusal.null({{"convDesc", conv}}) ||
      (dims < 0 && refusal.wrong_number("arrayLength", dims, "it must not be negative")) ||
      refusal.null(
          {{names.pad[0], pad}, {names.stride[0], stride}, {names.dilation[0], dilation}}) ||
      (dims > kMostSpatial && refusal.not_supported(said("arrayLength is ", dims, "; at most ",
                                                         kMostSpatial, " are supported"))) ||
      (mode != CUDNN_CONVOLUTION && mode != CUDNN_CROSS_CORRELATION &&
       refusal.wrong_number("mode", mode,
                            "it must be CUDNN_CONVOLUTION or CUDNN_CROSS_CORRELATION")) ||
      (!is_sum && refusal.bad_param(said("computeType is ", type_text(type),
                                         "; no convolution sums in this type"))) ||
      has_less(refusal, names.pad, 0, dims, pad) ||
      has_less(refusal, names.stride, 1, dims, stride) ||
      has_less(refusal, names.dilation, 1, dims, dilation)) {
    return refusal.status();
  }
  conv->dims = dims;
  std::copy_n(pad, dims, conv->pad);
  std::copy_n(stride, dims, conv->stride);
  std::copy_n(dilation, dims, conv->dilation);
  conv->mode = mode;
  conv->compute_type = type;
  return CUDNN_STATUS_SUCCESS;
}

// "the height", for pictures; "dimension 3" for volumes.
std::string axis_text(int dims, int axis) {
  if (dims == 4) return axis == 2 ? "the height" : "the width";
  return said("dimension ", axis);
}

cudnnStatus_t output_dims(const char* call, cudnnConvolutionDescriptor_t convDesc,
                          cudnnTensorDescriptor_t inputTensorDesc,
                          cudnnFilterDescriptor_t filterDesc, int nbDims, int tensorOuputDimA[]) {
  Refusal refusal(call);
  int size[CUDNN_DIM_MAX] = {};
  if (refusal.null({{"convDesc", convDesc},
                    {"inputTensorDesc", inputTensorDesc},
                    {"filterDesc", filterDesc},
                    {"tensorOuputDimA", tensorOuputDimA}}) ||
      !output_sizes(refusal, *convDesc,
                    {"inputTensorDesc", *inputTensorDesc, "filterDesc", *filterDesc}, size)) {
    return refusal.status();
  }
  if (nbDims > inputTensorDesc->dims &&
      refusal.bad_param(said("nbDims is ", nbDims, "; inputTensorDesc has ", inputTensorDesc->dims,
                             " dimensions"))) {
    return refusal.status();
  }
  std::copy_n(size, std::max(0, nbDims), tensorOuputDimA);
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

bool convkit::simt::dnn::output_sizes(Refusal& refusal, const cudnnConvolutionStruct& convolution,
                                      const ConvolutionInputs& inputs, int (&size)[CUDNN_DIM_MAX]) {
  const auto& [x_name, x, w_name, w] = inputs;
  const auto no_sizes = [&](const char* name) {
    return refusal.bad_param(said(name, " has no sizes yet: set the descriptor"));
  };
  if ((convolution.dims == 0 && no_sizes("convDesc")) || refusal.never_set(x_name, x) ||
      (w.dims == 0 && no_sizes(w_name))) {
    return false;
  }
  if (x.dims != convolution.dims + 2) {
    refusal.bad_param(said(x_name, " has ", x.dims, " dimensions; for convDesc's ",
                           convolution.dims, " of space it must have ", convolution.dims + 2));
    return false;
  }
  if (w.dims != x.dims) {
    refusal.bad_param(said(w_name, " has ", w.dims, " dimensions, and ", x_name, " ", x.dims));
    return false;
  }
  const int groups = convolution.groups;
  if (x.size[1] != w.size[1] * groups) {
    refusal.bad_param(said("the filter wants ", w.size[1] * groups, " channels (", w_name, " is ",
                           sizes_text(w.dims, w.size), ", ", groups,
                           groups == 1 ? " group" : " groups", "), ", x_name, " has ", x.size[1],
                           " (", sizes_text(x), ")"));
    return false;
  }
  size[0] = x.size[0];
  size[1] = w.size[0];
  for (int i = 2; i < x.dims; ++i) {
    const int axis = i - 2;
    const int reach = convolution.dilation[axis] * (w.size[i] - 1) + 1;
    const int padded = x.size[i] + 2 * convolution.pad[axis];
    if (padded < reach) {
      refusal.bad_param(said("along ", axis_text(x.dims, i), " the filter reaches over ", reach,
                             " elements (", w.size[i], " of ", w_name, ", dilation ",
                             convolution.dilation[axis], "), and the padded input has ", padded,
                             " (", x.size[i], " of ", x_name, ", padding ", convolution.pad[axis],
                             ")"));
      return false;
    }
    size[i] = (padded - reach) / convolution.stride[axis] + 1;
  }
  return true;
}

extern "C" {

cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* convDesc) {
  Refusal refusal("cudnnCreateConvolutionDescriptor");
  if (refusal.null({{"convDesc", convDesc}})) return refusal.status();
  *convDesc = new cudnnConvolutionStruct;
  note_created(convDesc, "convolution descriptor",
               convkit::simt::library_call("cudnnCreateConvolutionDescriptor"));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t convDesc) {
  return destroy("cudnnDestroyConvolutionDescriptor", "convDesc", convDesc);
}

cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t convDesc,
                                          cudnnMathType_t mathType) {
  Refusal refusal("cudnnSetConvolutionMathType");
  if (refusal.null({{"convDesc", convDesc}}) ||
      ((mathType < CUDNN_DEFAULT_MATH || mathType > CUDNN_FMA_MATH) &&
       refusal.wrong_number("mathType", mathType, "it must be a cudnnMathType_t"))) {
    return refusal.status();
  }
  convDesc->math_type = mathType;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetConvolutionMathType(cudnnConvolutionDescriptor_t convDesc,
                                          cudnnMathType_t* mathType) {
  Refusal refusal("cudnnGetConvolutionMathType");
  if (refusal.null({{"convDesc", convDesc}, {"mathType", mathType}})) return refusal.status();
  *mathType = convDesc->math_type;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t convDesc, int groupCount) {
  Refusal refusal("cudnnSetConvolutionGroupCount");
  if (refusal.null({{"convDesc", convDesc}}) ||
      (groupCount < 1 && refusal.wrong_number("groupCount", groupCount, "it must be at least 1"))) {
    return refusal.status();
  }
  convDesc->groups = groupCount;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetConvolutionGroupCount(cudnnConvolutionDescriptor_t convDesc,
                                            int* groupCount) {
  Refusal refusal("cudnnGetConvolutionGroupCount");
  if (refusal.null({{"convDesc", convDesc}, {"groupCount", groupCount}})) return refusal.status();
  *groupCount = convDesc->groups;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t convDesc,
                                              int arrayLength, const int padA[],
                                              const int filterStrideA[], const int dilationA[],
                                              cudnnConvolutionMode_t mode,
                                              cudnnDataType_t computeType) {
  constexpr ConvolutionNames kNames{{"padA"}, {"filterStrideA"}, {"dilationA"}};
  return set("cudnnSetConvolutionNdDescriptor", kNames, convDesc, arrayLength, padA, filterStrideA,
             dilationA, mode, computeType);
}

cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t convDesc, int pad_h,
                                              int pad_w, int u, int v, int dilation_h,
                                              int dilation_w, cudnnConvolutionMode_t mode,
                                              cudnnDataType_t computeType) {
  const int pad[] = {pad_h, pad_w}, stride[] = {u, v}, dilation[] = {dilation_h, dilation_w};
  constexpr ConvolutionNames kNames{{"pad_h", "pad_w"}, {"u", "v"}, {"dilation_h", "dilation_w"}};
  return set("cudnnSetConvolution2dDescriptor", kNames, convDesc, 2, pad, stride, dilation, mode,
             computeType);
}

cudnnStatus_t cudnnGetConvolution2dDescriptor(const cudnnConvolutionDescriptor_t convDesc,
                                              int* pad_h, int* pad_w, int* u, int* v,
                                              int* dilation_h, int* dilation_w,
                                              cudnnConvolutionMode_t* mode,
                                              cudnnDataType_t* computeType) {
  Refusal refusal("cudnnGetConvolution2dDescriptor");
  if (refusal.null({{"convDesc", convDesc},
                    {"pad_h", pad_h},
                    {"pad_w", pad_w},
                    {"u", u},
                    {"v", v},
                    {"dilation_h", dilation_h},
                    {"dilation_w", dilation_w},
                    {"mode", mode},
                    {"computeType", computeType}})) {
    return refusal.status();
  }
  *pad_h = convDesc->pad[0];
  *pad_w = convDesc->pad[1];
  *u = convDesc->stride[0];
  *v = convDesc->stride[1];
  *dilation_h = convDesc->dilation[0];
  *dilation_w = convDesc->dilation[1];
  *mode = convDesc->mode;
  *computeType = convDesc->compute_type;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionNdDescriptor(const cudnnConvolutionDescriptor_t convDesc,
                                              int arrayLengthRequested, int* arrayLength,
                                              int padA[], int strideA[], int dilationA[],
                                              cudnnConvolutionMode_t* mode,
                                              cudnnDataType_t* computeType) {
  Refusal refusal("cudnnGetConvolutionNdDescriptor");
  if (refusal.null({{"convDesc", convDesc},
                    {"arrayLength", arrayLength},
                    {"padA", padA},
                    {"strideA", strideA},
                    {"dilationA", dilationA},
                    {"mode", mode},
                    {"computeType", computeType}}) ||
      (arrayLengthRequested < 0 &&
       refusal.wrong_number("arrayLengthRequested", arrayLengthRequested,
                            "it must not be negative")) ||
      (arrayLengthRequested > kMostSpatial &&
       refusal.not_supported(said("arrayLengthRequested is ", arrayLengthRequested, "; at most ",
                                  kMostSpatial, " are supported")))) {
    return refusal.status();
  }
  const int given = std::min(arrayLengthRequested, convDesc->dims);
  *arrayLength = convDesc->dims;
  std::copy_n(convDesc->pad, given, padA);
  std::copy_n(convDesc->stride, given, strideA);
  std::copy_n(convDesc->dilation, given, dilationA);
  *mode = convDesc->mode;
  *computeType = convDesc->compute_type;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionNdForwardOutputDim(const cudnnConvolutionDescriptor_t convDesc,
                                                    const cudnnTensorDescriptor_t inputTensorDesc,
                                                    const cudnnFilterDescriptor_t filterDesc,
                                                    int nbDims, int tensorOuputDimA[]) {
  return output_dims("cudnnGetConvolutionNdForwardOutputDim", convDesc, inputTensorDesc, filterDesc,
                     nbDims, tensorOuputDimA);
}

cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(const cudnnConvolutionDescriptor_t convDesc,
                                                    const cudnnTensorDescriptor_t inputTensorDesc,
                                                    const cudnnFilterDescriptor_t filterDesc,
                                                    int* n, int* c, int* h, int* w) {
  constexpr const char* kCall = "cudnnGetConvolution2dForwardOutputDim";
  Refusal refusal(kCall);
  if (refusal.null({{"n", n}, {"c", c}, {"h", h}, {"w", w}})) return refusal.status();
  int size[4];
  const cudnnStatus_t status = output_dims(kCall, convDesc, inputTensorDesc, filterDesc, 4, size);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  *n = size[0];
  *c = size[1];
  *h = size[2];
  *w = size[3];
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
