// SPDX-License-Identifier: MIT
#include "repair/words.h"

namespace convkit::repair {

const Words kIntegers = {"int",     "long",     "short",    "unsigned", "signed",   "char",
                         "bool",    "size_t",   "int8_t",   "int16_t",  "int32_t",  "int64_t",
                         "uint8_t", "uint16_t", "uint32_t", "uint64_t", "ptrdiff_t"};
const Words kFloats = {"float", "double"};
const Words kSpecifiers = {"const",  "constexpr", "static",       "extern",       "volatile",
                           "inline", "register",  "__shared__",   "__constant__", "__restrict__",
                           "struct", "enum",      "thread_local", "__device__",   "mutable"};
const Words kNoDeclarations = {"return", "delete", "throw",   "goto",          "new",
                               "sizeof", "using",  "typedef", "static_assert", "co_return"};
const Words kNoStatements = {"using", "typedef", "static_assert", "goto", "asm", "namespace"};
const Words kNotEvaluated = {"sizeof",     "alignof",       "alignas",           "decltype",
                             "noexcept",   "static_assert", "__attribute__",     "__align__",
                             "__declspec", "asm",           "__launch_bounds__", "typeid"};
const Words kNoNames = {"return", "delete", "throw", "new",     "sizeof",   "true",
                        "false",  "this",   "if",    "nullptr", "typename", "else"};
const Words kCasts = {"static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"};
const Words kAssignments = {"=", "+=", "-=", "*=", "/="};
const Words kPlaces = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

const std::map<std::string_view, std::vector<std::string_view>> kOperators = {
    {"<", {"<=", ">"}}, {"<=", {"<", ">="}}, {">", {">=", "<"}}, {">=", {">", "<="}},
    {"==", {"!="}},     {"!=", {"=="}},      {"+", {"-"}},       {"-", {"+"}},
    {"*", {"/"}},       {"/", {"*"}},        {"%", {"/"}}};

const Families kFunctions = {
    {"max", "min"},    {"fmax", "fmin"},    {"fmaxf", "fminf"},
    {"floor", "ceil"}, {"floorf", "ceilf"}, {"sqrtf", "rsqrtf"},
    {"expf", "logf"},  {"exp", "log"},      {"__syncwarp", "__syncthreads"}};

namespace {

const Families kEnumerators = {
    {"CUDNN_CROSS_CORRELATION", "CUDNN_CONVOLUTION"},
    {"CUDNN_TENSOR_NCHW", "CUDNN_TENSOR_NHWC"},
    {"CUDNN_POOLING_MAX", "CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING",
     "CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING"},
    {"CUDNN_ACTIVATION_RELU", "CUDNN_ACTIVATION_SIGMOID", "CUDNN_ACTIVATION_TANH",
     "CUDNN_ACTIVATION_IDENTITY"},
    {"CUDNN_SOFTMAX_MODE_INSTANCE", "CUDNN_SOFTMAX_MODE_CHANNEL"},
    {"CUDNN_SOFTMAX_LOG", "CUDNN_SOFTMAX_ACCURATE", "CUDNN_SOFTMAX_FAST"},
    {"CUDNN_BATCHNORM_SPATIAL", "CUDNN_BATCHNORM_PER_ACTIVATION"},
    {"CUDNN_DEFAULT_MATH", "CUDNN_FMA_MATH", "CUDNN_TENSOR_OP_MATH"},
    {"CUBLAS_OP_N", "CUBLAS_OP_T"},
    {"CUBLAS_POINTER_MODE_HOST", "CUBLAS_POINTER_MODE_DEVICE"},
    {"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"},
    {"FLT_MAX", "FLT_MIN"},
};

}  // namespace

const std::vector<std::string_view>* family_of(std::string_view enumerator) {
  static const auto all = [] {
    std::map<std::string_view, std::vector<std::string_view>> by_name;
    for (const auto& family : kEnumerators) {
      for (const std::string_view name : family) by_name[name] = family;
    }
    return by_name;
  }();
  const auto found = all.find(enumerator);
  return found == all.end() ? nullptr : &found->second;
}

}  // namespace convkit::repair
