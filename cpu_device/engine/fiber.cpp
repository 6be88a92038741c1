// SPDX-License-Identifier: MIT
#include "cpu_device/engine/fiber.h"

#include <cstdint>

#if !defined(CONVKIT_SIMT_OWN_SWITCH)
#include <boost/context/detail/fcontext.hpp>
#endif

namespace convkit::simt {

#if defined(CONVKIT_SIMT_OWN_SWITCH)

// System V ABI: a call keeps rbx, rbp and r12 to r15. The floating-point control words are not
// switched: fibers of one block share them, and CUDA has no rounding mode to change. The jump
// instead of `ret` lets the processor predict the target by its history: the return stack does not
// know fibers.
asm(R"(
  .text
  .p2align 4
  .globl  convkit_simt_switch
  .hidden convkit_simt_switch
  .type   convkit_simt_switch, @function
convkit_simt_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq  %rsp, (%rdi)
  movq  %rsi, %rsp
  popq  %r15
  popq  %r14
  popq  %r13
  popq  %r12
  popq  %rbx
  popq  %rbp
  popq  %rcx
  jmpq  *%rcx
  .size convkit_simt_switch, .-convkit_simt_switch

  .p2align 4
  .hidden convkit_simt_fiber_start
  .type   convkit_simt_fiber_start, @function
convkit_simt_fiber_start:
  .cfi_startproc
  .cfi_undefined rip
  movq  %rbx, %rdi
  callq *%rbp
  ud2
  .cfi_endproc
  .size convkit_simt_fiber_start, .-convkit_simt_fiber_start
)");

extern "C" void convkit_simt_switch(void** stopped, void* next);
extern "C" void convkit_simt_fiber_start();

Fiber make_fiber(void* top, size_t, void (*entry)(void*), void* argument) {
  // What convkit_simt_switch pops: r15 to r12, rbx, rbp, and where to go. The start is entered with
  // the stack aligned to 16 bytes, so that its call aligns it as the ABI wants.
  auto* stack = reinterpret_cast<uint64_t*>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t{15});
  *--stack = 0;
  *--stack = 0;
  *--stack = reinterpret_cast<uint64_t>(&convkit_simt_fiber_start);
  *--stack = reinterpret_cast<uint64_t>(entry);
  *--stack = reinterpret_cast<uint64_t>(argument);
  for (int i = 0; i < 4; ++i) *--stack = 0;
  return stack;
}

void switch_to(Fiber& stopped, Fiber next) {
  convkit_simt_switch(&stopped, next);
}

#else

namespace {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

struct Start {
  void (*entry)(void*);
  void* argument;
};

// Boost tells the fiber that goes on which one was left: that one is told where to keep it.
void keep(transfer_t left) {
  *static_cast<Fiber*>(left.data) = left.fctx;
}

// Runs once as far as the copy of `start`, on make_fiber()'s behalf, and from there when switched
// to.
void start_fiber(transfer_t maker) {
  const Start start = *static_cast<Start*>(maker.data);
  keep(jump_fcontext(maker.fctx, nullptr));
  start.entry(start.argument);
}

}  // namespace

Fiber make_fiber(void* top, size_t bytes, void (*entry)(void*), void* argument) {
  Start start{entry, argument};
  return jump_fcontext(make_fcontext(top, bytes, start_fiber), &start).fctx;
}

void switch_to(Fiber& stopped, Fiber next) {
  keep(jump_fcontext(static_cast<fcontext_t>(next), &stopped));
}

#endif

}  // namespace convkit::simt
