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

// The first token of the argument that is the kernel, of the call whose name is at `i`, or kNone.
size_t kernel_argument(const Stream& s, size_t i) {
  if (!s.is(i + 1, "(")) return kNone;
  if (s.is(i, "cudaLaunchKernel") || s.is(i, "cudaLaunchCooperativeKernel")) return i + 2;
  if (!s.is(i, "cudaLaunchKernelExC")) return kNone;
  for (size_t k = i + 2; k < s.size() && k != s.match(i + 1); ++k) {
    if (s.is(k, ",")) return k + 1;
    const bool opens = s.is(k, "(") || s.is(k, "[") || s.is(k, "{");
    if (opens && s.match(k) != kNone) k = s.match(k);
  }
  return kNone;
}

}  // namespace

void drop_kernel_casts(const Stream& s, Edits& edits) {
  for (size_t i = 0; i < s.size(); ++i) {
    size_t operand = kernel_argument(s, i);
    if (operand == kNone || (i > 0 && (s.is(i - 1, ".") || s.is(i - 1, "->")))) continue;
    for (size_t end = cast_end(s, operand); end != kNone; end = cast_end(s, operand)) {
      for (; operand <= end; ++operand) {
        edits.replace(s[operand], std::string(s[operand].text.size(), ' '));
      }
    }
  }
}

}  // namespace convkit::rewrite
