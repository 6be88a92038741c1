// SPDX-License-Identifier: MIT
// The name of a kernel that is launched by its address.
#pragma once

#include <string>

namespace convkit::simt {

// "reduce<float>", by the symbol table of the program or library that holds the function;
// `fallback` where that has been stripped.
const std::string& name_of_kernel(const void* function, const char* fallback);

}  // namespace convkit::simt
