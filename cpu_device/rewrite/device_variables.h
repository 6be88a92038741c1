// SPDX-License-Identifier: MIT
// `__constant__ float f[9];` becomes `static __attribute__((unused)) __constant__ float f[9];`.
// nvcc compiles each source as a whole program, so each has its own variables in device memory, and
// two files may have one of the same name. With -rdc=true they are variables of the program.
// CONVKIT_SIMT_CONSTANT_MEMORY goes before those that are `__constant__`.
#pragma once

#include <cstddef>
#include <optional>

#include "cpu_device/rewrite/edits.h"
#include "cpu_device/rewrite/names.h"
#include "cpu_device/rewrite/scopes.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

// Tokens of a variable's declaration, up to its first name.
struct DeviceVariable {
  size_t begin, name;
  bool external = false;  // declared `extern`
  bool settled = false;   // declared `static`, `inline` or the like
};

// The declaration whose specifiers have `__constant__`, `__device__` or `__managed__` as token `i`.
// Nothing where it may be of something else.
std::optional<DeviceVariable> read_device_variable(const Stream& stream, size_t i);

// Changes every definition of such a variable outside of functions, unless the files declare it
// `extern`, too, or a macro among the specifiers may say more.
void rewrite_device_variables(const Stream& stream, const Scopes& scopes, const Names& names,
                              Edits& edits);

}  // namespace convkit::rewrite
