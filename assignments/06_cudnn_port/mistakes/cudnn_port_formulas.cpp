// SPDX-License-Identifier: MIT
// What stage 06 computes that the stages before do not.
#include "compare/formula/mistakes.h"

namespace convkit::stage_06 {
namespace {

const OperationFormula kFormulas[] = {
    {"conv2d_blend",
     "y[image<n, map<m, i<oh, j<ow] = alpha * sum(k<c, p<kh, q<kw) x[image:n, k:c, "
     "i*stride_h - pad_h + p*dilation_h ? h, j*stride_w - pad_w + q*dilation_w ? w] * w[map:m, "
     "k:c, p:kh, q:kw] + if(beta == 0, 0, beta * y0[image:n, map:m, i:oh, j:ow])",
     "y = alpha * convolution + beta * what y held; with beta 0 the old y is not read."},
};
const RegisterFormulas kFormulasRegistered(kFormulas);

}  // namespace
}  // namespace convkit::stage_06
