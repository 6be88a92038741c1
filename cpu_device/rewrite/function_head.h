// SPDX-License-Identifier: MIT
// What the tokens before a `{` or `;` declare.
#pragma once

#include <cstddef>
#include <set>
#include <string_view>

#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

struct FunctionHead {
  size_t name = kNone;  // token; kNone: the tokens declare no function
  bool global = false, device = false, host = false;  // qualifiers that are there
  bool plain = false;         // what it returns is spelled in words that cannot be macros
  bool expands = false;       // words among the specifiers that are or look like macros
  bool qualified = false;     // the name follows `::`
  size_t parameters = kNone;  // the `(`

  bool is_kernel() const { return global; }
  bool runs_on_device_only() const { return device && !host && !expands; }
  bool runs_on_host_only() const { return plain && !expands && !global && !device; }
};

// A word of capitals.
bool looks_like_a_macro(std::string_view word);

// The token behind `template <...>` at `i`, which may be repeated; `i` where there is none. Beyond
// `end`: it has no end before that.
size_t skip_templates(const Stream& stream, size_t i, size_t end);

// `macros`: those of the translation unit's own files.
FunctionHead read_function_head(const Stream& stream, size_t begin, size_t end,
                                const std::set<std::string_view>& macros);

}  // namespace convkit::rewrite
