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

// Whether the operand of a cast, which begins at `i`, is a kernel for sure: `k`, `&ns::k<float>` or
// `(k)`.
bool is_kernel(const Stream& s, size_t i, const Names& names) {
  while (s.is(i, "&") || s.is(i, "(")) ++i;
  if (s.is(i, "::")) ++i;
  while (s.is_identifier(i) && s.is(i + 1, "::")) i += 2;
  return s.is_identifier(i) && names.is_only_kernel(s[i].text);
}

// `params.func = `, `params->func = ` or `.func = ` stands before the token at `i`.
bool is_given_to_func(const Stream& s, size_t i) {
  return i >= 3 && s.is(i - 1, "=") && s.is(i - 2, "func") &&
         (s.is(i - 3, ".") || s.is(i - 3, "->"));
}

// The last token of the casts that follow one another from `i` on, or kNone.
size_t casts_end(const Stream& s, size_t i) {
  size_t last = kNone;
  for (size_t end = cast_end(s, i); end != kNone; end = cast_end(s, end + 1)) last = end;
  return last;
}

void blank(const Stream& s, size_t begin, size_t end, Edits& edits) {
  for (size_t i = begin; i <= end; ++i) {
    edits.replace(s[i], std::string(s[i].text.size(), ' '));
  }
}

}  // namespace

void rewrite_kernel_casts(const Stream& s, const Names* names, Edits& edits) {
  for (size_t i = 0; i < s.size(); ++i) {
    const bool is_member = i > 0 && (s.is(i - 1, ".") || s.is(i - 1, "->"));
    const size_t operand = is_member ? kNone : kernel_argument(s, i);
    if (operand != kNone) {
      const size_t end = casts_end(s, operand);
      if (end == kNone) continue;
      blank(s, operand, end, edits);
      i = end;
      continue;
    }
    const size_t end = casts_end(s, i);
    if (end == kNone) continue;
    const bool typed = is_given_to_func(s, i) || (names && is_kernel(s, end + 1, *names));
    if (!typed) continue;
    edits.insert(s[i].begin, "::convkit::simt::kernel_type->*");
    blank(s, i, end, edits);
    i = end;
  }
}

}  // namespace convkit::rewrite
