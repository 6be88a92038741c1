// SPDX-License-Identifier: MIT
// Programs for check mode are linked with -Wl,--wrap=malloc and so on, which brings the calls of
// their own code here.
#include "cpu_device/check/device_heap.h"

#include <cstdlib>
#include <iterator>
#include <map>
#include <new>

#include "cpu_device/check/host_memory.h"
#include "cpu_device/check/present.h"
#include "cpu_device/check/shadow.h"

namespace convkit::simt::check {
namespace {

std::map<uintptr_t, size_t>& pieces() {
  static auto* const by_begin = new std::map<uintptr_t, size_t>;
  return *by_begin;
}

void* noted(void* memory, size_t bytes) {
  if (memory == nullptr) return memory;
  if (in_kernel()) {
    pieces()[reinterpret_cast<uintptr_t>(memory)] = bytes;
  } else {
    host_block_taken(memory, bytes);
  }
  return memory;
}

void* forgotten(void* memory) {
  if (memory == nullptr) return memory;
  if (!in_kernel()) {
    host_block_left(memory);
    return memory;
  }
  const auto found = pieces().find(reinterpret_cast<uintptr_t>(memory));
  if (found == pieces().end()) return memory;
  forget(found->first, found->second);
  pieces().erase(found);
  return memory;
}

}  // namespace

void heap_taken(void* memory, size_t bytes) {
  noted(memory, bytes);
}
void heap_left(void* memory) {
  forgotten(memory);
}

HeapPiece heap_piece_at(uintptr_t at) {
  const auto after = pieces().upper_bound(at);
  if (after == pieces().begin()) return {};
  const auto& [begin, bytes] = *std::prev(after);
  return at - begin < bytes ? HeapPiece{begin, bytes} : HeapPiece{};
}

}  // namespace convkit::simt::check

#define CONVKIT_WRAPPER extern "C" __attribute__((visibility("default")))

using convkit::simt::check::forgotten;
using convkit::simt::check::noted;

CONVKIT_WRAPPER void* __wrap_malloc(size_t bytes) {
  return noted(std::malloc(bytes), bytes);
}
CONVKIT_WRAPPER void* __wrap_calloc(size_t count, size_t size) {
  return noted(std::calloc(count, size), count * size);
}
CONVKIT_WRAPPER void* __wrap_realloc(void* memory, size_t bytes) {
  return noted(std::realloc(forgotten(memory), bytes), bytes);
}
CONVKIT_WRAPPER void __wrap_free(void* memory) {
  std::free(forgotten(memory));
}
// operator new and delete, and those of arrays.
CONVKIT_WRAPPER void* __wrap__Znwm(size_t bytes) {
  return noted(::operator new(bytes), bytes);
}
CONVKIT_WRAPPER void* __wrap__Znam(size_t bytes) {
  return noted(::operator new[](bytes), bytes);
}
CONVKIT_WRAPPER void __wrap__ZdlPv(void* memory) {
  ::operator delete(forgotten(memory));
}
CONVKIT_WRAPPER void __wrap__ZdlPvm(void* memory, size_t) {
  ::operator delete(forgotten(memory));
}
CONVKIT_WRAPPER void __wrap__ZdaPv(void* memory) {
  ::operator delete[](forgotten(memory));
}
CONVKIT_WRAPPER void __wrap__ZdaPvm(void* memory, size_t) {
  ::operator delete[](forgotten(memory));
}
// The same for types of larger alignment than usual.
CONVKIT_WRAPPER void* __wrap__ZnwmSt11align_val_t(size_t bytes, std::align_val_t alignment) {
  return noted(::operator new(bytes, alignment), bytes);
}
CONVKIT_WRAPPER void* __wrap__ZnamSt11align_val_t(size_t bytes, std::align_val_t alignment) {
  return noted(::operator new[](bytes, alignment), bytes);
}
CONVKIT_WRAPPER void __wrap__ZdlPvSt11align_val_t(void* memory, std::align_val_t alignment) {
  ::operator delete(forgotten(memory), alignment);
}
CONVKIT_WRAPPER void __wrap__ZdlPvmSt11align_val_t(void* memory, size_t,
                                                   std::align_val_t alignment) {
  ::operator delete(forgotten(memory), alignment);
}
CONVKIT_WRAPPER void __wrap__ZdaPvSt11align_val_t(void* memory, std::align_val_t alignment) {
  ::operator delete[](forgotten(memory), alignment);
}
CONVKIT_WRAPPER void __wrap__ZdaPvmSt11align_val_t(void* memory, size_t,
                                                   std::align_val_t alignment) {
  ::operator delete[](forgotten(memory), alignment);
}
