// SPDX-License-Identifier: MIT
// Code compiled with -fsanitize=alignment,bounds calls these before a fault happens. The layout of
// the descriptions is part of the compilers' interface (LLVM, compiler-rt/lib/ubsan).
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "cpu_device/check/bad_access.h"
#include "cpu_device/check/present.h"

#define CONVKIT_UNDEFINED_CALLBACK extern "C" __attribute__((visibility("default")))
#define CONVKIT_RETURN_ADDRESS reinterpret_cast<uintptr_t>(__builtin_return_address(0))

namespace {

using namespace convkit::simt::check;

struct Location {
  const char* file;
  uint32_t line, column;
};

struct Type {
  uint16_t kind;
  uint16_t info;  // of an integer: signed, and the logarithm of its bits
  char name[1];   // "'int [64]'"
};

struct TypeMismatch {
  Location location;
  const Type* type;
  unsigned char log_alignment;
  unsigned char what;
};

struct OutOfBounds {
  Location location;
  const Type* array;
  const Type* index;
};

// 64 of "'int [64]'"; of an array of arrays, the outer.
uint64_t count_of(const Type& array) {
  const std::string name = array.name;
  const size_t bracket = name.find('[');
  return bracket == std::string::npos ? 0 : std::strtoull(name.c_str() + bracket + 1, nullptr, 10);
}

// float4 of "'const struct float4'".
std::string plain_name(std::string name) {
  for (const char* part : {"'", "const ", "struct ", "volatile "}) {
    for (size_t at = name.find(part); at != std::string::npos; at = name.find(part)) {
      name.erase(at, std::string(part).size());
    }
  }
  return name;
}

int64_t value_of(const Type& type, uintptr_t handle) {
  const unsigned bits = 1u << (type.info >> 1);
  if (bits >= 64 || !(type.info & 1)) return static_cast<int64_t>(handle);
  const unsigned unused = 64 - bits;
  return static_cast<int64_t>(static_cast<uint64_t>(handle) << unused) >> unused;
}

}  // namespace

CONVKIT_UNDEFINED_CALLBACK void __ubsan_handle_type_mismatch_v1(const TypeMismatch* data,
                                                                uintptr_t at) {
  if (!in_kernel() || at == 0) return;
  stop_misaligned(at, "`" + plain_name(data->type->name) + "`", size_t{1} << data->log_alignment,
                  line_of(CONVKIT_RETURN_ADDRESS));
}

CONVKIT_UNDEFINED_CALLBACK void __ubsan_handle_out_of_bounds(const OutOfBounds* data,
                                                             uintptr_t index) {
  if (in_kernel()) expect_overrun(value_of(*data->index, index), count_of(*data->array));
}

// A promise of the kit's own headers.
CONVKIT_UNDEFINED_CALLBACK void __ubsan_handle_alignment_assumption(const void*, uintptr_t,
                                                                    uintptr_t, uintptr_t) {}
