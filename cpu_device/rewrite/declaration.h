// SPDX-License-Identifier: MIT
// The specifiers in front of what a declaration declares.
#pragma once

#include <cstddef>
#include <string_view>

#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

// More tokens before a name are no declaration.
inline constexpr size_t kLongestDeclaration = 64;

// Whether the specifier decides storage or linkage.
bool decides_storage(std::string_view word);

// Whether the parenthesis belongs to a specifier, as in `alignas(16)`.
bool opens_arguments_of_specifier(const Stream& stream, size_t open);

// The first of the specifiers that token `i` is one of. Attributes and types with template
// arguments may be among them, and `template <...>` in front.
size_t declaration_begin(const Stream& stream, size_t i);

}  // namespace convkit::rewrite
