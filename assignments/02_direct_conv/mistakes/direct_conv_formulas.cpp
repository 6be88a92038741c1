// SPDX-License-Identifier: MIT
// What the warm-ups compute; the product of two matrices also in stage 04.
#include "compare/formula/mistakes.h"

namespace convkit::stage_02 {
namespace {

const OperationFormula kFormulas[] = {
    {"vector_add", "c[i<size] = a[i:size] + b[i:size]", "c[i] = a[i] + b[i]."},
    {"matrix_product gemm_tiled gemm_blocked gemm_fast",
     "c[i<rows, j<cols] = sum(k<inner) a[i:rows, k:inner] * b[k:inner, j:cols]",
     "c[i][j] is the sum over k of a[i][k] * b[k][j]; row i of a begins at i * inner, row k of b "
     "at "
     "k * cols."},
};
const RegisterFormulas kFormulasRegistered(kFormulas);

}  // namespace
}  // namespace convkit::stage_02
