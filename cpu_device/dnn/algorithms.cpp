// SPDX-License-Identifier: MIT
#include "cpu_device/dnn/algorithms.h"

#include <algorithm>

namespace convkit::simt::dnn {
namespace {

enum class Kind {
  none,
  implicit,
  precomputed,
  unrolled,
  fft,
  fft_tiling,
  winograd,
  winograd_apart
};

struct Algorithm {
  Kind kind = Kind::none;
  bool deterministic = true;
};

// By their numbers.
const std::vector<Algorithm>& kinds(Pass pass) {
  static const std::vector<Algorithm> forward = {
      {Kind::implicit}, {Kind::precomputed}, {Kind::unrolled}, {Kind::none},
      {Kind::fft},      {Kind::fft_tiling},  {Kind::winograd}, {Kind::winograd_apart}};
  static const std::vector<Algorithm> data = {
      {Kind::implicit, false}, {Kind::precomputed}, {Kind::fft},
      {Kind::fft_tiling},      {Kind::winograd},    {Kind::winograd_apart}};
  static const std::vector<Algorithm> filter = {
      {Kind::implicit, false},    {Kind::precomputed}, {Kind::fft},
      {Kind::precomputed, false}, {Kind::none},        {Kind::winograd_apart},
      {Kind::fft_tiling}};
  return pass == Pass::forward ? forward : pass == Pass::data ? data : filter;
}

bool all_are(const int (&values)[kSpace], int value) {
  return std::all_of(values, values + kSpace, [=](int each) { return each == value; });
}

bool is_channels_last(const cudnnTensorStruct& tensor) {
  return tensor.size[1] > 1 && tensor.stride[1] == 1;
}

bool is_window(const Convolution& conv, int size) {
  return conv.space_dims == 2 && conv.window[1] == size && conv.window[2] == size;
}

// Why the algorithm does not take the convolution, or "". Goes on after "algo is ...".
std::string why_not(Kind kind, const Convolution& conv) {
  if (kind == Kind::none) return "it computes no convolution";
  if (kind == Kind::implicit || kind == Kind::precomputed) return "";
  const bool channels_last = is_channels_last(conv.x_tensor) || is_channels_last(conv.y_tensor) ||
                             is_channels_last(conv.w_tensor);
  if (channels_last) return "it does not take tensors whose channels lie together (NHWC)";
  if (!all_are(conv.dilation, 1)) return "it takes no dilation but 1";
  const bool is_picture = conv.space_dims == 2;
  if (kind == Kind::unrolled) return is_picture ? "" : "it takes two dimensions of space only";
  if (!all_are(conv.stride, 1)) return "it takes no stride but 1";
  const std::string window = said("the filter is ", conv.window[1], " x ", conv.window[2]);
  if (kind == Kind::winograd) {
    return is_window(conv, 3) ? "" : "it takes filters of 3 x 3 only, and " + window;
  }
  if (kind == Kind::winograd_apart) {
    const bool takes = is_window(conv, 3) || is_window(conv, 5);
    return takes ? "" : "it takes filters of 3 x 3 and 5 x 5 only, and " + window;
  }
  constexpr int kMostOfFft = 256, kMostOfTiling = 32;
  for (int axis = kSpace - conv.space_dims; axis < kSpace; ++axis) {
    const int size = conv.window[axis], pad = conv.pad[axis], in = conv.in[axis] + 2 * pad;
    if (size <= pad) {
      return said("it takes paddings below the filter's size only; they are ", pad, " and ", size);
    }
    if (kind == Kind::fft && in > kMostOfFft) {
      return said("it takes padded inputs of at most ", kMostOfFft, ", and this one has ", in);
    }
    if (kind == Kind::fft_tiling && size > kMostOfTiling) {
      return said("it takes filters of at most ", kMostOfTiling, ", and " + window);
    }
  }
  return is_picture ? "" : "it takes two dimensions of space only";
}

// The transformed data, with `points` for each plane.
size_t transformed(const Convolution& conv, int64_t points, int64_t planes_of_image) {
  const int64_t inputs = int64_t{conv.images} * conv.groups * conv.channels * planes_of_image;
  const int64_t outputs = int64_t{conv.images} * conv.groups * conv.filters * planes_of_image;
  const int64_t filters = int64_t{conv.groups} * conv.filters * conv.channels;
  return static_cast<size_t>((inputs + outputs + filters) * points);
}

size_t workspace_of(Kind kind, const Convolution& conv) {
  const auto up = [](int64_t a, int64_t b) { return (a + b - 1) / b; };
  switch (kind) {
    case Kind::precomputed:  // where each element of a column lies
      return static_cast<size_t>(conv.channels * conv.window_volume()) * sizeof(int);
    case Kind::unrolled:  // the unrolled matrix of an image
      return static_cast<size_t>(conv.channels * conv.window_volume() * conv.out_volume()) *
             sizeof(float);
    case Kind::fft: {
      const int64_t rows = conv.in[1] + 2 * conv.pad[1], columns = conv.in[2] + 2 * conv.pad[2];
      return transformed(conv, rows * (columns / 2 + 1), 1) * 2 * sizeof(float);
    }
    case Kind::fft_tiling: {
      constexpr int64_t kTile = 32;
      const int64_t tiles = up(conv.out[1], kTile) * up(conv.out[2], kTile);
      return transformed(conv, kTile * (kTile / 2 + 1), tiles) * 2 * sizeof(float);
    }
    case Kind::winograd_apart: {
      constexpr int64_t kResults = 4;  // of a tile, along each axis
      const int64_t tile = kResults + conv.window[1] - 1;
      const int64_t tiles = up(conv.out[1], kResults) * up(conv.out[2], kResults);
      return transformed(conv, tile * tile, tiles) * sizeof(float);
    }
    default:
      return 0;
  }
}

// Their names end in these, by their numbers.
const std::vector<const char*>& names(Pass pass) {
  static const std::vector<const char*> forward = {
      "FWD_ALGO_IMPLICIT_GEMM", "FWD_ALGO_IMPLICIT_PRECOMP_GEMM",
      "FWD_ALGO_GEMM",          "FWD_ALGO_DIRECT",
      "FWD_ALGO_FFT",           "FWD_ALGO_FFT_TILING",
      "FWD_ALGO_WINOGRAD",      "FWD_ALGO_WINOGRAD_NONFUSED"};
  static const std::vector<const char*> data = {
      "BWD_DATA_ALGO_0",          "BWD_DATA_ALGO_1",        "BWD_DATA_ALGO_FFT",
      "BWD_DATA_ALGO_FFT_TILING", "BWD_DATA_ALGO_WINOGRAD", "BWD_DATA_ALGO_WINOGRAD_NONFUSED"};
  static const std::vector<const char*> filter = {
      "BWD_FILTER_ALGO_0",         "BWD_FILTER_ALGO_1",        "BWD_FILTER_ALGO_FFT",
      "BWD_FILTER_ALGO_3",         "BWD_FILTER_ALGO_WINOGRAD", "BWD_FILTER_ALGO_WINOGRAD_NONFUSED",
      "BWD_FILTER_ALGO_FFT_TILING"};
  return pass == Pass::forward ? forward : pass == Pass::data ? data : filter;
}

}  // namespace

std::string algorithm_text(Pass pass, int algorithm) {
  const std::vector<const char*>& all = names(pass);
  const bool exists = algorithm >= 0 && static_cast<size_t>(algorithm) < all.size();
  const std::string name = exists ? all[static_cast<size_t>(algorithm)] : "";
  return std::to_string(algorithm) + (exists ? " (CUDNN_CONVOLUTION_" + name + ")" : "");
}

Judgement judge(Pass pass, int algorithm, const Convolution& convolution) {
  Judgement result;
  const std::vector<Algorithm>& all = kinds(pass);
  if (algorithm < 0 || static_cast<size_t>(algorithm) >= all.size()) {
    result.status = CUDNN_STATUS_BAD_PARAM;
    result.why = said("the pass has the algorithms 0 to ", all.size() - 1);
    return result;
  }
  const Algorithm& asked = all[static_cast<size_t>(algorithm)];
  result.deterministic = asked.deterministic;
  result.why = why_not(asked.kind, convolution);
  if (result.why.empty()) {
    result.status = CUDNN_STATUS_SUCCESS;
    result.workspace = workspace_of(asked.kind, convolution);
  }
  return result;
}

const std::vector<int>& algorithms(Pass pass) {
  static const std::vector<int> forward = {1, 6, 0, 7, 2, 5, 4, 3}, data = {1, 4, 5, 0, 3, 2},
                                filter = {1, 5, 0, 3, 6, 2, 4};
  return pass == Pass::forward ? forward : pass == Pass::data ? data : filter;
}

}  // namespace convkit::simt::dnn
