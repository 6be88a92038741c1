// SPDX-License-Identifier: MIT
// Reads by textures. The engine makes them, so the compiler's callbacks do not see them. (Surfaces
// are accessed in place, and seen as any other memory.)
#pragma once

#include <cstddef>
#include <cstdint>

namespace convkit::simt::check {

// For the hooks of the engine.
void texel_was_read(const void* texel, size_t bytes, uintptr_t pc);
void fetched_beyond(const void* memory, int64_t index, int64_t count, uintptr_t pc);

}  // namespace convkit::simt::check
