// SPDX-License-Identifier: MIT
// Where allocations were made and freed, wrong frees, copies, and what is left at the end.
#pragma once

#include <memory>
#include <string>

#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {

// ", made at tile.cu:12, freed at tile.cu:20"
std::string allocation_remark(const Allocation& allocation);

// For the hooks of the engine.
void allocation_made(const Allocation& allocation);
void allocation_freed(const Allocation& allocation);
void allocation_will_be_freed(const Allocation& allocation);
void free_was_refused(void* pointer);
std::shared_ptr<void> current_call_site();
void rows_copied(const CopiedRows& rows, const void* call_site);
void device_was_reset();

void report_leaks();
// Only allocations that are made from now on are leaks.
void forget_leaks();

}  // namespace convkit::simt::check
