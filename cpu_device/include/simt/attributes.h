// SPDX-License-Identifier: MIT
// How the functions of these headers are declared: `static inline`, because objects compiled for
// check mode and others may be linked together. (Not always_inline: g++ refuses calls of such
// functions through pointers.)
#pragma once

// For what the CPU device does not have: using it is an error at the student's line that says why.
// g++ 11 does not know `unavailable`, and its `error` is for functions that code is generated for.
#if defined(__has_attribute) && __has_attribute(unavailable)
#define CONVKIT_SIMT_UNAVAILABLE(message) __attribute__((unavailable(message)))
#else
#define CONVKIT_SIMT_UNAVAILABLE(message) __attribute__((deprecated(message)))
#pragma GCC diagnostic error "-Wdeprecated-declarations"
#endif

// A macro for a construct that is not supported expands to CONVKIT_SIMT_PRAGMA(GCC error "why");
// g++ prints only the first of several string literals.
#define CONVKIT_SIMT_PRAGMA(...) _Pragma(#__VA_ARGS__)

// The file and line of the call, as the last two parameters of a function that waits. Reports name
// them.
#define CONVKIT_SIMT_SITE \
  const char *convkit_file = __builtin_FILE(), int convkit_line = __builtin_LINE()
#define CONVKIT_SIMT_AT convkit_file, convkit_line
