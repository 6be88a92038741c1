// SPDX-License-Identifier: MIT
// Two runs of one operation on the same inputs, compared bit by bit.
#pragma once

#include <cstddef>
#include <span>

#include "report/result.h"
#include "session/shared_tensors.h"

namespace convkit {

// True where both are the same. Otherwise `result` becomes WRONG, with the id "not_deterministic"
// and what to know about the order of float additions.
bool judge_same_bits(const std::string& op, const TensorSpec& tensor,
                     std::span<const std::byte> first, std::span<const std::byte> again,
                     CaseResult& result);

}  // namespace convkit
