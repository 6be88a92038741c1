// SPDX-License-Identifier: MIT
// Names for device memory, so that reports say "`x`" instead of "allocation 2".
#pragma once

#include <stddef.h>

#pragma GCC visibility push(default)
extern "C" {

// `bytes` from `pointer` on are called `name`. They lie in one allocation, which may be larger:
// reports speak of these bytes. An allocation has one name.
void convkit_simt_name_memory(const void* pointer, size_t bytes, const char* name);
}
#pragma GCC visibility pop
