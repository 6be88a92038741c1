// SPDX-License-Identifier: MIT
// An output and what is right: the verdict, and its words. Two runs of one operation on the same
// inputs, compared bit by bit.
#pragma once

#include <cstddef>
#include <span>

#include "compare/diagnose.h"
#include "grade/case.h"
#include "report/result.h"
#include "session/shared_tensors.h"
#include "stage/stage.h"

namespace convkit {

// By the error bound of every element; of evidence where all but `comparison` is filled in.
Comparison compared(const Evidence& evidence);

// Judges the output of `evidence`, where all but `comparison` is filled in: by the error bound of
// every element, and, if it is a sum of products, by its precision. False where it is wrong;
// `result` then says how. `untouched`: it is what the harness put there before the call.
bool judge_output(const Stage& stage, const CaseHead& head, Evidence& evidence, bool todo_reached,
                  bool untouched, CaseResult& result);

// True where both are the same. Otherwise `result` becomes WRONG, with the id "not_deterministic"
// and what to know about the order of float additions.
bool judge_same_bits(const std::string& op, const TensorSpec& tensor,
                     std::span<const std::byte> first, std::span<const std::byte> again,
                     CaseResult& result);

}  // namespace convkit
