// SPDX-License-Identifier: MIT
// Task 06.1: descriptors that are destroyed at every return, and statuses that reach the caller.
#pragma once

#include <cudnn.h>

#include "convkit/todo.h"

// Returns from the function that uses it with the first status that is not a success.
// TODO(06.1): evaluate `call` once, and return its status if that is not a success. (So far
// every status is lost.)
#define CUDNN_TRY(call) ((void)(call))

// Owns one descriptor. A constructor could not return a status: create() does.
template <class T, cudnnStatus_t (*create_it)(T*), cudnnStatus_t (*destroy_it)(T)>
class Descriptor {
 public:
  Descriptor() = default;
  // TODO(06.1): a destructor that destroys the descriptor, if there is one. And no copies: the
  // second destructor would destroy it again.

  // To be called once, before get().
  cudnnStatus_t create() { return create_it(&value_); }
  T get() const { return value_; }

 private:
  T value_ = nullptr;
};

using TensorDescriptor =
    Descriptor<cudnnTensorDescriptor_t, cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor>;
using FilterDescriptor =
    Descriptor<cudnnFilterDescriptor_t, cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor>;
using ConvolutionDescriptor =
    Descriptor<cudnnConvolutionDescriptor_t, cudnnCreateConvolutionDescriptor,
               cudnnDestroyConvolutionDescriptor>;
using PoolingDescriptor = Descriptor<cudnnPoolingDescriptor_t, cudnnCreatePoolingDescriptor,
                                     cudnnDestroyPoolingDescriptor>;
using ActivationDescriptor =
    Descriptor<cudnnActivationDescriptor_t, cudnnCreateActivationDescriptor,
               cudnnDestroyActivationDescriptor>;

// Floats, NCHW, one after the other: the strides say so.
inline cudnnStatus_t describe_tensor(TensorDescriptor& tensor, int n, int c, int h, int w) {
  // TODO(06.1): create it; then cudnnSetTensorNdDescriptor with the sizes n, c, h, w, and how
  // many floats lie from one image, channel, row and column to the next.
  CONVKIT_TODO("06.1");
  (void)n, (void)c, (void)h, (void)w;
  return tensor.create();
}
