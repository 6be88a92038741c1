// SPDX-License-Identifier: MIT
// The gradient of a bias. Sums are doubles.
#include <vector>

#include "cpu_device/dnn/float_copies.h"
#include "cpu_device/dnn/reduction.h"
#include "cpu_device/dnn/rows.h"

using namespace convkit::simt::dnn;

// db, of one value for each channel, gets the sum of dy over everything else.
extern "C" cudnnStatus_t cudnnConvolutionBackwardBias(cudnnHandle_t handle, const void* alpha,
                                                      const cudnnTensorDescriptor_t dyDesc,
                                                      const void* dy, const void* beta,
                                                      const cudnnTensorDescriptor_t dbDesc,
                                                      void* db) {
  if (!is_alive(handle) || !alpha || !dyDesc || !dy || !beta || !dbDesc || !db) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  const cudnnTensorStruct from = *dyDesc, to = *dbDesc;
  bool fits = from.dims == to.dims && from.dims >= 3 && from.type == to.type;
  for (int i = 0; i < from.dims && fits; ++i) {
    fits = to.size[i] == (i == 1 ? from.size[i] : 1);
  }
  if (!fits) return CUDNN_STATUS_BAD_PARAM;
  if (!is_computed(from) || !is_computed(to)) return CUDNN_STATUS_NOT_SUPPORTED;
  const auto call = convkit::simt::library_call("cudnnConvolutionBackwardBias");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(handle, [=] {
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
