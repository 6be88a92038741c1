// SPDX-License-Identifier: MIT
// What a text of inline PTX is read into (parser.h). All of it exists at compile time.
#pragma once

#include <cstdint>
#include <string_view>

namespace convkit::simt::ptx {

enum class Type : unsigned char {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f64
};

inline constexpr std::string_view kTypeNames[] = {
    "",    "pred", "b8",  "b16", "b32",   "b64",  "u8",     "u16",  "u32", "u64", "s8",
    "s16", "s32",  "s64", "f16", "f16x2", "bf16", "bf16x2", "tf32", "f32", "f64"};

// Type::none for what names no type.
constexpr Type type_named(std::string_view name) {
  for (unsigned i = 1; i < sizeof kTypeNames / sizeof *kTypeNames; ++i) {
    if (name == kTypeNames[i]) return static_cast<Type>(i);
  }
  return Type::none;
}

// Bytes of a value of the type.
constexpr unsigned size_of(Type type) {
  switch (type) {
    case Type::pred:
    case Type::b8:
    case Type::u8:
    case Type::s8:
      return 1;
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16:
    case Type::bf16:
      return 2;
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64:
      return 8;
    default:
      return 4;
  }
}

constexpr bool is_signed(Type type) {
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64;
}
constexpr bool is_float(Type type) {
  return type == Type::f32 || type == Type::f64;
}
// Of 16 bits, alone or in pairs.
constexpr bool is_half(Type type) {
  return type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2;
}

// A thing that an instruction reads or writes. `argument` is an operand of the asm statement, %0,
// %1, ...; `variable` what the text itself declares with .reg.
struct Value {
  enum class Kind : unsigned char { none, argument, variable, special, constant, real, sink };
  Kind kind = Kind::none;
  bool negated = false;         // !p
  bool predicate = false;       // a variable of type pred
  unsigned short index = 0;     // of an argument, of a variable, of kSpecialNames
  unsigned long long bits = 0;  // of a constant; of a real constant those of a double, or of a
  bool single = false;          // float (0f3F800000)
};

inline constexpr int kMostElements = 8;

struct Operand {
  enum class Kind : unsigned char { none, single, vector, address, pair };
  Kind kind = Kind::none;
  int count = 0;  // of `elements`: of an address the base and what is added; of a pair p|q two
  Value elements[kMostElements];
};

inline constexpr int kMostOperands = 6;
inline constexpr int kMostTypes = 4;

struct Opcode;

struct Instruction {
  std::string_view name;  // "ld.global.nc.v2.f32"
  const Opcode* opcode = nullptr;
  Type types[kMostTypes] = {};
  int type_count = 0;
  Value guard;  // @p, @!p; Kind::none without
  int operand_count = 0;
  Operand operands[kMostOperands];

  // Whether ".word" is a part of the name, behind the first.
  constexpr bool has(std::string_view word) const {
    for (size_t at = name.find('.'); at != std::string_view::npos; at = name.find('.', at + 1)) {
      const std::string_view rest = name.substr(at + 1);
      if (rest.substr(0, rest.find('.')) == word) return true;
    }
    return false;
  }
  constexpr bool has_word_like(std::string_view begin) const {
    for (size_t at = name.find('.'); at != std::string_view::npos; at = name.find('.', at + 1)) {
      if (name.substr(at + 1, begin.size()) == begin) return true;
    }
    return false;
  }
  // Elements of a .v2 or .v4 access.
  constexpr int vector_size() const { return has("v2") ? 2 : has("v4") ? 4 : has("v8") ? 8 : 1; }
};

// Why a text is refused; `subject` is the part that it is about.
struct Problem {
  enum class Kind : unsigned char {
    none,
    instruction,
    modifier,
    form,
    operands,
    name,
    braces,
    branch,
    end,
    character,
    argument,
    size
  };
  Kind kind = Kind::none;
  std::string_view subject;
  constexpr explicit operator bool() const { return kind != Kind::none; }
};

// Registers of 64 bits that hold what the text declares.
inline constexpr int kMostVariables = 48;

template <int count>
struct Program {
  Instruction instructions[count > 0 ? count : 1];
  int size = 0;
  int variables = 0;  // registers for them
  Problem problem;
};

}  // namespace convkit::simt::ptx
