// SPDX-License-Identifier: MIT
// Building a stage of a submission: the builder's outcome as a status and in words.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compile/builder.h"
#include "grade/kit.h"
#include "report/result.h"

namespace convkit {

Status status_of(BuildResult::Status status);

// A full disk or a folder that cannot be made is the machine's fault: it must not end the grading
// of other stages.
BuildResult build_or_explain(Builder& builder, const BuildRequest& request, ThreadPool& pool,
                             const std::function<void(const std::string&)>& progress = {});

BuildResult build_baseline(const Kit& kit, const Stage& stage, Builder& builder, ThreadPool& pool);

// Where a name is defined twice: a source that the stage does not ask for is the likely reason.
// " `old.cpp` is not one of ...", or "".
std::string cause_of_duplicate(const BuildResult& built, const Stage& stage,
                               const std::vector<std::string>& files);

}  // namespace convkit
