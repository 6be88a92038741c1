// SPDX-License-Identifier: MIT
// The functions of the engine that code in kernels calls. Everything else in the headers is
// computed in place.
#pragma once

#pragma GCC visibility push(default)
extern "C" {

// One lane's part in a warp collective (a shuffle, a vote, __syncwarp). The lane fills it in and
// calls convkit_simt_warp_collective(); when every lane named in the mask that has not exited is
// there, the last of them calls `deliver` once for all, which reads each lane's `in` and writes
// each lane's `result`.
struct ConvkitWarpOp {
  unsigned char in[16];
  unsigned char result[16];
  unsigned size;    // bytes of the value, at most 16
  unsigned detail;  // the operation's own, such as a source lane or a width
  int kind;         // which collective: lanes that meet must agree
  // lanes[i] is null unless lane i takes part, which is when bit i of `group` is set.
  void (*deliver)(ConvkitWarpOp* const* lanes, unsigned group);
  const char* file;  // the student's line
  int line;
};

void convkit_simt_syncthreads(const char* file, int line);
// op: 0 counts the threads whose value is not zero, 1 is their `and`, 2 their `or`.
unsigned convkit_simt_syncthreads_reduce(unsigned value, int op, const char* file, int line);
// Of a kernel that runs the threads of a block in phases (thread_loop.h): so many barriers were
// passed by all threads of the block ...
void convkit_simt_barriers_passed(unsigned long long barriers);
// ... and memory, aligned to a cache line, that nothing else uses until the block ends.
__attribute__((malloc, assume_aligned(64))) void* convkit_simt_block_memory(
    unsigned long long bytes);
// All blocks of a cooperative launch wait for each other.
void convkit_simt_grid_barrier(const char* file, int line);
int convkit_simt_is_cooperative(void);
void convkit_simt_warp_collective(unsigned mask, struct ConvkitWarpOp* op);
// The lanes of the warp that reach this call together.
unsigned convkit_simt_active_mask(void);
unsigned convkit_simt_lane(void);
void convkit_simt_fence(int scope);  // 0 block, 1 device, 2 system
// Lets other threads of the block go on: a hint, for loops that wait.
void convkit_simt_yield(void);
// In each iteration of a loop that may wait for other threads; the rewriter puts it there.
void convkit_simt_spin(void);
// bar.sync and bar.arrive of PTX: barrier `number` (0 to 15) of the block, at which `count` threads
// arrive in each phase (0: all of the block). `waits`: until the phase is complete.
void convkit_simt_named_barrier(unsigned number, unsigned count, int waits, const char* file,
                                int line);
// The multiprocessor that the block runs on, and how many there are.
unsigned convkit_simt_multiprocessor(void);
unsigned convkit_simt_multiprocessors(void);
// Bytes of dynamic shared memory of the launch.
unsigned convkit_simt_dynamic_bytes(void);
void convkit_simt_trap(const char* what, const char* file, int line);
// Called before each atomic operation when CONVKIT_SIMT_CHECK is defined; of AtomicManner.
void convkit_simt_atomic(const void* address, unsigned size, unsigned manner);
}
#pragma GCC visibility pop
