// SPDX-License-Identifier: MIT
#include "cpu_device/dnn/prepared_convolution.h"

namespace convkit::simt::dnn {

bool prepare(Refusal& refusal, Pass pass, int algorithm, const Described& arguments,
             const Additions& additions, Prepared& prepared) {
  const auto& [alpha, beta, workspace, workspace_bytes] = additions;
  if (refusal.null({alpha, beta}) || !describe(refusal, arguments, prepared.conv)) return false;
  const Judgement judgement = judge(pass, algorithm, prepared.conv);
  const auto algo = [&] { return "algo is " + algorithm_text(pass, algorithm); };
  if (judgement.status != CUDNN_STATUS_SUCCESS) {
    refusal.with(judgement.status, algo() + "; " + judgement.why);
    return false;
  }
  if (workspace_bytes < judgement.workspace) {
    refusal.bad_param(said("workSpaceSizeInBytes is ", workspace_bytes, "; ", algo(),
                           ", which needs ", judgement.workspace, " here"));
    return false;
  }
  if (judgement.workspace > 0 && !workspace) {
    refusal.bad_param(
        said("workSpace is null; ", algo(), ", which needs ", judgement.workspace, " bytes here"));
    return false;
  }
  prepared.workspace = workspace;
  prepared.workspace_bytes = judgement.workspace;
  if (take(prepared.call, alpha.pointer, beta.pointer, prepared.factors)) return true;
  refusal.is(CUDNN_STATUS_EXECUTION_FAILED);
  return false;
}

}  // namespace convkit::simt::dnn
