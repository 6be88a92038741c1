// SPDX-License-Identifier: MIT
// Code compiled with -fsanitize=thread calls these before each access (compile_flags.h), and one of
// them where a basic block begins.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu_device/check/judge.h"
#include "cpu_device/check/order.h"
#include "cpu_device/check/present.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/profile/launch.h"
#include "simt/device_side.h"

#define CONVKIT_CALLBACK extern "C" __attribute__((visibility("default")))
#define CONVKIT_RETURN_ADDRESS reinterpret_cast<uintptr_t>(__builtin_return_address(0))

namespace {

// The running thread may be waiting for another block.
inline void polls() {
  using namespace convkit::simt;
  if (check::this_os_thread() == profile::running.os_thread) running_thread_polls();
}

}  // namespace

namespace convkit::simt::check {

// What check/callbacks_atomic.cpp calls. Atomic operations are counted by convkit_simt_atomic(),
// one for each, however many steps a sum of floats takes.
Present present;
void judge(const Access&) {
  polls();
}
void fenced(bool) {}
void compared(uintptr_t, bool, unsigned) {}
void exchanged(uintptr_t, bool, unsigned) {}

}  // namespace convkit::simt::check

namespace {

using convkit::simt::profile::Access;
using convkit::simt::profile::accessed;

inline void load(const void* address, size_t size, uintptr_t pc) {
  accessed(reinterpret_cast<uintptr_t>(address), size, Access::load, pc);
}
inline void store(const void* address, size_t size, uintptr_t pc) {
  accessed(reinterpret_cast<uintptr_t>(address), size, Access::store, pc);
}

}  // namespace

#define CONVKIT_ACCESSES(prefix, size)                                      \
  CONVKIT_CALLBACK void __tsan_##prefix##read##size(const void* address) {  \
    load(address, size, CONVKIT_RETURN_ADDRESS);                            \
  }                                                                         \
  CONVKIT_CALLBACK void __tsan_##prefix##write##size(const void* address) { \
    store(address, size, CONVKIT_RETURN_ADDRESS);                           \
  }
#define CONVKIT_BOTH(prefix, size)                                               \
  CONVKIT_CALLBACK void __tsan_##prefix##read_write##size(const void* address) { \
    load(address, size, CONVKIT_RETURN_ADDRESS);                                 \
    store(address, size, CONVKIT_RETURN_ADDRESS);                                \
  }
#define CONVKIT_VOLATILE(size)                                             \
  CONVKIT_CALLBACK void __tsan_volatile_read##size(const void* address) {  \
    load(address, size, CONVKIT_RETURN_ADDRESS);                           \
    polls();                                                               \
  }                                                                        \
  CONVKIT_CALLBACK void __tsan_volatile_write##size(const void* address) { \
    store(address, size, CONVKIT_RETURN_ADDRESS);                          \
  }
#define CONVKIT_CALLBACKS(size)      \
  CONVKIT_ACCESSES(, size)           \
  CONVKIT_BOTH(, size)               \
  CONVKIT_ACCESSES(unaligned_, size) \
  CONVKIT_BOTH(unaligned_, size)     \
  CONVKIT_VOLATILE(size)             \
  CONVKIT_ACCESSES(unaligned_volatile_, size)

CONVKIT_CALLBACKS(1)
CONVKIT_CALLBACKS(2)
CONVKIT_CALLBACKS(4)
CONVKIT_CALLBACKS(8)
CONVKIT_CALLBACKS(16)

CONVKIT_CALLBACK void __tsan_read_range(const void* address, size_t size) {
  load(address, size, CONVKIT_RETURN_ADDRESS);
}
CONVKIT_CALLBACK void __tsan_write_range(const void* address, size_t size) {
  store(address, size, CONVKIT_RETURN_ADDRESS);
}
CONVKIT_CALLBACK void __tsan_vptr_read(const void* address) {
  load(address, sizeof(void*), CONVKIT_RETURN_ADDRESS);
}
CONVKIT_CALLBACK void __tsan_vptr_update(const void* address, const void*) {
  store(address, sizeof(void*), CONVKIT_RETURN_ADDRESS);
}

// In front of the engine's own.
CONVKIT_CALLBACK void convkit_simt_atomic(const void* address, unsigned size, unsigned) {
  accessed(reinterpret_cast<uintptr_t>(address), size, Access::atomic, CONVKIT_RETURN_ADDRESS);
}

#define CONVKIT_COPY(name, plain)                                         \
  CONVKIT_CALLBACK void* name(void* to, const void* from, size_t bytes) { \
    load(from, bytes, CONVKIT_RETURN_ADDRESS);                            \
    store(to, bytes, CONVKIT_RETURN_ADDRESS);                             \
    return plain(to, from, bytes);                                        \
  }
#define CONVKIT_SET(name)                                          \
  CONVKIT_CALLBACK void* name(void* to, int value, size_t bytes) { \
    store(to, bytes, CONVKIT_RETURN_ADDRESS);                      \
    return std::memset(to, value, bytes);                          \
  }

CONVKIT_COPY(__wrap_memcpy, std::memcpy)
CONVKIT_COPY(__wrap_memmove, std::memmove)
CONVKIT_SET(__wrap_memset)
CONVKIT_COPY(__tsan_memcpy, std::memcpy)
CONVKIT_COPY(__tsan_memmove, std::memmove)
CONVKIT_SET(__tsan_memset)

CONVKIT_CALLBACK void __sanitizer_cov_trace_pc() {
  convkit::simt::profile::passed(CONVKIT_RETURN_ADDRESS,
                                 reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
}

// Calls that are not needed.
CONVKIT_CALLBACK void convkit_simt_note_rooms(const void*, size_t, const void*, size_t) {}
CONVKIT_CALLBACK void __tsan_init() {}
CONVKIT_CALLBACK void __tsan_func_entry(const void*) {}
CONVKIT_CALLBACK void __tsan_func_exit() {}
CONVKIT_CALLBACK void __tsan_ignore_thread_begin() {}
CONVKIT_CALLBACK void __tsan_ignore_thread_end() {}
