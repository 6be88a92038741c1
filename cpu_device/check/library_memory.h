// SPDX-License-Identifier: MIT
// Memory accesses of library calls, such as cuBLAS. Reads of unwritten memory and results that
// overlap their inputs are reported; written memory is marked as written.
//
// And objects that libraries have created for the program, such as cuDNN's descriptors.
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

// Tells of handles and descriptors that were never destroyed.
void report_library_leaks();
// The same of texture and surface objects.
void report_texture_leaks();

}  // namespace convkit::simt::check
