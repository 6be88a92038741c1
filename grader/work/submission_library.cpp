// SPDX-License-Identifier: MIT
#include "work/submission_library.h"

#include <fmt/core.h>

#include <algorithm>

#include "convkit/kit_error.h"
#include "grade/stored_case.h"
#include "grade/verdict.h"
#include "machine/console.h"

namespace convkit {

std::filesystem::path build_library(const Kit& kit, const Stage& stage, const WorkFolder& work,
                                    bool debug, SimtMode mode) {
  StatusLine status;
  status.doing(fmt::format("compiling {}", stage.id));
  BuildRequest request = kit.build_request(stage, work.folder, work.files, mode);
  if (debug) {
    request.flags.emplace_back(request.target == BuildTarget::gpu ? "-lineinfo" : "-g");
  }
  Builder builder = kit.builder();
  ThreadPool pool;
  const BuildResult result = builder.build(request, pool);
  if (result.status != BuildResult::Status::ok) {
    throw UsageError(fmt::format("{} does not build: {}", work.folder.string(), result.message));
  }
  return result.library;
}

Answer call_case(Session& session, const Stage& stage, const CaseSpec& spec) {
  const StoredTrial stored(stage, spec);
  SharedArena inputs(stored.inputs()), outputs(stored.outputs());
  for (size_t i = 0; i < inputs.tensors().size(); ++i) {
    std::ranges::copy(stored.input(i), inputs.bytes(i).begin());
  }
  outputs.poison();
  Answer answer = session.prepare(spec.op, spec.params, inputs, outputs);
  if (answer.kind == Answer::Kind::ok) answer = session.run();
  return answer;
}

std::string problem_of(const Answer& answer, const Stage& stage, const CaseSpec& spec) {
  if (answer.kind == Answer::Kind::ok) return "";
  return verdict_of(answer, stage, spec.op, -1).message;
}

}  // namespace convkit
