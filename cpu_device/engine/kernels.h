// SPDX-License-Identifier: MIT
// Kernels by their addresses: the attributes that a program has set, and their names.
#pragma once

#include <cstddef>
#include <string>

namespace convkit::simt {

// Bytes of dynamic shared memory that a launch of this kernel may ask for: 48 KiB, or what
// cudaFuncSetAttribute allowed.
size_t dynamic_shared_limit(const void* function);
void set_dynamic_shared_limit(const void* function, size_t bytes);

// Whether the address lies in the writable data of the program or one of its libraries, where
// __device__, __constant__ and __managed__ variables are (and host globals, too).
bool is_in_program_data(const void* address);

// "reduce<float>", by the symbol table of the program or library that holds the function;
// `fallback` where that has been stripped.
const std::string& name_of_kernel(const void* function, const char* fallback);

}  // namespace convkit::simt
