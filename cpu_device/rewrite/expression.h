// SPDX-License-Identifier: MIT
// Finding the beginning of an expression from its end.
#pragma once

#include <cstddef>

#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

// A keyword of C++ other than `this`: it is not an operand.
bool is_keyword(std::string_view word);

// How many `>` the token is made of: 1 to 3; 0: it is something else.
size_t closing_angles(const Token& token);

// The first token of the postfix expression that ends before `end`: `k`, `ns::k<float, 3>`,
// `object.k`, `table[i]`, `(expression)`, ... kNone where there is none.
size_t postfix_begin(const Stream& stream, size_t end);

// The `<` of the template arguments that `close`, a `>`, `>>` or `>>>`, ends, or kNone.
size_t template_open(const Stream& stream, size_t close);

// The first token of a name `a::b::c` that ends with token `last`.
size_t name_begin(const Stream& stream, size_t last);

}  // namespace convkit::rewrite
