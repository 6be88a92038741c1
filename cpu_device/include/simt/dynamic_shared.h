// SPDX-License-Identifier: MIT
// What `extern __shared__ T x[];` in a function becomes a reference to: one array for all kernels,
// of whatever type they say.
#pragma once

extern "C" {
extern __thread unsigned char convkit_simt_dynamic_shared[]
    __attribute__((tls_model("initial-exec")));
}

// In check mode the attribute's name is a macro (check/compile_flags.h).
#pragma push_macro("no_sanitize")
#undef no_sanitize

namespace convkit::simt {

struct DynamicShared {
  template <class T>
  using Array = T[];

  // The engine aligns it as a GPU does; 16 bytes are what the widest vector access needs.
  template <class T>
#if defined(__clang__)
  // clang 14 crashes over the alignment of an array without a size.
  __attribute__((no_sanitize("alignment")))
#endif
  operator Array<T>&() const {
    return *reinterpret_cast<T(*)[]>(__builtin_assume_aligned(convkit_simt_dynamic_shared, 16));
  }
};

static constexpr DynamicShared dynamic_shared{};

}  // namespace convkit::simt

#pragma pop_macro("no_sanitize")
