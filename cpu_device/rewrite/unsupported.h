// SPDX-License-Identifier: MIT
// Parts of CUDA that the CPU device does not have, each with what to use instead.
#pragma once

#include <string_view>

#include "cpu_device/rewrite/names.h"
#include "cpu_device/rewrite/report.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

// Reports the first use of each name. `scopes` is null for a macro's body.
void find_unsupported(const Stream& stream, const Scopes* scopes, const Names& names,
                      Report& report);

}  // namespace convkit::rewrite
