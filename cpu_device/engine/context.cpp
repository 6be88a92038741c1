// SPDX-License-Identifier: MIT
#include "cpu_device/engine/context.h"

#include <atomic>

#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/memory.h"
#include "cpu_device/engine/refusal.h"

namespace convkit::simt {
namespace {

thread_local cudaError_t g_last = cudaSuccess;
thread_local bool g_in_host_function = false;
std::atomic<cudaError_t> g_sticky{cudaSuccess};

}  // namespace

cudaError_t noted(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) {
    g_last = error;
    forget_reasons_but_of(error);
  }
  return error;
}

void stick(cudaError_t error) {
  cudaError_t none = cudaSuccess;
  g_sticky.compare_exchange_strong(none, error);
}

cudaError_t sticky_error() {
  return g_sticky.load();
}

cudaError_t take_last_error() {
  const cudaError_t error = peek_last_error();
  g_last = cudaSuccess;
  return error;
}

cudaError_t peek_last_error() {
  if (check_hooks) check_hooks->errors_read();
  return g_last;
}

void call_host_function(const std::function<void()>& function) {
  const HostTurn turn;
  const cudaError_t last = g_last;
  g_last = cudaSuccess;
  g_in_host_function = true;
  function();
  g_in_host_function = false;
  g_last = last;
}

bool in_host_function() {
  return g_in_host_function;
}

}  // namespace convkit::simt
