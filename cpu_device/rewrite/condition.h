// SPDX-License-Identifier: MIT
// The value of an #if, as far as it is known without compiling.
#pragma once

#include <optional>
#include <span>

#include "cpu_device/rewrite/source.h"

namespace convkit::rewrite {

// The value of an #if's condition: literals, `defined` of what every compilation of CUDA code
// defines, and what ! && || and parentheses make of them. Nothing else is decided.
std::optional<bool> value_of(std::span<const Token> condition);

// Whether a macro is defined, where that is known.
std::optional<bool> is_defined(std::string_view macro);

}  // namespace convkit::rewrite
