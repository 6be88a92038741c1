// SPDX-License-Identifier: MIT
// The gradient of a bias. Sums are doubles.
#include <vector>

#include "cpu_device/dnn/float_copies.h"
#include "cpu_device/dnn/reduction.h"
#include "cpu_device/dnn/refusal.h"
#include "cpu_device/dnn/rows.h"

using namespace convkit::simt::dnn;

// db, of one value for each channel, gets the sum of dy over everything else.
extern "C" cudnnStatus_t cudnnConvolutionBackwardBias(cudnnHandle_t handle, const void* alpha,
                                                      const cudnnTensorDescriptor_t dyDesc,
                                                      const void* dy, const void* beta,
                                                      const cudnnTensorDescriptor_t dbDesc,
                                                      void* db) {
  Refusal refusal("cudnnConvolutionBackwardBias");
  if (refusal.no_handle(handle) || refusal.null({{"alpha", alpha},
                                                 {"dyDesc", dyDesc},
                                                 {"dy", dy},
                                                 {"beta", beta},
                                                 {"dbDesc", dbDesc},
                                                 {"db", db}})) {
    return refusal.status();
  }
  const cudnnTensorStruct from = *dyDesc, to = *dbDesc;
  if (refusal.is_no_bias_of("dbDesc", to, "dyDesc", from) ||
      (from.dims < 3 &&
       refusal.bad_param(said("dyDesc has ", from.dims, " dimensions; it must have at least 3"))) ||
      refusal.not_computed("dyDesc", from) || refusal.not_computed("dbDesc", to)) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnConvolutionBackwardBias");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(call, handle, [=] {
    if (!may_use(call, "dy", dy, from, Use::read) ||
        !may_use(call, "db", db, to, result_use(factors.beta))) {
      return;
    }
    const FloatInput gradient(dy, from);
    FloatResult sums(db, to, factors.beta != 0);
    reduce(CUDNN_REDUCE_TENSOR_ADD, CUDNN_PROPAGATE_NAN, factors, gradient.data(), from,
           sums.data(), to);
  });
}
