// SPDX-License-Identifier: MIT
// The operands of an asm statement: "=r"(d) and the like. The size of each is that of its
// constraint, as nvcc demands.
#pragma once

#include <cstring>
#include <type_traits>

#include "simt/ptx/registers.h"

namespace convkit::simt::ptx {

// Bytes of h, r, l, f and d; 0: any (n), -1: no constraint of PTX.
constexpr int constraint_bytes(char letter) {
  switch (letter) {
    case 'h':
      return 2;
    case 'r':
    case 'f':
      return 4;
    case 'l':
    case 'd':
      return 8;
    case 'n':
      return 0;
    default:
      return -1;
  }
}

template <class T, char letter>
constexpr void check_operand() {
  constexpr int bytes = constraint_bytes(letter);
  static_assert(bytes >= 0,
                "a constraint of PTX is h, r, l, f, d or n, after = or + where the "
                "operand is written");
  static_assert(bytes <= 0 || sizeof(T) == static_cast<size_t>(bytes),
                "an operand of PTX has another size than its constraint: h is 2 bytes, r and f are "
                "4, l and d 8");
  static_assert(letter == 'n' || std::is_floating_point_v<T> == (letter == 'f' || letter == 'd'),
                "an operand of PTX is a float where its constraint is not f or d, or the reverse");
}

template <class T>
static __forceinline__ Bits operand_bits(const T& value) {
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    return static_cast<Bits>(value);
  } else {
    Bits bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  }
}

struct Input {
  Bits value;
  __forceinline__ Bits bits() const { return value; }
  __forceinline__ void take(Bits) const {}
};

// An output that no instruction writes holds anything; here all bits are set.
template <class T, bool is_read>
struct Output {
  T& variable;
  __forceinline__ Bits bits() const {
    if constexpr (is_read) {
      return operand_bits<std::remove_volatile_t<T>>(variable);
    } else {
      return ~0ull;
    }
  }
  __forceinline__ void take(Bits bits) const {
    if constexpr (std::is_integral_v<T>) {
      variable = static_cast<T>(bits);
    } else {
      std::remove_volatile_t<T> value;
      std::memcpy(&value, &bits, sizeof value);
      variable = value;
    }
  }
};

template <class... Char>
constexpr char last_of(Char... letters) {
  char last = 0;
  ((last = letters), ...);
  return last;
}

template <char first, char... rest>
struct Constraint {
  static constexpr char kLast = last_of(first, rest...);

  template <class T, char c = first, std::enable_if_t<c == '=' || c == '+', int> = 0>
  __forceinline__ auto operator()(T& variable) const {
    check_operand<std::remove_volatile_t<T>, kLast>();
    return Output<T, c == '+'>{variable};
  }
  template <class T, char c = first, std::enable_if_t<c != '=' && c != '+', int> = 0>
  __forceinline__ Input operator()(T value) const {
    check_operand<T, kLast>();
    return {operand_bits(value)};
  }
};

// The first problem of the text, or of an operand that it names and the statement has not.
template <int arguments, int count>
constexpr Problem program_problem(const Program<count>& program) {
  if (program.problem) return program.problem;
  for (int i = 0; i < program.size; ++i) {
    const Problem problem = missing_argument(program.instructions[i], arguments);
    if (problem) return problem;
  }
  return {};
}

// `convkit cc` makes a sentence of this name in the compiler's error (cc/messages.cpp).
template <int kind, char... subject>
struct PtxIsRefused {
  static_assert(kind == 0, "this text of inline PTX is refused");
};

template <class Text, int arguments, size_t... i>
static __forceinline__ void refuse(std::index_sequence<i...>) {
  constexpr Problem problem = program_problem<arguments>(Compiled<Text>::kProgram);
  [[maybe_unused]] PtxIsRefused<static_cast<int>(problem.kind), problem.subject[i]...> refused;
}

}  // namespace convkit::simt::ptx

#pragma GCC diagnostic push
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wgnu-string-literal-operator-template"
#endif
template <class Char, Char... letters>
constexpr convkit::simt::ptx::Constraint<letters...> operator""_convkit_ptx() {
  return {};
}
#pragma GCC diagnostic pop
