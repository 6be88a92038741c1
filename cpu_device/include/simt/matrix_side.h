// SPDX-License-Identifier: MIT
// The functions of the engine behind mma.h. Each is the `deliver` of a warp collective
// (device_side.h) of which all 32 lanes take part.
#pragma once

#include "simt/device_side.h"

#pragma GCC visibility push(default)
extern "C" {

// What a lane gives to a load or store, in its ConvkitWarpOp::in. `detail` is the multiple that the
// address must be, in bytes, and `size` the size of an element.
struct ConvkitMatrixInMemory {
  const void* address;
  unsigned stride;  // elements from one row (column) to the next
  int by_columns;
};

enum ConvkitMatrixType {
  CONVKIT_MATRIX_HALF,
  CONVKIT_MATRIX_BFLOAT16,
  CONVKIT_MATRIX_TF32,
  CONVKIT_MATRIX_SIGNED_CHAR,
  CONVKIT_MATRIX_UNSIGNED_CHAR,
  CONVKIT_MATRIX_INT,
  CONVKIT_MATRIX_FLOAT,
  CONVKIT_MATRIX_DOUBLE
};

// What a lane gives to a product d = a * b + c, by a pointer in its `in`: its elements of each
// matrix, which lie as matrix_layout.h says. d and c may be the same.
struct ConvkitMatrixProduct {
  void* d;
  const void *a, *b, *c;
  int m, n, k;
  ConvkitMatrixType factors, c_type, d_type;
  int saturate;  // of integers: an element beyond the range becomes its end
};

// Checks that the lanes ask for the same matrix; they load or store it after that, each its part.
void convkit_simt_agree_on_matrix(ConvkitWarpOp* const* lanes, unsigned group);
void convkit_simt_multiply_matrices(ConvkitWarpOp* const* lanes, unsigned group);
}
#pragma GCC visibility pop
