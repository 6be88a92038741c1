// SPDX-License-Identifier: MIT
// The floating-point operations of machine instructions, in the classes that ncu counts in.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace convkit::simt::profile {

enum class Operation : unsigned {
  float_fma,
  float_mul,
  float_add,  // and subtractions
  double_fma,
  double_mul,
  double_add,
  special,  // divisions, square roots, and functions such as exp(), of either type
};
inline constexpr unsigned kOperations = 7;

// How often each operation was executed, by threads.
using Arithmetic = std::array<uint64_t, kOperations>;

struct Work {
  Operation operation;
  unsigned lanes;  // elements of the vector that the instruction works on; 1: a scalar
  bool operator==(const Work&) const = default;
};

// Of an instruction as objdump writes it, such as "vfmadd231ss" and "(%rax),%xmm1,%xmm0", or a call
// with the name that it adds, "*0x2fd2(%rip)  # 3fd8 <expf@GLIBC_2.27>". Nothing where it has none.
std::optional<Work> work_of(std::string_view mnemonic, std::string_view operands);

// "expf" of the operands of such a call; "" where no name stands there.
std::string_view called_name(std::string_view operands);

}  // namespace convkit::simt::profile
