// SPDX-License-Identifier: MIT
// The functions of the engine behind cuda::barrier, a barrier of some threads of a block that they
// arrive at and wait for in two steps.
#pragma once

#pragma GCC visibility push(default)
extern "C" {

// It lies in the block's shared memory. What a block has not initialised holds the poison.
struct ConvkitSimtBarrier {
  unsigned expected;  // arrivals that complete a phase
  unsigned pending;   // of the current one, those that have not come
  unsigned phase;     // counts those that have been completed
};

void convkit_simt_barrier_init(struct ConvkitSimtBarrier* barrier, unsigned expected);
// `count` arrivals at the current phase, whose number it returns; later phases expect `fewer`.
unsigned convkit_simt_barrier_arrive(struct ConvkitSimtBarrier* barrier, unsigned count,
                                     unsigned fewer, const char* file, int line);
// Returns when the phase of this number has been completed.
void convkit_simt_barrier_wait(struct ConvkitSimtBarrier* barrier, unsigned phase, const char* file,
                               int line);
}
#pragma GCC visibility pop
