// SPDX-License-Identifier: MIT
// The launch that is being profiled: what its threads access is collected.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu_device/engine/grid.h"

namespace convkit::simt::profile {

// Called by the worker that runs the launch; there is one, and blocks run one after the other.
void launch_begins(const Grid& grid);
void launch_ends(const Grid& grid);
void block_begins();
void block_meets();
void barrier_opens();
void warp_meets(unsigned warp, unsigned lanes, unsigned live);

enum class Access { load, store, atomic };
// An access of the running thread; `pc` is the return address into the program. Nothing is counted
// for host code, and of a thread's own stack, the kernel's arguments, and threadIdx and its like.
void accessed(uintptr_t at, size_t size, Access access, uintptr_t pc);

}  // namespace convkit::simt::profile
