// SPDX-License-Identifier: MIT
// The first and the last step of every API call.
#pragma once

#include <mutex>

#include "cpu_device/engine/capture.h"
#include "cpu_device/engine/context.h"
#include "cpu_device/engine/nested_launches.h"
#include "cpu_device/engine/queue.h"

namespace convkit::simt {

// No call is allowed from here, or cudaSuccess.
inline cudaError_t refused_call() {
  if (sticky_error() != cudaSuccess) return sticky_error();
  return in_host_function() ? cudaErrorNotPermitted : cudaSuccess;
}

// Runs `body`, which returns a cudaError_t, with the queue locked; a sticky error comes first and
// comes back from calls during which a kernel failed.
template <class Body>
cudaError_t call(const Body& body) {
  refuse_in_kernel();
  const std::lock_guard lock(queue().mutex);
  if (const cudaError_t refused = refused_call(); refused != cudaSuccess) return noted(refused);
  const cudaError_t error = body();
  return noted(sticky_error() != cudaSuccess ? sticky_error() : error);
}

// The same for a call that is refused while a stream is captured: its effect is none that a graph
// could have. `name`: of the call.
template <class Body>
cudaError_t uncaptured_call(const char* name, const Body& body) {
  return call([&] {
    const cudaError_t refused = refuse_unsafe_in_capture(name);
    return refused == cudaSuccess ? body() : refused;
  });
}

}  // namespace convkit::simt
