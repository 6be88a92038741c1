// SPDX-License-Identifier: MIT
// Known mistakes in the arguments of the library: sizes, order, layouts; and in softmax.
#include <utility>

#include "port_evidence.h"

namespace convkit::stage_06 {
namespace {

struct Pair {
  int64_t h, w;
};

Pair pair(const Evidence& evidence, const std::string& name) {
  return {integer(evidence, (name + "_h").c_str()), integer(evidence, (name + "_w").c_str())};
}

// The values given to the convolution's descriptor.
struct Window {
  explicit Window(const Evidence& evidence)
      : image{integer(evidence, "h"), integer(evidence, "w")},
        kernel{integer(evidence, "kh"), integer(evidence, "kw")},
        pad(pair(evidence, "pad")),
        stride(pair(evidence, "stride")),
        dilation(pair(evidence, "dilation")) {}

  // The size of one axis; -1 if there is no output.
  static int64_t size(int64_t in, int64_t k, int64_t p, int64_t s, int64_t d) {
    const int64_t room = in + 2 * p - d * (k - 1) - 1;
    return s <= 0 || room < 0 ? -1 : room / s + 1;
  }
  Pair output() const {
    return {size(image.h, kernel.h, pad.h, stride.h, dilation.h),
            size(image.w, kernel.w, pad.w, stride.w, dilation.w)};
  }

  Pair image, kernel, pad, stride, dilation;
};

template <class Change>
Prediction dims_with(const Evidence& evidence, Change change) {
  Window window(evidence);
  change(window);
  const Pair out = window.output();
  if (out.h < 1 || out.w < 1) return std::nullopt;
  return std::vector<double>{real(evidence, "n"), real(evidence, "m"), double(out.h),
                             double(out.w)};
}

#define CONVKIT_DIMS(change) \
  [](const Evidence& evidence) { return dims_with(evidence, [](Window& window) { change; }); }

// How far apart neighbours lie along each dimension.
Prediction strides_of(const Evidence& evidence) {
  const Pair out = Window(evidence).output();
  if (out.h < 1 || out.w < 1) return std::nullopt;
  const double plane = double(out.h * out.w);
  return std::vector<double>{real(evidence, "m") * plane, plane, double(out.w), 1};
}

// db of as many planes of dy as there are images, taken one behind the other for each map. With
// one image, or one map, that is right.
Prediction planes_in_a_row(const Evidence& evidence) {
  const int64_t n = integer(evidence, "n"), m = integer(evidence, "m");
  const auto dy = input(evidence, "dy"), before = input(evidence, "db0");
  if (n < 2 || m < 2 || dy.empty() || int64_t(dy.size()) % (n * m) != 0 ||
      evidence.comparison.elements != m) {
    return std::nullopt;
  }
  const int64_t of_map = int64_t(dy.size()) / m;
  const auto factor = [&](const char* name, double otherwise) {
    return evidence.params.contains(name) ? real(evidence, name) : otherwise;
  };
  const double alpha = factor("alpha", 1), beta = factor("beta", 0);
  if (beta != 0 && int64_t(before.size()) != m) return std::nullopt;
  std::vector<double> db(size_t(m), 0);
  for (int64_t at = 0; at < int64_t(dy.size()); ++at) {
    db[size_t(at / of_map)] += alpha * double(dy[size_t(at)]);
  }
  for (int64_t k = 0; beta != 0 && k < m; ++k) db[size_t(k)] += beta * double(before[size_t(k)]);
  return db;
}

// x and y are both described as [n][h][w][c]; w is not.
Prediction channels_last(const Evidence& evidence) {
  const int64_t n = integer(evidence, "n"), c = integer(evidence, "c"), m = integer(evidence, "m");
  const Window s(evidence);
  const Pair out = s.output();
  const auto x = input(evidence, "x"), w = input(evidence, "w"), b = input(evidence, "b");
  const int64_t elements = n * m * out.h * out.w;
  const bool complete = integer(evidence, "groups") == 1 && elements > 0 &&
                        evidence.comparison.elements == elements &&
                        int64_t(x.size()) == n * c * s.image.h * s.image.w &&
                        int64_t(w.size()) == m * c * s.kernel.h * s.kernel.w &&
                        int64_t(b.size()) == m;
  if (!complete || double(elements) * double(c * s.kernel.h * s.kernel.w) > kMostWork) {
    return std::nullopt;
  }
  std::vector<double> y(size_t(elements), 0);
  for (int64_t at = 0; at < elements; ++at) {  // the order of memory: n, i, j, map
    const int64_t map = at % m, j = at / m % out.w, i = at / m / out.w % out.h;
    const int64_t image = at / m / out.w / out.h;
    double sum = b[size_t(map)];
    for (int64_t p = 0; p < s.kernel.h; ++p) {
      const int64_t row = i * s.stride.h - s.pad.h + p * s.dilation.h;
      if (row < 0 || row >= s.image.h) continue;
      for (int64_t q = 0; q < s.kernel.w; ++q) {
        const int64_t column = j * s.stride.w - s.pad.w + q * s.dilation.w;
        if (column < 0 || column >= s.image.w) continue;
        for (int64_t channel = 0; channel < c; ++channel) {
          const int64_t in_x = ((image * s.image.h + row) * s.image.w + column) * c + channel;
          const int64_t in_w = ((map * c + channel) * s.kernel.h + p) * s.kernel.w + q;
          sum += double(x[size_t(in_x)]) * double(w[size_t(in_w)]);
        }
      }
    }
    y[size_t(at)] = sum;
  }
  return y;
}

// The gradient of the exponentials alone, of logarithms.
template <class Each>
Prediction softmax_each(const Evidence& evidence, Each each) {
  const int64_t n = integer(evidence, "n"), k = integer(evidence, "k");
  const auto y = input(evidence, "y"), dy = input(evidence, "dy");
  if (int64_t(y.size()) != n * k || y.size() != dy.size()) return std::nullopt;
  std::vector<double> dx(y.size());
  for (int64_t row = 0; row < n; ++row) {
    double total = 0, products = 0;
    for (int64_t i = row * k; i < (row + 1) * k; ++i) {
      total += dy[size_t(i)];
      products += double(dy[size_t(i)]) * double(y[size_t(i)]);
    }
    for (int64_t i = row * k; i < (row + 1) * k; ++i) {
      dx[size_t(i)] = each(double(y[size_t(i)]), double(dy[size_t(i)]), total, products);
    }
  }
  return dx;
}

constexpr const char* kDims = "conv2d_dims";
constexpr const char* kSwapHint =
    "Arrays of the Nd functions begin with the rows: {pad_h, pad_w}, {stride_h, stride_w}, ...";

const MistakeModel kDescriptorMistakes[] = {
    {"pad_and_stride_swapped", kDims,
     "Padding and stride are exchanged: the padding was given as the stride.",
     "cudnnSetConvolutionNdDescriptor takes padding, stride and dilation, in this order.",
     CONVKIT_DIMS(std::swap(window.pad, window.stride)), 1, 1},
    {"stride_and_dilation_swapped", kDims, "Stride and dilation are exchanged.",
     "cudnnSetConvolutionNdDescriptor takes padding, stride and dilation, in this order.",
     CONVKIT_DIMS(std::swap(window.stride, window.dilation)), 1, 1},
    {"swapped_hw", kDims,
     "h and w are swapped: padding, stride and dilation of the rows were given for the columns.",
     kSwapHint,
     CONVKIT_DIMS(std::swap(window.pad.h, window.pad.w);
                  std::swap(window.stride.h, window.stride.w);
                  std::swap(window.dilation.h, window.dilation.w)),
     1, 1},
    {"swapped_hw", kDims, "h and w are swapped: the padding of the rows was given for the columns.",
     kSwapHint, CONVKIT_DIMS(std::swap(window.pad.h, window.pad.w)), 1, 1},
    {"swapped_hw", kDims, "h and w are swapped: the stride of the rows was given for the columns.",
     kSwapHint, CONVKIT_DIMS(std::swap(window.stride.h, window.stride.w)), 1, 1},
    {"swapped_hw", kDims, "h and w are swapped: the filter was described as kw x kh.", kSwapHint,
     CONVKIT_DIMS(std::swap(window.kernel.h, window.kernel.w)), 1, 1},
    {"pad_ignored", kDims, "The padding was not given: the sizes are those without it.", kSwapHint,
     CONVKIT_DIMS(window.pad = {}), 1, 1},
    {"dilation_ignored", kDims, "The dilation was not given: the sizes are those without it.",
     kSwapHint, CONVKIT_DIMS(window.dilation = (Pair{1, 1})), 1, 1},

    {"dims_are_strides", kDims,
     "These are the strides of y, {m * oh * ow, oh * ow, ow, 1}, not its sizes {n, m, oh, ow}.",
     "cudnnGetTensorNdDescriptor writes the sizes to the array before the one for the strides; "
     "cudnnGetConvolutionNdForwardOutputDim gives the sizes alone.",
     strides_of, 1, 2},
    {"maps_before_images", "conv2d_bgrad_cudnn",
     "dy is taken as [m][n][oh][ow]: db[k] is the sum of n planes that lie one behind the other, "
     "but the planes of a map are m planes apart, one in each image.",
     "Describe dy as it is stored, n x m x oh x ow. Dimensions may be merged only where they lie "
     "next to each other in memory: oh and ow may, n and oh may not, because m lies between them.",
     planes_in_a_row, 1, 2},

    {"nhwc_as_nchw", "conv2d_cudnn",
     "x and y are described as [n][h][w][c]; they are stored as [n][c][h][w].",
     "The strides of an NCHW tensor are {c * h * w, h * w, w, 1}; with CUDNN_TENSOR_NHWC, or 1 for "
     "the channel, the library takes neighbouring floats for channels.",
     channels_last},

    {"sum_missing", "softmax_backward", "The sum over the row is missing: the output is y * dy.",
     "Every y depends on every x of its row: dx = y (dy - sum of y dy).",
     [](const Evidence& evidence) {
       return softmax_each(evidence, [](double y, double dy, double, double) { return y * dy; });
     }},
    {"softmax_of_one_class", "softmax_backward",
     "Each element is a softmax of its own: the gradient is y (dy - y dy).",
     "The classes are the channels of the descriptor, "
     "n x k x 1 x 1, with CUDNN_SOFTMAX_MODE_CHANNEL.",
     [](const Evidence& evidence) {
       return softmax_each(evidence,
                           [](double y, double dy, double, double) { return y * (dy - y * dy); });
     }},
    {"softmax_of_one_class", "softmax_forward",
     "Every output is 1: each element is a row of its own.",
     "The classes are the channels of the descriptor, "
     "n x k x 1 x 1, with CUDNN_SOFTMAX_MODE_CHANNEL.",
     [](const Evidence& evidence) {
       return Prediction(std::vector<double>(evidence.reference.f64.size(), 1.0));
     }},
};

const RegisterMistakes kDescriptorMistakesRegistered(kDescriptorMistakes);

}  // namespace
}  // namespace convkit::stage_06
