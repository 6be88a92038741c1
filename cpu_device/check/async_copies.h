// SPDX-License-Identifier: MIT
// Asynchronous copies into shared memory (engine/async_copies.h). On a GPU the bytes arrive at any
// time between the call and the wait. So such a copy is judged twice: when it is asked for, against
// what others still do with the old contents, and when it is waited for. Between the two, nobody
// has written its target. Reports name the line that asks.
#pragma once

#include "cpu_device/engine/async_copies.h"

namespace convkit::simt::check {

void async_copy_begins(const AsyncCopy& copy);
void async_copy_ends(const AsyncCopy& copy);
// A block begins: nobody waits for the copies of the last one.
void forget_async_copies();

// Where a copy to this byte of shared memory was asked for that nobody has waited for yet: a
// return address into the program, or 0.
uintptr_t async_copy_to(uintptr_t at);

}  // namespace convkit::simt::check
