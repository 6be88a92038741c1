// SPDX-License-Identifier: MIT
// How much memory of the host a copy may use. Several know: the compiler, where it sees the
// declaration of the array from the call (simt/check_copies.h); the program's malloc() and new,
// which are brought to device_heap.cpp; the symbol table, of variables; and the stack, where an
// array ends with its function's frame at the latest.
#pragma once

#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {

// From the pointer on; nothing where nobody knows.
std::optional<HostRoom> host_room(const void* pointer);

// Host code has allocated the block; it is about to free what begins there.
void host_block_taken(void* memory, size_t bytes);
void host_block_left(void* memory);

}  // namespace convkit::simt::check

// Before a copy: what the compiler knows of its two sides, each as of __builtin_object_size(_, 0).
extern "C" CONVKIT_SIMT_EXPORT void convkit_simt_note_rooms(const void* to, size_t to_room,
                                                            const void* from, size_t from_room);
