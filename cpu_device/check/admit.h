// SPDX-License-Identifier: MIT
// The first access to memory: is a kernel allowed there? The answer is kept in its cells, so that
// it is asked once.
#pragma once

#include "cpu_device/check/judge.h"
#include "cpu_device/check/shadow.h"

namespace convkit::simt::check {

// The cell of the word with the byte `at`, initialised. Stops the kernel if there is no memory for
// it; null if accesses are not tracked there (other threads' stacks).
Cell* admitted_cell(const Access& access, uintptr_t at);

// The same for one byte of a split cell.
void admit_byte(const Access& access, uintptr_t at, Cell& cell);

// Cells of device memory that a copy has written since they were first seen say so.
void resolve_unwritten(uintptr_t at, size_t size);

// What was written there no longer counts: shared memory that a copy is under way to.
void make_unwritten(uintptr_t at, size_t size);

// The read of unwritten memory has been or will be reported, so it is not reported again.
void settle_unwritten(uintptr_t at, size_t size, bool shared);

}  // namespace convkit::simt::check
