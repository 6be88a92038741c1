// SPDX-License-Identifier: MIT
#include "cpu_device/profile/arithmetic.h"

#include <algorithm>

namespace convkit::simt::profile {
namespace {

// Of the C library. (Square roots are instructions.)
constexpr std::string_view kFunctions[] = {
    "acos",  "acosh", "asin", "asinh", "atan",   "atan2", "atanh", "cbrt",   "cos",   "cosh",
    "erf",   "erfc",  "exp",  "exp10", "exp2",   "expm1", "hypot", "lgamma", "log",   "log10",
    "log1p", "log2",  "pow",  "sin",   "sincos", "sinh",  "tan",   "tanh",   "tgamma"};

bool is_function(std::string_view name) {
  const auto known = [](std::string_view one) {
    return std::find(std::begin(kFunctions), std::end(kFunctions), one) != std::end(kFunctions);
  };
  return known(name) || (name.ends_with('f') && known(name.substr(0, name.size() - 1)));
}

// Of the largest register that is named; of a scalar, 1.
unsigned lanes_of(bool packed, bool is_double, std::string_view operands) {
  if (!packed) return 1;
  const auto names = [&](std::string_view kind) { return operands.find(kind) != operands.npos; };
  const unsigned bytes = names("%zmm") ? 64 : names("%ymm") ? 32 : 16;
  return bytes / (is_double ? 8 : 4);
}

// "vfmadd231", "vfnmsub132", ...
bool is_fused(std::string_view name) {
  if (!name.starts_with("vf")) return false;
  const std::string_view order = name.substr(name.size() - 3);
  return (order == "132" || order == "213" || order == "231") &&
         (name.find("add") != name.npos || name.find("sub") != name.npos);
}

}  // namespace

std::string_view called_name(std::string_view operands) {
  const size_t begin = operands.find('<');
  if (begin == operands.npos) return {};
  const std::string_view name = operands.substr(begin + 1);
  return name.substr(0, name.find_first_of("@>+"));
}

std::optional<Work> work_of(std::string_view mnemonic, std::string_view operands) {
  if (mnemonic.starts_with("call")) {
    if (is_function(called_name(operands))) return Work{Operation::special, 1};
    return std::nullopt;
  }
  if (mnemonic.size() < 5) return std::nullopt;
  // "ss", "sd", "ps" or "pd": scalar or packed, of single or double precision.
  const char width = mnemonic[mnemonic.size() - 2], type = mnemonic.back();
  if ((width != 's' && width != 'p') || (type != 's' && type != 'd')) return std::nullopt;
  const bool is_double = type == 'd';
  std::string_view name = mnemonic.substr(0, mnemonic.size() - 2);
  const unsigned lanes = lanes_of(width == 'p', is_double, operands);
  if (is_fused(name)) return Work{is_double ? Operation::double_fma : Operation::float_fma, lanes};
  if (name.starts_with('v')) name.remove_prefix(1);
  if (name == "mul") return Work{is_double ? Operation::double_mul : Operation::float_mul, lanes};
  if (name == "add" || name == "sub") {
    return Work{is_double ? Operation::double_add : Operation::float_add, lanes};
  }
  const bool special = name == "div" || name == "sqrt" || name == "rcp" || name == "rsqrt";
  return special ? std::optional(Work{Operation::special, lanes}) : std::nullopt;
}

}  // namespace convkit::simt::profile
