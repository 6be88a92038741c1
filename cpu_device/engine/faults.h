// SPDX-License-Identifier: MIT
// Signals in kernels: a fault of the memory, a division by zero, the watchdog's stop. In a worker
// they end the launch, as an exception on a GPU does; elsewhere they are passed on to whoever had
// the signal before.
#pragma once

#include <signal.h>

namespace convkit::simt {

inline constexpr int kStopSignal = SIGURG;  // ignored by default, hardly used by anybody

// Once, before the first worker starts.
void install_fault_handlers();

// In each worker: handlers run on a stack of their own, because a thread's may be what overflowed.
void use_fault_stack();

// Workers leave the program's signals (Ctrl-C, timers) to its own threads.
void block_signals_of_the_host();

}  // namespace convkit::simt
