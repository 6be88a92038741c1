// SPDX-License-Identifier: MIT
#include "cpu_device/engine/faults.h"

#include <pthread.h>
#include <ucontext.h>

#include <array>
#include <cstring>
#include <string>

#include "cpu_device/engine/block_runner.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/memory.h"

namespace convkit::simt {
namespace {

// SIGTRAP: what the compiler's trap instruction raises on arm64; on x86-64 it raises SIGILL.
constexpr std::array kHandled = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, kStopSignal};
std::array<struct sigaction, 65> g_previous;

// Whether a page fault came from a write, where the machine says so.
const char* access_word(const void* context) {
#if defined(__x86_64__)
  constexpr greg_t kWriteBit = 2;  // of the page-fault error code
  const auto* user = static_cast<const ucontext_t*>(context);
  return user->uc_mcontext.gregs[REG_ERR] & kWriteBit ? "wrote" : "read";
#else
  (void)context;
  return "read or wrote";
#endif
}

// An instruction that wants an aligned address faults without telling the address.
bool is_misaligned(const siginfo_t& info) {
#if defined(__x86_64__)
  return info.si_signo == SIGSEGV && info.si_code == SI_KERNEL;
#else
  return info.si_signo == SIGBUS && info.si_code == BUS_ADRALN;
#endif
}

// The instruction that the signal interrupted; 0 where the machine does not say.
uintptr_t instruction_at(const void* context) {
#if defined(__x86_64__)
  const auto* user = static_cast<const ucontext_t*>(context);
  return static_cast<uintptr_t>(user->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.pc);
#else
  (void)context;
  return 0;
#endif
}

Fault memory_fault(const BlockRunner& runner, const siginfo_t& info, const void* context) {
  Fault fault;
  const void* address = info.si_addr;
  if (is_misaligned(info)) {
    fault.error = cudaErrorMisalignedAddress;
    fault.kind = "misaligned";
    fault.sentence =
        "the kernel accessed a vector (float4 or the like) "
        "at an address that is not a multiple of its size.";
    fault.advice = "A float4 needs an address divisible by 16: the index of its first float by 4.";
    return fault;
  }
  fault.error = cudaErrorIllegalAddress;
  const std::string access = std::string("the kernel ") + access_word(context) + " ";
  if (runner.in_stack_guard(address)) {
    fault.kind = "stack_overflow";
    fault.sentence = "a thread's stack of " + std::to_string(kStackBytes >> 10) +
                     " KiB overflowed: the recursion is too deep, or a local array is too large.";
    fault.advice = "Large per-thread arrays belong in global or shared memory.";
    return fault;
  }
  if (reinterpret_cast<uintptr_t>(address) < 65536) {
    fault.kind = "null_pointer";
    fault.sentence = access + "through a null pointer.";
    fault.advice = "Was the memory allocated, and was cudaMalloc's error checked?";
    return fault;
  }
  const std::string where = describe_address(address);
  const auto allocation = find_allocation(address, 1 << 20);
  if (!where.empty()) {
    fault.kind = allocation && allocation->freed ? "use_after_free" : "out_of_bounds_global";
    fault.sentence = access + where + ".";
    fault.advice = fault.kind == "use_after_free"
                       ? "The memory was freed before the kernel had run."
                       : "Compare the index with the array's size before using it.";
    return fault;
  }
  fault.kind = "out_of_bounds_global";
  fault.sentence = access + "memory that is not allocated.";
  fault.advice = "Check the pointer that the kernel was given, and the index.";
  return fault;
}

Fault division_fault() {
  Fault fault;
  fault.error = cudaErrorLaunchFailure;
  fault.kind = "integer_division";
  fault.sentence = "the kernel divided an integer by zero.";
  fault.advice = "A GPU goes on with a meaningless number; the CPU device stops.";
  return fault;
}

void pass_on(int signal, siginfo_t* info, void* context) {
  const struct sigaction& previous = g_previous[static_cast<size_t>(signal)];
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler == SIG_DFL && signal != kStopSignal) {
    ::signal(signal, SIG_DFL);
    raise(signal);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  }
}

// A host thread touched device memory: the program ends here, but not without a word.
void tell_host_access(const void* address, const void* context) {
  Fault fault;
  fault.kind = "device_pointer_on_host";
  fault.sentence = std::string("host code ") + access_word(context) +
                   " device memory: " + describe_address(address) + ".";
  fault.advice = "Copy it with cudaMemcpy first, or use cudaMallocManaged.";
  tell(fault, "");
}

void on_signal(int signal, siginfo_t* info, void* context) {
  BlockRunner* runner = this_runner();
  if (!runner || !runner->in_kernel()) {
    if (signal == kStopSignal && runner) return;
    if (signal == SIGSEGV && in_device_range(info->si_addr)) {
      tell_host_access(info->si_addr, context);
    }
    pass_on(signal, info, context);
    return;
  }
  // The handler is left by switching fibers, not by returning: the signal must be let in again.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  Fault fault;
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      fault = memory_fault(*runner, *info, context);
      break;
    case SIGFPE:
      fault = division_fault();
      break;
    case SIGILL:
    case SIGTRAP:
      fault.error = cudaErrorIllegalInstruction;
      fault.kind = "trap";
      fault.sentence = "the kernel ran into an instruction that ends it.";
      break;
    default:
      runner->leave_block();  // the watchdog has told why
  }
  if (check_hooks && !fault.kind.empty()) check_hooks->fault_at(fault, instruction_at(context));
  runner->abandon(std::move(fault));
}

}  // namespace

#if defined(__aarch64__)
// An integer division by zero gives 0 and raises no signal: kernels are compiled to call this
// before one (cc/simt_compile.cpp). Host code goes on, as it does elsewhere on this processor.
extern "C" __attribute__((visibility("default"))) void __ubsan_handle_divrem_overflow(const void*,
                                                                                      uintptr_t,
                                                                                      uintptr_t) {
  BlockRunner* runner = this_runner();
  if (!runner || !runner->in_kernel()) return;
  Fault fault = division_fault();
  const auto after_call = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  if (check_hooks) check_hooks->fault_at(fault, after_call - 4);
  runner->abandon(std::move(fault));
}
#endif

void install_fault_handlers() {
  for (int signal : kHandled) {
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(signal, &action, &g_previous[static_cast<size_t>(signal)]);
  }
}

void use_fault_stack() {
  constexpr size_t kBytes = 64 << 10;
  // For the life of the thread, which is the program's. The kernel alone would know where it is,
  // and a leak checker take it for lost.
  thread_local unsigned char* const memory = new unsigned char[kBytes];
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = kBytes;
  sigaltstack(&stack, nullptr);
}

void block_signals_of_the_host() {
  sigset_t set;
  sigfillset(&set);
  for (int signal : kHandled) sigdelset(&set, signal);
  sigdelset(&set, SIGSYS);  // a system call that a sandbox forbids is answered where it was made
  pthread_sigmask(SIG_SETMASK, &set, nullptr);
}

}  // namespace convkit::simt
