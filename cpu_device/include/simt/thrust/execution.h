// SPDX-License-Identifier: MIT
// Thrust on the CPU device: where an algorithm runs. On the device it is a kernel of one thread
// that walks along the data with the host's standard library; on the host it is called.
#pragma once

#include <iostream>  // as NVIDIA's; programs rely on it
#include <new>

#include "simt/thrust/iterators.h"

namespace thrust {
namespace convkit_simt {

struct Policy {};

// Runs `body` where its data may be touched, and waits for it, but for par_nosync.
struct OnTheHost : Policy {
  template <class Body>
  void run(const char*, Body body) const {
    body();
  }
  template <class Body>
  auto result(const char*, Body body) const {
    return body();
  }
};

template <class Body>
__global__ void algorithm_kernel(Body body) {
  body();
}

struct OnTheDevice : Policy {
  cudaStream_t stream = nullptr;
  bool waits = true;

  constexpr OnTheDevice() = default;
  explicit constexpr OnTheDevice(bool waits_at_the_end) : waits(waits_at_the_end) {}

  OnTheDevice on(cudaStream_t other) const {
    OnTheDevice policy = *this;
    policy.stream = other;
    return policy;
  }
  template <class Allocator>
  OnTheDevice operator()(Allocator&&) const {
    return *this;
  }

  template <class Body>
  void run(const char* name, Body body) const {
    if (in_kernel()) {
      body();
      return;
    }
    CONVKIT_SIMT_LAUNCH_WITH((algorithm_kernel<Body>), name,
                             ::convkit::simt::LaunchConfig(dim3(1), dim3(1), 0, stream))
    (body);
    throw_if(cudaGetLastError(), name);
    if (waits) throw_if(cudaStreamSynchronize(stream), name);
  }

  // The value comes back through memory that both sides may touch.
  template <class Body>
  auto result(const char* name, Body body) const {
    using Value = decltype(body());
    if (in_kernel()) return body();
    void* cell = nullptr;
    throw_if(cudaMallocManaged(&cell, sizeof(Value)), name);
    try {
      run(name, [body, cell]() mutable { new (cell) Value(body()); });
      if (!waits) throw_if(cudaStreamSynchronize(stream), name);
    } catch (...) {
      cudaFree(cell);
      throw;
    }
    Value value = *static_cast<Value*>(cell);
    cudaFree(cell);
    return value;
  }
};

template <class T>
constexpr bool kIsPolicy = std::is_base_of<Policy, std::decay_t<T>>::value;

// Of the arguments of an algorithm that names no policy.
template <class... Arguments>
auto policy_of() {
  if constexpr ((OnDevice<std::decay_t<Arguments>>::value || ...)) {
    return OnTheDevice();
  } else {
    return OnTheHost();
  }
}

}  // namespace convkit_simt

using host_execution_policy = convkit_simt::OnTheHost;
using device_execution_policy = convkit_simt::OnTheDevice;
static const convkit_simt::OnTheHost host{}, seq{};
static const convkit_simt::OnTheDevice device{};
namespace cuda {
static const convkit_simt::OnTheDevice par{}, par_nosync{false};
}
namespace cpp {
static const convkit_simt::OnTheHost par{};
}
namespace omp {
static const convkit_simt::OnTheHost par{};
}
namespace system::cuda {
using thrust::cuda::par;
}

// An algorithm is a structure whose call() takes a policy and arguments; without a policy the
// iterators decide.
#define CONVKIT_SIMT_THRUST(name, Algorithm)                                                 \
  template <class First, class... Rest>                                                      \
  auto name(First first, Rest... rest) {                                                     \
    if constexpr (convkit_simt::kIsPolicy<First>) {                                          \
      return convkit_simt::Algorithm::call(first, rest...);                                  \
    } else {                                                                                 \
      return convkit_simt::Algorithm::call(convkit_simt::policy_of<First, Rest...>(), first, \
                                           rest...);                                         \
    }                                                                                        \
  }

}  // namespace thrust
