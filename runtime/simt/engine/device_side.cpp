// SPDX-License-Identifier: MIT
// The functions that code in kernels calls (simt/device_side.h), and what assert() becomes there.
#include "simt/device_side.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "simt/engine/block_runner.h"
#include "simt/engine/hooks.h"

namespace {

using convkit::simt::BlockRunner;
using convkit::simt::Fault;

[[noreturn]] __attribute__((cold)) void called_by_host(const char* function, const char* file,
                                                       int line) {
  Fault fault;
  fault.kind = "device_function_on_host";
  fault.sentence = std::string(function) + " was called by host code at " +
                   convkit::simt::site_text(file, line) + ".";
  fault.advice = "It works in kernels only: was a kernel called without <<<...>>>?";
  convkit::simt::tell(fault, "");
  std::exit(1);
}

// The runner of the kernel that calls; ends the program where host code calls.
inline BlockRunner& kernel_runner(const char* function, const char* file, int line) {
  BlockRunner* runner = convkit::simt::this_runner();
  if (!runner || !runner->in_kernel()) called_by_host(function, file, line);
  return *runner;
}

}  // namespace

extern "C" {

void convkit_simt_syncthreads(const char* file, int line) {
  kernel_runner("__syncthreads()", file, line).barrier(file, line);
}

unsigned convkit_simt_syncthreads_reduce(unsigned value, int op, const char* file, int line) {
  return kernel_runner("__syncthreads()", file, line).barrier_reduce(value, op, file, line);
}

void convkit_simt_warp_collective(unsigned mask, ConvkitWarpOp* op) {
  kernel_runner("A warp function", op->file, op->line).collective(mask, op);
}

unsigned convkit_simt_active_mask() {
  return kernel_runner("__activemask()", nullptr, 0).active_mask(__builtin_return_address(0));
}

unsigned convkit_simt_lane() {
  BlockRunner* runner = convkit::simt::this_runner();
  return runner && runner->in_kernel() ? runner->lane() : 0;
}

void convkit_simt_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (convkit::simt::check_hooks) convkit::simt::check_hooks->fence();
  convkit_simt_yield();
}

void convkit_simt_yield() {
  // A loop that waits for another thread of the block would wait for ever, for fibers take turns
  // only here; so does one that waits for an atomic.
  BlockRunner* runner = convkit::simt::this_runner();
  if (runner && runner->in_kernel()) runner->yield();
}

void convkit_simt_trap(const char* what, const char* file, int line) {
  Fault fault;
  fault.error = cudaErrorLaunchFailure;
  fault.kind = "trap";
  fault.sentence = std::string(what) + " at " + convkit::simt::site_text(file, line) + ".";
  kernel_runner(what, file, line).abandon(std::move(fault));
}

void convkit_simt_atomic(const void*, unsigned) {}

// assert() of <cassert> ends here. In a kernel it fails as CUDA's does: a line that names block and
// thread, and cudaErrorAssert for the calls that follow. Host code gets the C library's.
__attribute__((visibility("default"))) void __assert_fail(const char* expression, const char* file,
                                                          unsigned line, const char* function) {
  BlockRunner* runner = convkit::simt::this_runner();
  if (!runner || !runner->in_kernel()) {
    using Function = void(const char*, const char*, unsigned, const char*);
    reinterpret_cast<Function*>(dlsym(RTLD_NEXT, "__assert_fail"))(expression, file, line,
                                                                   function);
    std::abort();
  }
  Fault fault;
  fault.error = cudaErrorAssert;
  fault.kind = "assertion";
  fault.sentence = convkit::simt::site_text(file, static_cast<int>(line)) + ": " + function +
                   ": Assertion `" + expression + "' failed.";
  runner->abandon(std::move(fault));
}
}
