// SPDX-License-Identifier: MIT
// Which operands and which combinations of parts an instruction of the table may have, where the
// lists of opcodes.h do not say it all.
#pragma once

#include "simt/ptx/opcodes.h"

namespace convkit::simt::ptx {

// A shape of mma and what its factors may be.
struct MatrixShape {
  std::string_view name, factors;
  int m, n, k;
};
inline constexpr MatrixShape kMatrixShapes[] = {
    {"m16n8k4", "tf32 f64", 16, 8, 4},
    {"m16n8k8", "f16 bf16 tf32 f64", 16, 8, 8},
    {"m16n8k16", "f16 bf16 s8 u8 f64", 16, 8, 16},
    {"m16n8k32", "s8 u8", 16, 8, 32},
    {"m8n8k16", "s8 u8", 8, 8, 16},
    {"m8n8k4", "f64", 8, 8, 4},
};

constexpr const MatrixShape* matrix_shape(const Instruction& instruction) {
  for (const MatrixShape& each : kMatrixShapes) {
    if (instruction.has(each.name)) return &each;
  }
  return nullptr;
}

// Registers of 32 bits (of f64: of 64) in which a lane holds its part of `elements` of a matrix.
constexpr int matrix_registers(int elements, Type type) {
  const int bytes = type == Type::f64 ? 8 : static_cast<int>(size_of(type));
  return bytes >= 4 ? elements / 32 : elements * bytes / 128;
}

// mma.sync.aligned.SHAPE.row.col.D.A.B.C
constexpr bool has_matrix_types(const Instruction& instruction) {
  const MatrixShape* shape = matrix_shape(instruction);
  if (shape == nullptr || !instruction.has("row") || !instruction.has("col")) return false;
  const Type d = instruction.types[0], a = instruction.types[1], b = instruction.types[2],
             c = instruction.types[3];
  if (a != b || !holds_word(shape->factors, kTypeNames[static_cast<int>(a)])) return false;
  const bool integers = a == Type::s8 || a == Type::u8;
  if (instruction.has("satfinite") && !integers) return false;
  if (integers) return d == Type::s32 && c == Type::s32;
  if (a == Type::f64) return d == Type::f64 && c == Type::f64;
  if (a == Type::f16 && d == Type::f16 && c == Type::f16) return true;
  return d == Type::f32 && c == Type::f32;
}

constexpr bool has_matrix_operands(const Instruction& instruction) {
  const MatrixShape* shape = matrix_shape(instruction);
  if (shape == nullptr) return true;  // told by has_matrix_types()
  const int elements[] = {shape->m * shape->n, shape->m * shape->k, shape->k * shape->n,
                          shape->m * shape->n};
  for (int i = 0; i < 4; ++i) {
    const Operand& operand = instruction.operands[i];
    const bool list = operand.kind == Operand::Kind::vector ||
                      (operand.kind == Operand::Kind::single && operand.count == 1);
    if (!list || operand.count != matrix_registers(elements[i], instruction.types[i])) return false;
  }
  return true;
}

constexpr int tile_count(const Instruction& instruction) {
  return instruction.has("x4") ? 4 : instruction.has("x2") ? 2 : instruction.has("x1") ? 1 : 0;
}

// Which operand is an address in brackets; -1: none.
constexpr int address_operand(const Instruction& instruction) {
  switch (instruction.opcode->op) {
    case Op::ld:
    case Op::atom:
    case Op::ldmatrix:
      return 1;
    case Op::st:
    case Op::red:
    case Op::stmatrix:
      return 0;
    case Op::nothing:
      return instruction.operand_count == 1 ? 0 : -1;
    default:
      return -1;
  }
}

constexpr bool copies_asynchronously(const Instruction& instruction) {
  return instruction.has("ca") || instruction.has("cg");
}

constexpr bool has_right_operands(const Instruction& instruction) {
  const Op op = instruction.opcode->op;
  const int address = address_operand(instruction);
  const bool copy = op == Op::cp_async && copies_asynchronously(instruction);
  for (int i = 0; i < instruction.operand_count; ++i) {
    const bool is_address = instruction.operands[i].kind == Operand::Kind::address;
    if (is_address != (copy ? i < 2 : i == address)) return false;
    const bool is_pair = instruction.operands[i].kind == Operand::Kind::pair;
    if (is_pair && (i != 0 || (op != Op::setp && op != Op::shfl && op != Op::match))) return false;
    const bool is_list = instruction.operands[i].kind == Operand::Kind::vector;
    if (is_list && op != Op::mov && op != Op::ld && op != Op::st && op != Op::ldmatrix &&
        op != Op::stmatrix && op != Op::mma) {
      return false;
    }
  }
  switch (op) {
    case Op::ld:
      return instruction.operands[0].count == instruction.vector_size();
    case Op::st:
      return instruction.operands[1].count == instruction.vector_size();
    case Op::ldmatrix:
      return instruction.operands[0].count == tile_count(instruction);
    case Op::stmatrix:
      return instruction.operands[1].count == tile_count(instruction);
    case Op::mma:
      return has_matrix_operands(instruction);
    case Op::cp_async:
      return copy                            ? instruction.operand_count >= 3
             : instruction.has("wait_group") ? instruction.operand_count == 1
                                             : instruction.operand_count == 0;
    case Op::atom:
      return (instruction.operand_count == 4) == instruction.has("cas") ||
             instruction.has("L2::cache_hint");
    default:
      return true;
  }
}

constexpr bool has_one_of(const Instruction& instruction, std::string_view words) {
  while (!words.empty()) {
    const size_t end = words.find(' ');
    if (instruction.has(words.substr(0, end))) return true;
    words = end == std::string_view::npos ? std::string_view() : words.substr(end + 1);
  }
  return false;
}

constexpr bool has_right_atomic(const Instruction& instruction) {
  const Type type = instruction.types[0];
  if (!has_one_of(instruction, "add inc dec min max exch cas and or xor")) return false;
  if (type == Type::b16) return instruction.has("cas");
  if (is_half(type) || is_float(type)) return instruction.has("add");
  if (instruction.has("inc") || instruction.has("dec")) return type == Type::u32;
  return true;
}

constexpr bool has_right_form(const Instruction& instruction) {
  const Type type = instruction.types[0];
  switch (instruction.opcode->op) {
    case Op::mma:
      return instruction.has("sync") && has_matrix_types(instruction);
    case Op::ldmatrix:
    case Op::stmatrix:
      return instruction.has("sync") && instruction.has("m8n8");
    case Op::red:
    case Op::atom:
      return has_right_atomic(instruction);
    case Op::cp_async:
      return copies_asynchronously(instruction) ||
             has_one_of(instruction, "commit_group wait_group wait_all");
    case Op::mul:
      return is_float(type) || is_half(type) || has_one_of(instruction, "lo hi wide");
    case Op::mad:
      return is_float(type) || has_one_of(instruction, "lo hi wide");
    case Op::shfl:
      return instruction.has("sync") && has_one_of(instruction, "up down bfly idx");
    case Op::vote:
      return instruction.has("sync") && has_one_of(instruction, "all any uni ballot") &&
             instruction.has("ballot") == (type == Type::b32);
    case Op::match:
      return instruction.has("sync") && has_one_of(instruction, "any all");
    case Op::redux:
      return instruction.has("sync") && has_one_of(instruction, "add min max and or xor");
    case Op::setp:
      return has_one_of(instruction,
                        "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan");
    case Op::bar:
      return has_one_of(instruction, "sync red arrive");
    default:
      return true;
  }
}

}  // namespace convkit::simt::ptx
