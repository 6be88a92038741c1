// SPDX-License-Identifier: MIT
// A fiber: a stack and the registers a call must keep. The engine runs each thread of a block on
// one and turns from one to the next at a barrier, so the switch is the cost of a barrier. On
// x86-64 it is a few instructions of our own; elsewhere Boost.Context does it.
#pragma once

#include <cstddef>

// CONVKIT_SIMT_BOOST_FIBERS: Boost.Context on x86-64, too, to test and to compare.
#if defined(__x86_64__) && !defined(CONVKIT_SIMT_BOOST_FIBERS)
#define CONVKIT_SIMT_OWN_SWITCH 1
#endif

namespace convkit::simt {

// A stopped fiber. A value is good for one switch_to().
using Fiber = void*;

// A fiber that will run entry(argument) on the stack that ends at `top`; entry must not return.
Fiber make_fiber(void* top, size_t bytes, void (*entry)(void*), void* argument);

// Stops the running fiber, keeps it in `stopped`, and goes on with `next`. Returns when another
// switch_to() goes on with what was kept.
void switch_to(Fiber& stopped, Fiber next);

}  // namespace convkit::simt
