// SPDX-License-Identifier: MIT
// The gradients; in stage 06 with alpha and beta.
#include "compare/formula/mistakes.h"

namespace convkit::stage_05 {
namespace {

#define CONVKIT_OUTPUT_SIZES                                     \
  "; oh = (h + 2*pad_h - dilation_h*(kh - 1) - 1)//stride_h + 1" \
  "; ow = (w + 2*pad_w - dilation_w*(kw - 1) - 1)//stride_w + 1"
#define CONVKIT_XGRAD                                                                          \
  "sum(map<m, p<kh, q<kw) dy[image:n, map:m, exact(r + pad_h - p*dilation_h, stride_h) ? oh, " \
  "exact(s + pad_w - q*dilation_w, stride_w) ? ow] * w[map:m, k:c, p:kh, q:kw]"
#define CONVKIT_WGRAD                                                                             \
  "sum(image<n, i<oh, j<ow) x[image:n, k:c, i*stride_h - pad_h + p*dilation_h ? h, j*stride_w - " \
  "pad_w + q*dilation_w ? w] * dy[image:n, map:m, i:oh, j:ow]"
#define CONVKIT_BGRAD "sum(image<n, i<oh, j<ow) dy[image:n, map:m, i:oh, j:ow]"

constexpr const char* kXgradHint =
    "dx[r][s] sums, over maps and taps, dy at row (r + pad_h - p * dilation_h) / stride_h (if the "
    "division leaves no rest and 0 <= row < oh) times w[map][channel][p][q]; columns alike.";
constexpr const char* kWgradHint =
    "dw[p][q] sums, over images and outputs (i, j), x at row i * stride_h - pad_h + p * dilation_h "
    "(inside x only) times dy[i][j]; columns alike.";
constexpr const char* kBgradHint = "db[map] sums dy[image][map][i][j] over images, rows, columns.";

const OperationFormula kFormulas[] = {
    {"conv2d_xgrad_gather conv2d_xgrad_scatter conv2d_xgrad_gemm",
     "dx[image<n, k<c, r<h, s<w] = " CONVKIT_XGRAD
     " + if(accumulate, dx0[image:n, k:c, r:h, s:w], 0)" CONVKIT_OUTPUT_SIZES,
     kXgradHint},
    {"conv2d_xgrad_gather conv2d_xgrad_scatter conv2d_xgrad_gemm",
     "dx[image<n, k<c, r<h, s<w] = sum(map<m, i<oh, j<ow) dy[image:n, map:m, i:oh, j:ow] * "
     "w[map:m, k:c, exact(r + pad_h - i*stride_h, dilation_h) ? kh, "
     "exact(s + pad_w - j*stride_w, dilation_w) ? kw] + "
     "if(accumulate, dx0[image:n, k:c, r:h, s:w], 0)" CONVKIT_OUTPUT_SIZES,
     "Whoever goes through the outputs i finds tap (r + pad_h - i * stride_h) / dilation_h, if the "
     "division leaves no rest and 0 <= tap < kh; columns alike.",
     true},
    {"conv2d_wgrad*",
     "dw[map<m, k<c, p<kh, q<kw] = " CONVKIT_WGRAD
     " + if(accumulate, dw0[map:m, k:c, p:kh, q:kw], 0)" CONVKIT_OUTPUT_SIZES,
     kWgradHint},
    {"conv2d_bgrad",
     "db[map<m] = " CONVKIT_BGRAD " + if(accumulate, db0[map:m], 0)" CONVKIT_OUTPUT_SIZES,
     kBgradHint},
    {"conv2d_xgrad_cudnn",
     "dx[image<n, k<c, r<h, s<w] = alpha * " CONVKIT_XGRAD
     " + if(beta == 0, 0, beta * dx0[image:n, k:c, r:h, s:w])" CONVKIT_OUTPUT_SIZES,
     kXgradHint},
    {"conv2d_wgrad_cudnn",
     "dw[map<m, k<c, p<kh, q<kw] = alpha * " CONVKIT_WGRAD
     " + if(beta == 0, 0, beta * dw0[map:m, k:c, p:kh, q:kw])" CONVKIT_OUTPUT_SIZES,
     kWgradHint},
    {"conv2d_bgrad_cudnn",
     "db[map<m] = alpha * " CONVKIT_BGRAD
     " + if(beta == 0, 0, beta * db0[map:m])" CONVKIT_OUTPUT_SIZES,
     kBgradHint},
    {"avg_pool2d_backward",
     "dx[image<n, k<c, r<h, s<w] = sum(p<kh, q<kw) dy[image:n, k:c, "
     "exact(r + pad_h - p, stride_h) ? oh, exact(s + pad_w - q, stride_w) ? ow] / "
     "if(count_padding, kh*kw, (min(r - p + kh, h) - max(r - p, 0)) * (min(s - q + kw, w) - max(s "
     "- q, 0)))"
     "; oh = (h + 2*pad_h - kh)//stride_h + 1; ow = (w + 2*pad_w - kw)//stride_w + 1",
     "Every window gives each of its elements dy divided by the count that the forward pass took."},
    {"relu_backward", "dx[i<size] = if(y[i:size] > 0, dy[i:size], 0)", "dx = dy where y > 0."},
    {"leaky_relu_backward", "dx[i<size] = if(y[i:size] > 0, dy[i:size], slope * dy[i:size])",
     "dx = dy where y > 0, else slope * dy."},
    {"sigmoid_backward", "dx[i<size] = dy[i:size] * y[i:size] * (1 - y[i:size])",
     "dx = dy * y * (1 - y)."},
    {"tanh_backward", "dx[i<size] = dy[i:size] * (1 - y[i:size] * y[i:size])",
     "dx = dy * (1 - y * y)."},
    {"dense_xgrad", "dx[image<n, k<in] = sum(o<out) dy[image:n, o:out] * w[o:out, k:in]",
     "dx[image][k] = sum over o of dy[image][o] * w[o][k]."},
    {"dense_wgrad",
     "dw[o<out, k<in] = sum(image<n) dy[image:n, o:out] * x[image:n, k:in] + "
     "if(accumulate, dw0[o:out, k:in], 0)",
     "dw[o][k] = sum over the images of dy[image][o] * x[image][k]."},
    {"dense_bgrad", "db[o<out] = sum(image<n) dy[image:n, o:out] + if(accumulate, db0[o:out], 0)",
     "db[o] = sum over the images of dy[image][o]."},
    {"softmax_backward",
     "dx[image<n, o<k] = y[image:n, o:k] * (dy[image:n, o:k] - sum(j<k) dy[image:n, j:k] * "
     "y[image:n, j:k])",
     "dx = y * (dy - s), where s is the sum of dy * y over the row."},
};
const RegisterFormulas kFormulasRegistered(kFormulas);

}  // namespace
}  // namespace convkit::stage_05
