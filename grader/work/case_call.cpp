// SPDX-License-Identifier: MIT
#include "work/case_call.h"

#include <algorithm>

#include "grade/stored_case.h"
#include "grade/verdict.h"

namespace convkit {

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
