// SPDX-License-Identifier: MIT
// Host code that assigns a variable in device memory as if it were its own.
#pragma once

#include "cpu_device/rewrite/names.h"
#include "cpu_device/rewrite/report.h"
#include "cpu_device/rewrite/source.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

// On a GPU such an assignment changes a copy that no kernel sees, and nvcc only warns of it. Reads
// are not looked at. Reports nothing if a valid program could look the same.
void find_host_assignments(const Source& source, const Stream& stream, const Names& names,
                           Report& report);

}  // namespace convkit::rewrite
