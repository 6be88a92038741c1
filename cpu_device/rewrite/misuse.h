// SPDX-License-Identifier: MIT
// Kernels called like functions, functions launched like kernels, and device code in the wrong
// place.
#pragma once

#include <vector>

#include "cpu_device/rewrite/launches.h"
#include "cpu_device/rewrite/names.h"
#include "cpu_device/rewrite/report.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

// Checks the code of one file. Reports nothing if a valid program could look the same.
void find_misuse(const Stream& stream, const Scopes& scopes, const Names& names,
                 const std::vector<Launch>& launches, Report& report);

}  // namespace convkit::rewrite
