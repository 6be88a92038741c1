// SPDX-License-Identifier: MIT
// The values that the instructions of one asm statement work on. Each is held in 64 bits: the
// operands of the statement first, then what its text declares.
#pragma once

#include <cstdint>
#include <type_traits>

#include "simt/bits.h"
#include "simt/ptx/parser.h"
#include "simt/ptx/special_values.h"
#include "simt/qualifiers.h"

namespace convkit::simt::ptx {

using Bits = unsigned long long;

template <Type>
struct StoredAs {
  using Type_ = unsigned;
};
#define CONVKIT_SIMT_PTX_TYPE(name, Stored) \
  template <>                               \
  struct StoredAs<Type::name> {             \
    using Type_ = Stored;                   \
  };
CONVKIT_SIMT_PTX_TYPE(pred, bool)
CONVKIT_SIMT_PTX_TYPE(b8, unsigned char)
CONVKIT_SIMT_PTX_TYPE(u8, unsigned char)
CONVKIT_SIMT_PTX_TYPE(s8, signed char)
CONVKIT_SIMT_PTX_TYPE(b16, unsigned short)
CONVKIT_SIMT_PTX_TYPE(u16, unsigned short)
CONVKIT_SIMT_PTX_TYPE(f16, unsigned short)
CONVKIT_SIMT_PTX_TYPE(bf16, unsigned short)
CONVKIT_SIMT_PTX_TYPE(s16, short)
CONVKIT_SIMT_PTX_TYPE(s32, int)
CONVKIT_SIMT_PTX_TYPE(b64, unsigned long long)
CONVKIT_SIMT_PTX_TYPE(u64, unsigned long long)
CONVKIT_SIMT_PTX_TYPE(s64, long long)
CONVKIT_SIMT_PTX_TYPE(f32, float)
CONVKIT_SIMT_PTX_TYPE(f64, double)
#undef CONVKIT_SIMT_PTX_TYPE

// The C++ type of a PTX type; halves and tf32 are their bits.
template <Type type>
using Stored = typename StoredAs<type>::Type_;

template <class T>
static __forceinline__ T from_bits(Bits bits) {
  if constexpr (std::is_same_v<T, float>) {
    return bits_as<float>(static_cast<unsigned>(bits));
  } else if constexpr (std::is_same_v<T, double>) {
    return bits_as<double>(bits);
  } else if constexpr (std::is_same_v<T, bool>) {
    return bits != 0;
  } else {
    return static_cast<T>(bits);
  }
}

// Signed numbers fill a larger register with their sign, as loads and cvt do.
template <class T>
static __forceinline__ Bits to_bits(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return bits_as<unsigned>(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return bits_as<unsigned long long>(value);
  } else {
    return static_cast<Bits>(value);
  }
}

template <class Text>
struct Compiled {
  static constexpr std::string_view kText{Text::convkit_ptx_text()};
  static constexpr auto kProgram = parse<most_instructions(kText)>(kText);
};

// Instruction `index` of a text whose asm statement has so many operands.
template <class Text, int arguments, int index>
struct Step {
  static constexpr const Instruction& kInstruction = Compiled<Text>::kProgram.instructions[index];
  static constexpr Op kOp = kInstruction.opcode->op;
  static constexpr Type kType = kInstruction.types[0];
  static constexpr int kOperands = kInstruction.operand_count;
  static constexpr bool has(std::string_view word) { return kInstruction.has(word); }
  static constexpr int count(int operand) { return kInstruction.operands[operand].count; }
  static constexpr const char* file() { return Text::convkit_ptx_file(); }
  static constexpr int line() { return Text::convkit_ptx_line(); }

  // The register of a value, in `v`.
  static constexpr int place(const Value& value) {
    return value.kind == Value::Kind::argument ? value.index : arguments + value.index;
  }

  template <int operand, int element = 0>
  static __forceinline__ Bits bits(const Bits* v) {
    constexpr const Value& value = kInstruction.operands[operand].elements[element];
    if constexpr (value.kind == Value::Kind::special) {
      return special_value<value.index>();
    } else if constexpr (value.kind == Value::Kind::constant || value.kind == Value::Kind::real) {
      return value.bits;
    } else {
      static_assert(value.kind == Value::Kind::argument || value.kind == Value::Kind::variable);
      const Bits read = v[place(value)];
      return value.negated ? static_cast<Bits>(read == 0) : read;
    }
  }

  template <class T, int operand, int element = 0>
  static __forceinline__ T get(const Bits* v) {
    constexpr const Value& value = kInstruction.operands[operand].elements[element];
    const Bits read = bits<operand, element>(v);
    // 1.0 is a double, whatever it is used for; 0f3F800000 a float.
    if constexpr (value.kind == Value::Kind::real && std::is_floating_point_v<T>) {
      return value.single ? static_cast<T>(bits_as<float>(static_cast<unsigned>(read)))
                          : static_cast<T>(bits_as<double>(read));
    } else {
      return from_bits<T>(read);
    }
  }

  template <int operand, int element = 0, class T>
  static __forceinline__ void set(Bits* v, T value) {
    constexpr const Value& to = kInstruction.operands[operand].elements[element];
    if constexpr (to.kind == Value::Kind::argument || to.kind == Value::Kind::variable) {
      v[place(to)] = to_bits(value);
    } else {
      static_assert(to.kind == Value::Kind::sink, "a register of PTX is written");
    }
  }
};

}  // namespace convkit::simt::ptx
