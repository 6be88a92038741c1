// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/kernel_casts.h"

#include <string>

namespace convkit::rewrite {
namespace {

// The first token after `const void*`, in any of its spellings, or kNone.
size_t after_void_pointer(const Stream& s, size_t i) {
  bool is_void = false, pointer = false;
  for (; i < s.size(); ++i) {
    if (s.is(i, "void") && !is_void) {
      is_void = true;
    } else if (s.is(i, "*") && is_void && !pointer) {
      pointer = true;
    } else if (!s.is(i, "const")) {
      break;
    }
  }
  return pointer ? i : kNone;
}

// The last token of the cast that begins at `i`, without its operand, or kNone.
size_t cast_end(const Stream& s, size_t i) {
  if (s.is(i, "(")) {
    const size_t close = after_void_pointer(s, i + 1);
    return close != kNone && close == s.match(i) ? close : kNone;
  }
  if (!s.is(i, "reinterpret_cast") && !s.is(i, "static_cast")) return kNone;
  const size_t close = s.is(i + 1, "<") ? after_void_pointer(s, i + 2) : kNone;
  return close != kNone && s.is(close, ">") && s.is(close + 1, "(") ? close : kNone;
}

}  // namespace

void drop_kernel_casts(const Stream& s, Edits& edits) {
  for (size_t i = 0; i < s.size(); ++i) {
    if (!s.is(i, "cudaLaunchKernel") || !s.is(i + 1, "(")) continue;
    if (i > 0 && (s.is(i - 1, ".") || s.is(i - 1, "->"))) continue;
    size_t operand = i + 2;
    for (size_t end = cast_end(s, operand); end != kNone; end = cast_end(s, operand)) {
      for (; operand <= end; ++operand) {
        edits.replace(s[operand], std::string(s[operand].text.size(), ' '));
      }
    }
  }
}

}  // namespace convkit::rewrite
