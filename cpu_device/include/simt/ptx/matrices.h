// SPDX-License-Identifier: MIT
// PTX of tensor cores: mma.sync, ldmatrix, stmatrix (PTX ISA, "Warp Level Matrix Instructions").
// How sums are rounded: engine/warp_matrices.cpp.
#pragma once

#include "simt/matrix_side.h"
#include "simt/ptx/memory.h"
#include "simt/ptx/registers.h"
#include "simt/warp_op.h"

namespace convkit::simt::ptx {

constexpr ConvkitMatrixType matrix_type(Type type) {
  switch (type) {
    case Type::f16:
      return CONVKIT_MATRIX_HALF;
    case Type::bf16:
      return CONVKIT_MATRIX_BFLOAT16;
    case Type::tf32:
      return CONVKIT_MATRIX_TF32;
    case Type::s8:
      return CONVKIT_MATRIX_SIGNED_CHAR;
    case Type::u8:
      return CONVKIT_MATRIX_UNSIGNED_CHAR;
    case Type::s32:
      return CONVKIT_MATRIX_INT;
    case Type::f64:
      return CONVKIT_MATRIX_DOUBLE;
    default:
      return CONVKIT_MATRIX_FLOAT;
  }
}

// A lane's registers of one matrix, in which its elements lie as the engine wants them.
template <class S, int operand>
struct MatrixRegisters {
  static constexpr int kCount = S::count(operand);
  using Register = std::conditional_t<S::kInstruction.types[operand] == Type::f64, Bits, unsigned>;
  Register element[kCount];

  template <int... i>
  __forceinline__ void read(const Bits* v, std::integer_sequence<int, i...>) {
    ((element[i] = S::template get<Register, operand, i>(v)), ...);
  }
  __forceinline__ void read(const Bits* v) { read(v, std::make_integer_sequence<int, kCount>()); }
  template <int... i>
  __forceinline__ void write(Bits* v, std::integer_sequence<int, i...>) const {
    (S::template set<operand, i>(v, element[i]), ...);
  }
};

template <class S>
static __forceinline__ void multiply_matrices(Bits* v) {
  constexpr const MatrixShape& shape = *matrix_shape(S::kInstruction);
  MatrixRegisters<S, 0> d;
  MatrixRegisters<S, 1> a;
  MatrixRegisters<S, 2> b;
  MatrixRegisters<S, 3> c;
  a.read(v);
  b.read(v);
  c.read(v);
  const ConvkitMatrixProduct product = {d.element,
                                        a.element,
                                        b.element,
                                        c.element,
                                        shape.m,
                                        shape.n,
                                        shape.k,
                                        matrix_type(S::kInstruction.types[1]),
                                        matrix_type(S::kInstruction.types[3]),
                                        matrix_type(S::kInstruction.types[0]),
                                        S::has("satfinite")};
  const ConvkitMatrixProduct* const given = &product;
  ConvkitWarpOp op;
  prepare(op, kMatrixProduct, convkit_simt_multiply_matrices, S::file(), S::line());
  put(op, &given, sizeof given);
  convkit_simt_warp_collective(0xffffffffu, &op);
  d.write(v, std::make_integer_sequence<int, S::count(0)>());
}

// A row of a matrix of 8 x 8 elements of 16 bits. It begins at a multiple of 16 bytes.
struct alignas(16) MatrixRow {
  unsigned short element[8];
};

// Where a lane finds its two elements of each matrix: in one row, or with .trans in one column of
// two rows.
struct LanesRows {
  MatrixRow* of[4][2];
};

struct RowGiven {
  MatrixRow* row;   // of lane 8 * t + r: row r of matrix t
  LanesRows* rows;  // to be filled in
};

template <int tiles, bool transposed>
static inline void share_rows(Lanes lanes, unsigned) {
  RowGiven given[32];
  for (int lane = 0; lane < 32; ++lane) std::memcpy(&given[lane], lanes[lane]->in, sizeof *given);
  for (int lane = 0; lane < 32; ++lane) {
    for (int tile = 0; tile < tiles; ++tile) {
      const int first = 8 * tile + (transposed ? lane % 4 * 2 : lane / 4);
      given[lane].rows->of[tile][0] = given[first].row;
      given[lane].rows->of[tile][1] = given[transposed ? first + 1 : first].row;
    }
  }
}

// All lanes come; then each knows its rows.
template <class S, int address>
static __forceinline__ void find_rows(const Bits* v, LanesRows& rows) {
  ConvkitWarpOp op;
  prepare(op, S::kOp == Op::ldmatrix ? kMatrixLoad : kMatrixStore,
          share_rows<tile_count(S::kInstruction), S::has("trans")>, S::file(), S::line());
  // Addresses of lanes beyond the matrices are not looked at, and may be anything.
  constexpr unsigned used = 8 * tile_count(S::kInstruction);
  MatrixRow* own = nullptr;
  if (convkit_simt_lane() < used) {
    own = static_cast<MatrixRow*>(pointer<S, address, is_in_shared<S>()>(v));
  }
  const RowGiven given = {own, &rows};
  put(op, &given, sizeof given);
  convkit_simt_warp_collective(0xffffffffu, &op);
}

// The columns of a lane's two elements.
template <class S>
static __forceinline__ unsigned column(unsigned lane, int i) {
  return S::has("trans") ? lane / 4 : lane % 4 * 2 + static_cast<unsigned>(i);
}

template <class S, int... tile>
static __forceinline__ void load_matrices(Bits* v, std::integer_sequence<int, tile...>) {
  LanesRows rows;
  find_rows<S, 1>(v, rows);
  const unsigned lane = convkit_simt_lane();
  (S::template set<0, tile>(
       v, static_cast<unsigned>(rows.of[tile][0]->element[column<S>(lane, 0)]) |
              static_cast<unsigned>(rows.of[tile][1]->element[column<S>(lane, 1)]) << 16),
   ...);
}

template <class S, int tile>
static __forceinline__ void store_matrix(const Bits* v, const LanesRows& rows, unsigned lane) {
  const unsigned both = S::template get<unsigned, 1, tile>(v);
  rows.of[tile][0]->element[column<S>(lane, 0)] = static_cast<unsigned short>(both);
  rows.of[tile][1]->element[column<S>(lane, 1)] = static_cast<unsigned short>(both >> 16);
}

template <class S, int... tile>
static __forceinline__ void store_matrices(const Bits* v, std::integer_sequence<int, tile...>) {
  LanesRows rows;
  find_rows<S, 0>(v, rows);
  const unsigned lane = convkit_simt_lane();
  (store_matrix<S, tile>(v, rows, lane), ...);
}

}  // namespace convkit::simt::ptx
