// SPDX-License-Identifier: MIT
// Compilers leave larger copies to the C library, uninstrumented. Programs for check mode are
// linked with -Wl,--wrap=memcpy and so on, which brings the calls of their own code here.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu_device/check/judge.h"

#define CONVKIT_COPY_CALLBACK extern "C" __attribute__((visibility("default")))
#define CONVKIT_RETURN_ADDRESS reinterpret_cast<uintptr_t>(__builtin_return_address(0))

namespace {

using namespace convkit::simt::check;

inline void access(const void* address, size_t bytes, unsigned use, uintptr_t pc) {
  judge({reinterpret_cast<uintptr_t>(address), bytes, use | kWhole, pc});
}

}  // namespace

#define CONVKIT_COPY(wrapped, plain)                                              \
  CONVKIT_COPY_CALLBACK void* wrapped(void* to, const void* from, size_t bytes) { \
    access(from, bytes, kRead, CONVKIT_RETURN_ADDRESS);                           \
    access(to, bytes, kWrite, CONVKIT_RETURN_ADDRESS);                            \
    return plain(to, from, bytes);                                                \
  }
#define CONVKIT_SET(wrapped, plain)                                        \
  CONVKIT_COPY_CALLBACK void* wrapped(void* to, int value, size_t bytes) { \
    access(to, bytes, kWrite, CONVKIT_RETURN_ADDRESS);                     \
    return plain(to, value, bytes);                                        \
  }

CONVKIT_COPY(__wrap_memcpy, std::memcpy)
CONVKIT_COPY(__wrap_memmove, std::memmove)
CONVKIT_SET(__wrap_memset, std::memset)
// The names that newer versions of clang use.
CONVKIT_COPY(__tsan_memcpy, std::memcpy)
CONVKIT_COPY(__tsan_memmove, std::memmove)
CONVKIT_SET(__tsan_memset, std::memset)
