// SPDX-License-Identifier: MIT
// An output and what is right: the verdict, and its words.
#pragma once

#include "compare/diagnose.h"
#include "grade/case.h"
#include "stage/stage.h"

namespace convkit {

// By the error bound of every element; of evidence where all but `comparison` is filled in.
Comparison compared(const Evidence& evidence);

// Judges the output of `evidence`, where all but `comparison` is filled in: by the error bound of
// every element, and, if it is a sum of products, by its precision. False where it is wrong;
// `result` then says how. `untouched`: it is what the harness put there before the call.
bool judge_output(const Stage& stage, const CaseHead& head, Evidence& evidence, bool todo_reached,
                  bool untouched, CaseResult& result);

}  // namespace convkit
