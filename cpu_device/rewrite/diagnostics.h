// SPDX-License-Identifier: MIT
// What is wrong with a program, said before the compiler sees it.
#pragma once

#include <string_view>
#include <vector>

#include "cpu_device/rewrite/launches.h"
#include "cpu_device/rewrite/names.h"
#include "cpu_device/rewrite/report.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

// Kernels called like functions, functions launched like kernels, and device code in the wrong
// place. Checks the code of one file. Reports nothing if a valid program could look the same.
void find_misuse(const Stream& stream, const Scopes& scopes, const Names& names,
                 const std::vector<Launch>& launches, Report& report);

// Parts of CUDA that the CPU device does not have, each with what to use instead. Reports the first
// use of each name. `scopes` is null for a macro's body.
void find_unsupported(const Stream& stream, const Scopes* scopes, const Names& names,
                      Report& report);

}  // namespace convkit::rewrite
