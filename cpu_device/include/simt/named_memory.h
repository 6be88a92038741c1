// SPDX-License-Identifier: MIT
// Names for device memory, so that reports say "`x`" instead of "allocation 2".
#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)
extern "C" {

// `bytes` from `pointer` on are called `name`. They lie in one allocation, which may be larger:
// reports speak of these bytes. An allocation has one name.
void convkit_simt_name_memory(const void* pointer, size_t bytes, const char* name);
// What was named there is a tensor in C order, for which reports have coordinates: "y[0,0,0,3]".
// An output is to be written by what the program launches.
void convkit_simt_shape_memory(const void* pointer, const int64_t* dims, size_t count,
                               size_t element_bytes, int output);
}
#pragma GCC visibility pop
