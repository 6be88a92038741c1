// SPDX-License-Identifier: MIT
// What a runner in check mode leaves in its flight record beside the reports: whether the device
// did the work that a right output needs, by a library where one is asked for. It finds what was
// computed on the host; it does not find a kernel that only copies it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/result.h"
#include "stage/stage.h"

namespace convkit {

// Judges the right outputs of an op that the stage wants on the device, or by a library there.
// False where the device did not do the work: `result` is WRONG then, as no_kernel or
// no_library_call. `counts`: see below.
bool judge_work(const Stage& stage, const std::string& op,
                std::span<const std::vector<std::byte>> outputs, const std::string& counts,
                CaseResult& result);

// `counts`: "launches 1 library_calls 0 output_bytes 64 bytes_of_host 0 bytes_from_device 0
// bytes_as_computed 0", of one call; output_bytes are those in device memory, bytes_as_computed
// those in host memory that hold what came from the device, `bytes` those of all outputs. The end
// of a sentence that begins with the function's name, or "" where the device did the work, or where
// nothing is known.
std::string work_of_host(const std::string& counts, uint64_t bytes);

// Likewise, where no library was called: "launched 2 kernels and called no library."
std::string work_without_library(const std::string& counts);

}  // namespace convkit
