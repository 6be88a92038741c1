// SPDX-License-Identifier: MIT
// Compilers leave larger copies to the C library, uninstrumented. Programs for check mode are
// linked with -Wl,--wrap=memcpy and so on, which brings the calls of their own code here.
#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cwchar>

#include "cpu_device/check/judge.h"

#define CONVKIT_COPY_CALLBACK extern "C" __attribute__((visibility("default")))
#define CONVKIT_RETURN_ADDRESS reinterpret_cast<uintptr_t>(__builtin_return_address(0))

namespace {

using namespace convkit::simt::check;

inline void access(const void* address, size_t bytes, unsigned use, uintptr_t pc) {
  judge({reinterpret_cast<uintptr_t>(address), bytes, use | kWhole, pc});
}

// vsnprintf(), judged as a write of what it will write.
__attribute__((format(printf, 3, 0))) int print(char* to, size_t most, const char* format,
                                                va_list values, uintptr_t pc) {
  va_list again;
  va_copy(again, values);
  const int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (length >= 0 && most > 0) {
    access(to, std::min(static_cast<size_t>(length) + 1, most), kWrite, pc);
  }
  return most == SIZE_MAX ? std::vsprintf(to, format, values)
                          : std::vsnprintf(to, most, format, values);
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

// The same in elements of another size.
#define CONVKIT_WIDE_COPY(wrapped, plain)                                                  \
  CONVKIT_COPY_CALLBACK wchar_t* wrapped(wchar_t* to, const wchar_t* from, size_t count) { \
    access(from, count * sizeof *from, kRead, CONVKIT_RETURN_ADDRESS);                     \
    access(to, count * sizeof *to, kWrite, CONVKIT_RETURN_ADDRESS);                        \
    return plain(to, from, count);                                                         \
  }
// A text up to its zero.
#define CONVKIT_TEXT_COPY(wrapped, plain)                           \
  CONVKIT_COPY_CALLBACK char* wrapped(char* to, const char* from) { \
    const size_t bytes = std::strlen(from) + 1;                     \
    access(from, bytes, kRead, CONVKIT_RETURN_ADDRESS);             \
    access(to, bytes, kWrite, CONVKIT_RETURN_ADDRESS);              \
    return plain(to, from);                                         \
  }
// The same of `most` bytes, to which zeros fill it.
#define CONVKIT_TEXT_COPY_OF(wrapped, plain)                                     \
  CONVKIT_COPY_CALLBACK char* wrapped(char* to, const char* from, size_t most) { \
    const size_t bytes = strnlen(from, most);                                    \
    access(from, bytes + (bytes < most), kRead, CONVKIT_RETURN_ADDRESS);         \
    access(to, most, kWrite, CONVKIT_RETURN_ADDRESS);                            \
    return plain(to, from, most);                                                \
  }

CONVKIT_COPY(__wrap_memcpy, std::memcpy)
CONVKIT_COPY(__wrap_memmove, std::memmove)
CONVKIT_SET(__wrap_memset, std::memset)
// The names that newer versions of clang use.
CONVKIT_COPY(__tsan_memcpy, std::memcpy)
CONVKIT_COPY(__tsan_memmove, std::memmove)
CONVKIT_SET(__tsan_memset, std::memset)
// Those that few programs call.
CONVKIT_COPY(__wrap_mempcpy, mempcpy)
CONVKIT_COPY(__wrap___mempcpy, mempcpy)
CONVKIT_WIDE_COPY(__wrap_wmemcpy, std::wmemcpy)
CONVKIT_WIDE_COPY(__wrap_wmemmove, std::wmemmove)
CONVKIT_WIDE_COPY(__wrap_wmempcpy, wmempcpy)
CONVKIT_TEXT_COPY(__wrap_strcpy, std::strcpy)
CONVKIT_TEXT_COPY(__wrap_stpcpy, stpcpy)
CONVKIT_TEXT_COPY_OF(__wrap_strncpy, std::strncpy)
CONVKIT_TEXT_COPY_OF(__wrap_stpncpy, stpncpy)

CONVKIT_COPY_CALLBACK wchar_t* __wrap_wmemset(wchar_t* to, wchar_t value, size_t count) {
  access(to, count * sizeof *to, kWrite, CONVKIT_RETURN_ADDRESS);
  return std::wmemset(to, value, count);
}
CONVKIT_COPY_CALLBACK void __wrap_bcopy(const void* from, void* to, size_t bytes) {
  access(from, bytes, kRead, CONVKIT_RETURN_ADDRESS);
  access(to, bytes, kWrite, CONVKIT_RETURN_ADDRESS);
  std::memmove(to, from, bytes);
}
CONVKIT_COPY_CALLBACK void __wrap_bzero(void* to, size_t bytes) {
  access(to, bytes, kWrite, CONVKIT_RETURN_ADDRESS);
  std::memset(to, 0, bytes);
}
CONVKIT_COPY_CALLBACK void __wrap_explicit_bzero(void* to, size_t bytes) {
  access(to, bytes, kWrite, CONVKIT_RETURN_ADDRESS);
  std::memset(to, 0, bytes);
}

CONVKIT_COPY_CALLBACK __attribute__((format(printf, 3, 0))) int __wrap_vsnprintf(char* to,
                                                                                 size_t most,
                                                                                 const char* format,
                                                                                 va_list values) {
  return print(to, most, format, values, CONVKIT_RETURN_ADDRESS);
}
CONVKIT_COPY_CALLBACK __attribute__((format(printf, 2, 0))) int __wrap_vsprintf(char* to,
                                                                                const char* format,
                                                                                va_list values) {
  return print(to, SIZE_MAX, format, values, CONVKIT_RETURN_ADDRESS);
}
CONVKIT_COPY_CALLBACK __attribute__((format(printf, 3, 4))) int __wrap_snprintf(char* to,
                                                                                size_t most,
                                                                                const char* format,
                                                                                ...) {
  va_list values;
  va_start(values, format);
  const int length = print(to, most, format, values, CONVKIT_RETURN_ADDRESS);
  va_end(values);
  return length;
}
CONVKIT_COPY_CALLBACK __attribute__((format(printf, 2, 3))) int __wrap_sprintf(char* to,
                                                                               const char* format,
                                                                               ...) {
  va_list values;
  va_start(values, format);
  const int length = print(to, SIZE_MAX, format, values, CONVKIT_RETURN_ADDRESS);
  va_end(values);
  return length;
}
