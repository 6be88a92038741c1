// SPDX-License-Identifier: MIT
// The functions of the engine behind asynchronous copies into shared memory. Those who call
// convkit_simt_async_copy() are inlined into the kernel: check mode names the line it returns to.
#pragma once

#pragma GCC visibility push(default)
extern "C" {

// Both addresses are multiples of `alignment`. `zeros` bytes after those copied become 0.
void convkit_simt_async_copy(void* to, const void* from, unsigned bytes, unsigned zeros,
                             unsigned alignment);
// What the thread has asked for since the last call is a batch.
void convkit_simt_async_commit(void);
// Makes the copies of all batches of the thread but the last ones.
void convkit_simt_async_wait(unsigned long long but_last);
}
#pragma GCC visibility pop
