// SPDX-License-Identifier: MIT
// Which function each token of a file belongs to, and which functions the file declares.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "cpu_device/rewrite/function_head.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

struct DeclaredFunction {
  FunctionHead head;
  bool in_class = false;
};

struct Scopes {
  std::vector<DeclaredFunction> functions;  // declarations and definitions
  // For each token: the function whose body it is in, as an index of `functions`, or kNone (in no
  // body, in a lambda, or not to be told) ...
  std::vector<size_t> function;
  // ... whether it stands directly in a block, where statements are ...
  std::vector<bool> in_block;
  // ... or directly in a namespace, or outside of all braces.
  std::vector<bool> in_namespace;
};

Scopes find_scopes(const Stream& stream, const Source& source,
                   const std::set<std::string_view>& macros);

}  // namespace convkit::rewrite
