// SPDX-License-Identifier: MIT
// What the functions compute, in this stage and in those that port them to a GPU.
#include "compare/formula/mistakes.h"

namespace convkit::stage_01 {
namespace {

constexpr const char* kRowHint =
    "Output (i, j) reads row i * stride_h - pad_h + p * dilation_h and column j * stride_w - pad_w "
    "+ q * dilation_w of x for kernel element (p, q); only 0 <= row < h and 0 <= column < w.";
constexpr const char* kSameConvHint =
    "Of an odd number of zeros the extra one comes after the image: before = total // 2, after = "
    "total - before. Output (i, j) reads row i * stride_h - before_h + p * dilation_h for kernel "
    "row p, if it lies in x; columns alike.";
constexpr const char* kWindowHint =
    "The window of output (i, j) begins at row i * stride_h - pad_h and column j * stride_w - "
    "pad_w; its elements outside of x do not count.";
constexpr const char* kDenseHint = "y[image][o] = b[o] + sum over k of x[image][k] * w[o][k].";
constexpr const char* kSoftmaxHint =
    "Each row by itself: subtract its largest element, take exp, divide by the sum of the row.";

#define CONVKIT_WINDOW \
  "i*stride_h - pad_h + p*dilation_h ? h, j*stride_w - pad_w + q*dilation_w ? w] * w[map:m, "

const OperationFormula kFormulas[] = {
    {"conv2d_forward conv2d_fast conv2d_direct conv2d_constant conv2d_unrolled conv2d_tiled* "
     "conv2d_blocked conv2d_gemm conv2d_cublas conv2d_implicit conv2d_cudnn",
     "y[image<n, map<m, i<oh, j<ow] = b[map:m] + sum(k<c, p<kh, q<kw) x[image:n, k:c, "  //
     CONVKIT_WINDOW "k:c, p:kh, q:kw]",
     kRowHint},
    {"conv2d_forward conv2d_fast conv2d_cudnn",
     "y[image<n, map<m, i<oh, j<ow] = b[map:m] + sum(k<c//groups, p<kh, q<kw) "
     "x[image:n, map//(m//groups)*(c//groups) + k:c, "  //
     CONVKIT_WINDOW "k:c//groups, p:kh, q:kw]",
     kRowHint},
    {"conv2d_same_forward",
     "y[image<n, map<m, i<size_h, j<size_w] = b[map:m] + sum(k<c, p<kh, q<kw) x[image:n, k:c, "
     "i*stride_h - before_h + p*dilation_h ? h, j*stride_w - before_w + q*dilation_w ? w] * "
     "w[map:m, k:c, p:kh, q:kw]"
     "; total_h = max(((h - 1) // stride_h)*stride_h + dilation_h*(kh - 1) + 1 - h, 0)"
     "; total_w = max(((w - 1) // stride_w)*stride_w + dilation_w*(kw - 1) + 1 - w, 0)"
     "; before_h = total_h // 2; before_w = total_w // 2"
     "; after_h = total_h - before_h; after_w = total_w - before_w"
     "; size_h = (before_h + h + after_h - dilation_h*(kh - 1) - 1) // stride_h + 1"
     "; size_w = (before_w + w + after_w - dilation_w*(kw - 1) - 1) // stride_w + 1",
     kSameConvHint},
    {"max_pool2d_forward",
     "y[image<n, k<c, i<oh, j<ow] = max(p<kh, q<kw) x[image:n, k:c, i*stride_h - pad_h + p ? h, "
     "j*stride_w - pad_w + q ? w]",
     kWindowHint},
    {"avg_pool2d_forward",
     "y[image<n, k<c, i<oh, j<ow] = (sum(p<kh, q<kw) x[image:n, k:c, i*stride_h - pad_h + p ? h, "
     "j*stride_w - pad_w + q ? w]) / if(count_padding, kh*kw, count(p<kh, q<kw) x[image:n, k:c, "
     "i*stride_h - pad_h + p ? h, j*stride_w - pad_w + q ? w])",
     kWindowHint},
    {"global_avg_pool_forward",
     "y[image<n, k<c] = (sum(i<h, j<w) x[image:n, k:c, i:h, j:w]) / (h * w)",
     "One mean for each channel of each image, over all its rows and columns."},
    {"relu_forward", "y[i<size] = if(x[i:size] > 0, x[i:size], 0)", "y = x where x > 0, else 0."},
    {"leaky_relu_forward", "y[i<size] = if(x[i:size] > 0, x[i:size], slope * x[i:size])",
     "y = x where x > 0, else slope * x."},
    {"sigmoid_forward", "y[i<size] = 1 / (1 + exp(-x[i:size]))", "y = 1 / (1 + exp(-x))."},
    {"tanh_forward",
     "y[i<size] = (exp(x[i:size]) - exp(-x[i:size])) / (exp(x[i:size]) + exp(-x[i:size]))",
     "tanh(x) = (exp(x) - exp(-x)) / (exp(x) + exp(-x)); std::tanh computes it without overflow."},
    {"dense_forward", "y[image<n, o<out] = b[o:out] + sum(k<in) x[image:n, k:in] * w[o:out, k:in]",
     kDenseHint},
    {"softmax_forward",
     "y[image<n, o<k] = exp(x[image:n, o:k] - top) / sum(j<k) exp(x[image:n, j:k] - top)"
     "; top = max(j<k) x[image:n, j:k]",
     kSoftmaxHint},
    {"nchw_to_nhwc", "y[image<n, i<h, j<w, k<c] = x[image:n, k:c, i:h, j:w]",
     "y[image][row][column][channel] = x[image][channel][row][column]."},
    {"nhwc_to_nchw", "y[image<n, k<c, i<h, j<w] = x[image:n, i:h, j:w, k:c]",
     "y[image][channel][row][column] = x[image][row][column][channel]."},
};
const RegisterFormulas kFormulasRegistered(kFormulas);

}  // namespace
}  // namespace convkit::stage_01
