// SPDX-License-Identifier: MIT
// Known mistakes of a convolution that is a matrix product. The mistakes of any convolution are
// those of stage 01, whose models also apply to these operations.
#include <algorithm>

#include "unroll_model.h"

namespace convkit::stage_04 {
namespace {

// The library reads all three matrices as column-major, and the call does not allow for it.
Prediction column_major(const Evidence& evidence) {
  const UnrollModel model(evidence);
  const auto w = input(evidence, "w"), x = input(evidence, "x"), b = input(evidence, "b");
  const int64_t m = parameter(evidence, "m"), rows = model.c * model.kernel.h * model.kernel.w;
  const int64_t columns = model.output.h * model.output.w;
  if (int64_t(w.size()) != m * rows || int64_t(b.size()) != m || rows * columns <= 0 ||
      int64_t(evidence.reference.f64.size()) != model.n * m * columns ||
      double(model.n) * double(m) * double(columns) * double(rows) > kMostWork) {
    return std::nullopt;
  }
  Evidence of_u;
  of_u.inputs = evidence.inputs;
  const std::vector<double> sized(size_t(model.n * rows * columns));
  of_u.reference.f64 = sized;
  const auto u = model.unroll(of_u);
  if (!u) return std::nullopt;
  std::vector<double> y(evidence.reference.f64.size());
  for (int64_t image = 0; image < model.n; ++image) {
    const double* of_image = u->data() + image * rows * columns;
    double* out = y.data() + image * m * columns;
    for (int64_t at = 0; at < m * columns; ++at) {
      double sum = b[size_t(at / columns)];  // the bias was put there row by row
      const int64_t map = at % m, column = at / m;
      for (int64_t p = 0; p < rows; ++p) {
        sum += double(w[size_t(p * m + map)]) * of_image[column * rows + p];
      }
      out[at] = sum;
    }
  }
  return y;
}

// The product is not in y: the library refused it, or made it before u was there.
Prediction bias_alone(const Evidence& evidence) {
  const auto b = input(evidence, "b");
  const auto& reference = evidence.reference;
  if (reference.dims.size() != 4 || reference.dims[1] != int64_t(b.size())) return std::nullopt;
  const int64_t columns = reference.dims[2] * reference.dims[3];
  std::vector<double> y(reference.f64.size());
  for (size_t k = 0; k < y.size(); ++k) {
    y[k] = b[size_t(int64_t(k) / columns % reference.dims[1])];
  }
  return y;
}

// The images of a batch, as many at a time as fit into the workspace.
struct Batch {
  explicit Batch(const Evidence& evidence)
      : b(input(evidence, "b")), reference(evidence.reference.f64) {
    const std::vector<int64_t>& dims = evidence.reference.dims;
    part = parameter(evidence, "workspace_images");
    usable = dims.size() == 4 && part > 0 && dims[0] > part && dims[1] == int64_t(b.size());
    if (!usable) return;
    images = dims[0], maps = dims[1], plane = dims[2] * dims[3];
  }
  // The bias in all outputs of images `from` to `to`.
  void fill(std::vector<double>& y, int64_t from, int64_t to) const {
    for (int64_t k = from * maps * plane; k < to * maps * plane; ++k) {
      y[size_t(k)] = b[size_t(k / plane % maps)];
    }
  }

  std::span<const float> b;
  std::span<const double> reference;
  int64_t part = 0, images = 0, maps = 0, plane = 0;
  bool usable = false;
};

Prediction bias_over_all_again(const Evidence& evidence) {
  const Batch batch(evidence);
  if (!batch.usable) return std::nullopt;
  std::vector<double> y(batch.reference.begin(), batch.reference.end());
  batch.fill(y, 0, (batch.images - 1) / batch.part * batch.part);
  return y;
}

// What it is added to, behind the first part, was never set.
Prediction bias_at_beginning(const Evidence& evidence) {
  const Batch batch(evidence);
  if (!batch.usable) return std::nullopt;
  std::vector<double> y(batch.reference.begin(), batch.reference.end());
  for (int64_t first = batch.part; first < batch.images; first += batch.part) {
    batch.fill(y, 0, std::min(batch.part, batch.images - first));
  }
  for (size_t k = size_t(batch.part * batch.maps * batch.plane); k < y.size(); ++k) {
    y[k] = predicted_from_unwritten();
  }
  return y;
}

Prediction first_part_of_batch(const Evidence& evidence) {
  const Batch batch(evidence);
  if (!batch.usable) return std::nullopt;
  std::vector<double> y(batch.reference.begin(), batch.reference.end());
  batch.fill(y, batch.part, batch.images);
  return y;
}

// All calls that must be refused are refused except one; refused_calls.h has their order.
template <int kCall>
Prediction accepts(const Evidence& evidence) {
  if (evidence.reference.i32.size() <= kCall) return std::nullopt;
  std::vector<double> status(evidence.reference.i32.begin(), evidence.reference.i32.end());
  status[kCall] = kCall == 0 ? 1 : 0;
  return status;
}

constexpr const char* kRefusals = "*_refusals";
constexpr const char* kInParts = "conv2d_[gc]*";  // conv2d_gemm, conv2d_cublas
constexpr const char* kPartsHint =
    "Put the bias into all of y once, before the first part, or for each part where its own images "
    "lie: from image `first` on.";
constexpr const char* kArgumentsHint =
    "unroll_gemm.h lists what is looked at before anything is launched.";

const MistakeModel kConvolutionMistakes[] = {
    {"column_major_mixed_up", "conv2d_cublas",
     "The library read row-major matrices as column-major ones: "
     "filters, u and y are all taken the other way round.",
     "Ask for the transposed product: y^T = u^T w^T, with oh * ow rows and m columns, and rows of "
     "yours as columns of the library's.",
     column_major},
    {"product_lost", "conv2d_cublas",
     "y holds the bias and nothing else: the library's product is not in it.",
     "Look at the status that every call of the library returns, "
     "and let it work on your stream: cublasSetStream.",
     bias_alone},
    {"bias_in_parts", kInParts,
     "Only the last part of the images is there, and those before it hold the bias alone: for each "
     "part the whole of y is filled with the bias again.",
     kPartsHint, bias_over_all_again},
    {"bias_in_parts", kInParts,
     "For each part of the images the bias is put at the beginning of y: the results of the first "
     "part are lost, and those of later parts are added to memory that was never set.",
     kPartsHint, bias_at_beginning},
    {"bias_in_parts", kInParts,
     "Only the first part of the images is computed: the others hold the bias alone.",
     "Go on until all images are done, with x and y moved on by the images of each part.",
     first_part_of_batch},
    {"empty_batch_refused", kRefusals,
     "A call without images is refused: "
     "with n = 0 there is nothing to do, and the result is success.",
     kArgumentsHint, accepts<0>},
    {"null_accepted", kRefusals, "A null pointer for x is accepted.", kArgumentsHint, accepts<1>},
    {"null_accepted", kRefusals, "A null pointer for w is accepted.", kArgumentsHint, accepts<2>},
    {"null_accepted", kRefusals, "A null pointer for b is accepted.", kArgumentsHint, accepts<3>},
    {"null_accepted", kRefusals, "A null pointer for y is accepted.", kArgumentsHint, accepts<4>},
    {"alias_accepted", kRefusals, "x and y may not be the same memory.", kArgumentsHint,
     accepts<5>},
    {"kernel_too_large_accepted", kRefusals,
     "A kernel that reaches beyond the padded input is accepted.",
     "A division rounds towards zero: with h = 4, kh = 5 and stride 2, (4 - 5) / 2 + 1 is 1. "
     "Compare the reach of the kernel with the padded input instead.",
     accepts<6>},
    {"groups_accepted", kRefusals, "Two groups are accepted.", kArgumentsHint, accepts<7>},
    {"null_accepted", kRefusals, "A null pointer for the workspace is accepted.", kArgumentsHint,
     accepts<8>},
    {"workspace_too_small_accepted", kRefusals,
     "A workspace that is one byte too small for an image is accepted.", kArgumentsHint,
     accepts<9>},
};

const RegisterMistakes kConvolutionMistakesRegistered(kConvolutionMistakes);

}  // namespace
}  // namespace convkit::stage_04
