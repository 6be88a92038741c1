// SPDX-License-Identifier: MIT
// The functions that code in kernels calls (simt/device_side.h), and what assert() becomes there.
#include "simt/device_side.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "cpu_device/engine/block_runner.h"
#include "cpu_device/engine/counts.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/memory.h"
#include "cpu_device/engine/workers.h"
#include "simt/async_copies.h"
#include "simt/clocks.h"
#include "simt/counts.h"

namespace {

using convkit::simt::BlockRunner;
using convkit::simt::Fault;
using convkit::simt::Fiber;

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

// The two functions that wait most often stop the thread themselves: they are a call to a `stop`
// function between the halves of a switch. One frame, left by a jump: the thread that goes on is
// seldom where the one that stopped was called from, and the processor would predict that it is if
// it went there by `ret`. (The same layout of a stopped fiber as in fiber.cpp.)
#if defined(CONVKIT_SIMT_OWN_SWITCH)
asm(R"(
  .macro convkit_simt_stopping name, stop
  .text
  .p2align 5
  .globl  \name
  .type   \name, @function
\name:
  .cfi_startproc
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq  %rsp, %rdx
  subq  $8, %rsp
  .cfi_def_cfa_offset 64
  .cfi_offset %rbp, -16
  .cfi_offset %rbx, -24
  .cfi_offset %r12, -32
  .cfi_offset %r13, -40
  .cfi_offset %r14, -48
  .cfi_offset %r15, -56
  callq \stop
  movq  %rax, %rsp
  popq  %r15
  popq  %r14
  popq  %r13
  popq  %r12
  popq  %rbx
  popq  %rbp
  popq  %rcx
  jmpq  *%rcx
  .cfi_endproc
  .size \name, .-\name
  .endm
  convkit_simt_stopping convkit_simt_syncthreads, convkit_simt_stop_at_barrier
  convkit_simt_stopping convkit_simt_warp_collective, convkit_simt_stop_in_collective
)");
#endif

// Stands in front of the C library's in every program: CUDA's clock() counts cycles in kernels, and
// the host's counts processor time.
extern "C" __attribute__((visibility("default"))) clock_t clock() noexcept {
  const BlockRunner* runner = convkit::simt::this_runner();
  if (runner && runner->in_kernel()) return static_cast<clock_t>(clock64());
  timespec used;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return -1;
  return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}

extern "C" {

#if defined(CONVKIT_SIMT_OWN_SWITCH)
__attribute__((used)) Fiber convkit_simt_stop_at_barrier(const char* file, int line,
                                                         Fiber stopped) {
  return kernel_runner("__syncthreads()", file, line).stop_at_barrier(file, line, stopped);
}

__attribute__((used)) Fiber convkit_simt_stop_in_collective(unsigned mask, ConvkitWarpOp* op,
                                                            Fiber stopped) {
  return kernel_runner("A warp function", op->file, op->line).stop_in_collective(mask, op, stopped);
}
#else
void convkit_simt_syncthreads(const char* file, int line) {
  BlockRunner& runner = kernel_runner("__syncthreads()", file, line);
  const unsigned thread = runner.thread();
  if (Fiber next = runner.stop_at_barrier(file, line, nullptr)) runner.leave(thread, next);
}

void convkit_simt_warp_collective(unsigned mask, ConvkitWarpOp* op) {
  BlockRunner& runner = kernel_runner("A warp function", op->file, op->line);
  const unsigned thread = runner.thread();
  if (Fiber next = runner.stop_in_collective(mask, op, nullptr)) runner.leave(thread, next);
}
#endif

unsigned convkit_simt_syncthreads_reduce(unsigned value, int op, const char* file, int line) {
  return kernel_runner("__syncthreads()", file, line).barrier_reduce(value, op, file, line);
}

void convkit_simt_grid_barrier(const char* file, int line) {
  kernel_runner("grid_group::sync()", file, line).grid_barrier(file, line);
}

int convkit_simt_is_cooperative() {
  return kernel_runner("grid_group::is_valid()", nullptr, 0).grid()->resident != nullptr;
}

unsigned convkit_simt_active_mask() {
  return kernel_runner("__activemask()", nullptr, 0).active_mask(__builtin_return_address(0));
}

unsigned convkit_simt_lane() {
  BlockRunner* runner = convkit::simt::this_runner();
  return runner && runner->in_kernel() ? runner->lane() : 0;
}

void convkit_simt_fence(int scope) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  BlockRunner* runner = convkit::simt::this_runner();
  if (!runner || !runner->in_kernel()) return;  // an atomic object that the host uses, too
  if (convkit::simt::check_hooks) convkit::simt::check_hooks->fence(scope != 0);
  runner->yield();
}

void convkit_simt_yield() {
  // A loop that waits for another thread of the block would wait for ever, for fibers take turns
  // only here; so does one that waits for an atomic.
  BlockRunner* runner = convkit::simt::this_runner();
  if (!runner || !runner->in_kernel()) return;
  // A fence only yields: it may stand in what a lock protects, and others would spin meanwhile.
  runner->give_way();
}

void convkit_simt_barriers_passed(unsigned long long barriers) {
  if (BlockRunner* runner = convkit::simt::this_runner()) runner->barriers_passed(barriers);
}

void* convkit_simt_block_memory(unsigned long long bytes) {
  return kernel_runner("A kernel", __FILE__, __LINE__).block_memory(bytes);
}

void convkit_simt_spin() {
  BlockRunner* runner = convkit::simt::this_runner();
  if (runner && runner->in_kernel()) runner->spins();
}

void convkit_simt_trap(const char* what, const char* file, int line) {
  Fault fault;
  fault.error = cudaErrorLaunchFailure;
  fault.kind = "trap";
  fault.sentence = std::string(what) + " at " + convkit::simt::site_text(file, line) + ".";
  kernel_runner(what, file, line).abandon(std::move(fault));
}

void convkit_simt_named_barrier(unsigned number, unsigned count, int waits, const char* file,
                                int line) {
  kernel_runner("A barrier of PTX", file, line)
      .named_barrier(number, count, waits != 0, file, line);
}

unsigned convkit_simt_multiprocessor() {
  return kernel_runner("%smid", nullptr, 0).worker() % convkit::simt::worker_count();
}

unsigned convkit_simt_multiprocessors() {
  return convkit::simt::worker_count();
}

unsigned convkit_simt_dynamic_bytes() {
  const BlockRunner& runner = kernel_runner("%dynamic_smem_size", nullptr, 0);
  return static_cast<unsigned>(runner.grid()->shared_bytes);
}

void convkit_simt_barrier_init(ConvkitSimtBarrier* barrier, unsigned expected) {
  *barrier = {expected, expected, 0};
}

unsigned convkit_simt_barrier_arrive(ConvkitSimtBarrier* barrier, unsigned count, unsigned fewer,
                                     const char* file, int line) {
  return kernel_runner("cuda::barrier::arrive()", file, line)
      .arrive(*barrier, count, fewer, file, line);
}

void convkit_simt_barrier_wait(ConvkitSimtBarrier* barrier, unsigned phase, const char* file,
                               int line) {
  kernel_runner("cuda::barrier::wait()", file, line).wait_for(*barrier, phase, file, line);
}

void convkit_simt_async_copy(void* to, const void* from, unsigned bytes, unsigned zeros,
                             unsigned alignment) {
  BlockRunner& runner = kernel_runner("An asynchronous copy", nullptr, 0);
  const auto pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  runner.async_copies().ask(runner.thread(), {to, from, bytes, zeros, alignment, pc});
}

void convkit_simt_async_commit() {
  BlockRunner& runner = kernel_runner("An asynchronous copy", nullptr, 0);
  runner.async_copies().commit(runner.thread());
}

void convkit_simt_async_wait(unsigned long long but_last) {
  BlockRunner& runner = kernel_runner("A wait for asynchronous copies", nullptr, 0);
  runner.async_copies().wait(runner.thread(), but_last);
}

void convkit_simt_atomic(const void* address, unsigned, unsigned manner) {
  if (convkit::simt::check_hooks) convkit::simt::check_hooks->atomic_begins(address, manner);
  if (!convkit_simt_counts_accesses()) return;
  convkit::simt::Counts& counts = convkit::simt::counts();
  ++(convkit::simt::in_device_range(address) ? counts.global_atomics : counts.shared_atomics);
}

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
