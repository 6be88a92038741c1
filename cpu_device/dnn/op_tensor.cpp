// SPDX-License-Identifier: MIT
// Operations on the elements of two tensors, and copies between layouts.

#include <cmath>

#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/descriptors.h"
#include "cpu_device/dnn/float_copies.h"
#include "cpu_device/dnn/places.h"
#include "cpu_device/dnn/refusal.h"
#include "cpu_device/dnn/rows.h"
#include "simt/cudnn_op_tensor.h"

// The contents of a descriptor of an operation on two tensors.
struct cudnnOpTensorStruct {
  cudnnOpTensorOp_t operation = CUDNN_OP_TENSOR_ADD;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
};

namespace convkit::simt::dnn {
namespace {

// A NaN among two numbers is the result only if it is to be handed on.
float chosen(const cudnnOpTensorStruct& op, float a, float b, bool first) {
  if (std::isnan(a)) return op.nan == CUDNN_PROPAGATE_NAN ? a : b;
  if (std::isnan(b)) return op.nan == CUDNN_PROPAGATE_NAN ? b : a;
  return first ? a : b;
}

bool has_second(const cudnnOpTensorStruct& op) {
  return op.operation != CUDNN_OP_TENSOR_SQRT && op.operation != CUDNN_OP_TENSOR_NOT;
}

float apply(const cudnnOpTensorStruct& op, float a, float b) {
  switch (op.operation) {
    case CUDNN_OP_TENSOR_MUL:
      return a * b;
    case CUDNN_OP_TENSOR_MIN:
      return chosen(op, a, b, a < b);
    case CUDNN_OP_TENSOR_MAX:
      return chosen(op, a, b, a > b);
    case CUDNN_OP_TENSOR_SQRT:
      return std::sqrt(a);
    case CUDNN_OP_TENSOR_NOT:
      return 1 - a;
    default:
      return a + b;
  }
}

}  // namespace
}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

extern "C" {

// C = op(alpha1 * A, alpha2 * B) + beta * C; where B has size 1, it is used for all of C. Square
// root and NOT take A alone.
cudnnStatus_t cudnnOpTensor(cudnnHandle_t handle, const cudnnOpTensorDescriptor_t opTensorDesc,
                            const void* alpha1, const cudnnTensorDescriptor_t aDesc, const void* A,
                            const void* alpha2, const cudnnTensorDescriptor_t bDesc, const void* B,
                            const void* beta, const cudnnTensorDescriptor_t cDesc, void* C) {
  Refusal refusal("cudnnOpTensor");
  if (refusal.no_handle(handle) ||
      refusal.null({{"opTensorDesc", opTensorDesc},
                    {"alpha1", alpha1},
                    {"aDesc", aDesc},
                    {"A", A},
                    {"beta", beta},
                    {"cDesc", cDesc},
                    {"C", C}}) ||
      refusal.never_set("aDesc", *aDesc) ||
      refusal.sizes_differ("aDesc", *aDesc, "cDesc", *cDesc) ||
      refusal.types_differ("aDesc", aDesc->type, "cDesc", cDesc->type)) {
    return refusal.status();
  }
  const cudnnOpTensorStruct op = *opTensorDesc;
  const bool two = has_second(op);
  if ((two && (refusal.null({{"alpha2", alpha2}, {"bDesc", bDesc}, {"B", B}}) ||
               refusal.cannot_spread("bDesc", *bDesc, "cDesc", *cDesc) ||
               refusal.types_differ("cDesc", cDesc->type, "bDesc", bDesc->type))) ||
      refusal.not_computed("aDesc", *aDesc) || refusal.not_computed("cDesc", *cDesc) ||
      (two && refusal.not_computed("bDesc", *bDesc)) ||
      (op.type != CUDNN_DATA_FLOAT &&
       refusal.not_supported(said("opTensorDesc computes in ", type_text(op.type),
                                  "; the CPU device computes in CUDNN_DATA_FLOAT")))) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnOpTensor");
  Factors first, second;
  if (!take(call, alpha1, beta, first) || (two && !take(call, alpha2, beta, second))) {
    return CUDNN_STATUS_EXECUTION_FAILED;
  }
  return enqueue_on(call, handle, [=, a = *aDesc, b = two ? *bDesc : *aDesc, to = *cDesc] {
    if (!may_use(call, "A", A, a, Use::read) || (two && !may_use(call, "B", B, b, Use::read)) ||
        !may_use(call, "C", C, to, result_use(first.beta))) {
      return;
    }
    const FloatInput of_a(A, a), of_b(two ? B : A, b);
    FloatResult result(C, to, first.beta != 0);
    const float *one = of_a.data(), *other = of_b.data();
    blend_rows(rows_of(to, a, b), {1, first.beta}, result.data(), [&](const auto& at) {
      return apply(op, first.alpha * one[at[1]], two ? second.alpha * other[at[2]] : 0.0f);
    });
  });
}

// y = alpha * x + beta * y: the same elements in another layout.
cudnnStatus_t cudnnTransformTensor(cudnnHandle_t handle, const void* alpha,
                                   const cudnnTensorDescriptor_t xDesc, const void* x,
                                   const void* beta, const cudnnTensorDescriptor_t yDesc, void* y) {
  Refusal refusal("cudnnTransformTensor");
  if (refusal.no_handle(handle) ||
      refusal.null({{"alpha", alpha},
                    {"xDesc", xDesc},
                    {"x", x},
                    {"beta", beta},
                    {"yDesc", yDesc},
                    {"y", y}}) ||
      refusal.never_set("xDesc", *xDesc) ||
      refusal.sizes_differ("xDesc", *xDesc, "yDesc", *yDesc) ||
      refusal.types_differ("xDesc", xDesc->type, "yDesc", yDesc->type) ||
      refusal.not_computed("xDesc", *xDesc) || refusal.not_computed("yDesc", *yDesc)) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnTransformTensor");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(call, handle, [=, from = *xDesc, to = *yDesc] {
    if (!may_use(call, "x", x, from, Use::read) ||
        !may_use(call, "y", y, to, result_use(factors.beta))) {
      return;
    }
    const FloatInput input(x, from);
    FloatResult result(y, to, factors.beta != 0);
    const float* values = input.data();
    blend_rows(rows_of(to, from), factors, result.data(),
               [=](const auto& at) { return values[at[1]]; });
  });
}

}  // extern "C"

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t* opTensorDesc) {
  Refusal refusal("cudnnCreateOpTensorDescriptor");
  if (refusal.null({{"opTensorDesc", opTensorDesc}})) return refusal.status();
  *opTensorDesc = new cudnnOpTensorStruct;
  note_created(opTensorDesc, "operation descriptor",
               convkit::simt::library_call("cudnnCreateOpTensorDescriptor"));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyOpTensorDescriptor(cudnnOpTensorDescriptor_t opTensorDesc) {
  return destroy("cudnnDestroyOpTensorDescriptor", "opTensorDesc", opTensorDesc);
}

cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t opTensorDesc,
                                         cudnnOpTensorOp_t opTensorOp,
                                         cudnnDataType_t opTensorCompType,
                                         cudnnNanPropagation_t opTensorNanOpt) {
  Refusal refusal("cudnnSetOpTensorDescriptor");
  if (refusal.null({{"opTensorDesc", opTensorDesc}}) ||
      ((opTensorOp < CUDNN_OP_TENSOR_ADD || opTensorOp > CUDNN_OP_TENSOR_NOT) &&
       refusal.wrong_number("opTensorOp", opTensorOp, "it must be a cudnnOpTensorOp_t")) ||
      refusal.unknown_type("opTensorCompType", opTensorCompType) ||
      refusal.unknown_nan_option("opTensorNanOpt", opTensorNanOpt)) {
    return refusal.status();
  }
  *opTensorDesc = {opTensorOp, opTensorCompType, opTensorNanOpt};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetOpTensorDescriptor(const cudnnOpTensorDescriptor_t opTensorDesc,
                                         cudnnOpTensorOp_t* opTensorOp,
                                         cudnnDataType_t* opTensorCompType,
                                         cudnnNanPropagation_t* opTensorNanOpt) {
  Refusal refusal("cudnnGetOpTensorDescriptor");
  if (refusal.null({{"opTensorDesc", opTensorDesc},
                    {"opTensorOp", opTensorOp},
                    {"opTensorCompType", opTensorCompType},
                    {"opTensorNanOpt", opTensorNanOpt}})) {
    return refusal.status();
  }
  *opTensorOp = opTensorDesc->operation;
  *opTensorCompType = opTensorDesc->type;
  *opTensorNanOpt = opTensorDesc->nan;
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
