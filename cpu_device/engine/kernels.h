// SPDX-License-Identifier: MIT
// The attributes of kernels that a program has set.
#pragma once

#include <cstddef>

namespace convkit::simt {

// Bytes of dynamic shared memory that a launch of this kernel may ask for: 48 KiB, or what
// cudaFuncSetAttribute allowed.
size_t dynamic_shared_limit(const void* function);
void set_dynamic_shared_limit(const void* function, size_t bytes);

// Whether the address lies in the writable data of the program or one of its libraries, where
// __device__, __constant__ and __managed__ variables are (and host globals, too).
bool is_in_program_data(const void* address);

}  // namespace convkit::simt
