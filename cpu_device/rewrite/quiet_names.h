// SPDX-License-Identifier: MIT
// What the CPU device's headers and the C library offer to kernels, as far as it is computed in
// place: it neither waits nor asks the engine anything.
#pragma once

#include <string_view>

namespace convkit::rewrite {

// A function of mathematics, an intrinsic, an atomic operation that no lock is made of, ...
bool is_quiet_builtin(std::string_view name);

// A built-in type, or one of the vector types.
bool is_builtin_type(std::string_view name);

// A name that waits, or asks which thread runs; no list could be complete for code that is called
// by its name (then it must be known to be quiet).
bool waits_or_asks(std::string_view name);

}  // namespace convkit::rewrite
