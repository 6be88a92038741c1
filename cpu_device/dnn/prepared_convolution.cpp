// SPDX-License-Identifier: MIT
#include "cpu_device/dnn/prepared_convolution.h"

namespace convkit::simt::dnn {

bool prepare(Refusal& refusal, Pass pass, int algorithm, const Described& arguments,
             const Additions& additions, Prepared& prepared) {
  const auto& [alpha, beta, workspace, workspace_bytes] = additions;
  if (refusal.null({alpha, beta}) || !describe(refusal, arguments, prepared.conv)) return false;
  const Judgement judgement = judge(pass, algorithm, prepared.conv);
  const auto algo = [&] { return algorithm_text(pass, algorithm); };
  const auto wrong = [&](cudnnStatus_t status, const std::string& sentence) {
    refusal.with(status, sentence);
    return false;
  };
  const size_t needed = judgement.workspace;
  if (judgement.status != CUDNN_STATUS_SUCCESS) {
    return wrong(judgement.status, said("algo is ", algo(), "; ", judgement.why));
  }
  if (workspace_bytes < needed) {
    return wrong(CUDNN_STATUS_BAD_PARAM,
                 said("workSpaceSizeInBytes is ", workspace_bytes, ", less than the ", needed,
                      " that algo ", algo(), " needs here"));
  }
  if (needed > 0 && !workspace) {
    return wrong(CUDNN_STATUS_BAD_PARAM,
                 said("workSpace is null, and algo ", algo(), " needs ", needed, " bytes here"));
  }
  prepared.workspace = workspace;
  prepared.workspace_bytes = needed;
  if (take(prepared.call, alpha.pointer, beta.pointer, prepared.factors)) return true;
  refusal.is(CUDNN_STATUS_EXECUTION_FAILED);
  return false;
}

}  // namespace convkit::simt::dnn
