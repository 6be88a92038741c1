// SPDX-License-Identifier: MIT
// What the functions of the stage compute.
#include "compare/formula/mistakes.h"

namespace convkit::stage_04 {
namespace {

#define CONVKIT_OUTPUT_SIZES                                     \
  "; oh = (h + 2*pad_h - dilation_h*(kh - 1) - 1)//stride_h + 1" \
  "; ow = (w + 2*pad_w - dilation_w*(kw - 1) - 1)//stride_w + 1"

const OperationFormula kFormulas[] = {
    {"unroll_elements unroll_columns",
     "u[image<n, r<c*kh*kw, s<oh*ow] = x[image:n, r//(kh*kw):c, "
     "s//ow*stride_h - pad_h + r//kw%kh*dilation_h ? h, "
     "s%ow*stride_w - pad_w + r%kw*dilation_w ? w]" CONVKIT_OUTPUT_SIZES,
     "Row r of u is channel r / (kh * kw) and kernel element (r / kw % kh, r % kw); column s is "
     "output (s / ow, s % ow); where they meet in the padding, u is 0."},
    {"roll_scatter roll_gather",
     "x[image<n, k<c, r<h, s<w] = sum(p<kh, q<kw) u[image:n, k:c, p:kh, q:kw, "
     "exact(r + pad_h - p*dilation_h, stride_h) ? oh, "
     "exact(s + pad_w - q*dilation_w, stride_w) ? ow]" CONVKIT_OUTPUT_SIZES,
     "x[r][s] collects from u what unrolling copied from there: for tap p the output row is (r + "
     "pad_h - p * dilation_h) / stride_h, if the division leaves no rest and 0 <= row < oh."},
    {"roll_scatter roll_gather",
     "x[image<n, k<c, r<h, s<w] = sum(i<oh, j<ow) u[image:n, k:c, "
     "exact(r + pad_h - i*stride_h, dilation_h) ? kh, "
     "exact(s + pad_w - j*stride_w, dilation_w) ? kw, i:oh, j:ow]" CONVKIT_OUTPUT_SIZES,
     "Whoever goes through the outputs i finds tap (r + pad_h - i * stride_h) / dilation_h, if the "
     "division leaves no rest and 0 <= tap < kh; columns alike.",
     true},
    {"gemm_tiled gemm_blocked gemm_fast",
     "c[i<rows, j<cols] = sum(k<inner) a[i:rows, k:inner] * b[k:inner, j:cols]",
     "c = a b: c[i][j] is the sum over k of a[i][k] * b[k][j]."},
    {"gemm_fast_scaled",
     "c[i<rows, j<cols] = alpha * sum(k<inner) a[i:rows, k:inner] * b[k:inner, j:cols] + "
     "if(beta == 0, 0, beta * c0[i:rows, j:cols])",
     "c = alpha * a b + beta * c; with beta 0 the old c is not read."},
};
const RegisterFormulas kFormulasRegistered(kFormulas);

}  // namespace
}  // namespace convkit::stage_04
