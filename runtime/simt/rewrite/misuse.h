// SPDX-License-Identifier: MIT
// Kernels called like functions, functions launched like kernels, and device code in the wrong
// place.
#pragma once

#include <vector>

#include "simt/rewrite/launches.h"
#include "simt/rewrite/names.h"
#include "simt/rewrite/report.h"
#include "simt/rewrite/stream.h"

namespace convkit::rewrite {

// Looks at the code of one file. Says nothing where a valid program could look the same.
void find_misuse(const Stream& stream, const Scopes& scopes, const Names& names,
                 const std::vector<Launch>& launches, Report& report);

}  // namespace convkit::rewrite
