// SPDX-License-Identifier: MIT
// What library calls, such as cuBLAS's, do to memory: reads of what nobody has written are told,
// and results that lie on what they are made of; what is written is known as written afterwards.
#pragma once

#include "cpu_device/engine/library_call.h"

namespace convkit::simt::check {

// The first byte of [begin, end) that neither a copy nor a kernel has written; `end` if there is
// none.
uintptr_t first_unwritten(uintptr_t begin, uintptr_t end);

// For the hooks of the engine.
void library_uses(const Operand& operand, const char* call, const void* call_site);
void library_overlaps(const Operand* operands, size_t count, const char* call,
                      const void* call_site);
void library_fault(const Fault& fault, const char* call, const void* call_site);

}  // namespace convkit::simt::check
