// SPDX-License-Identifier: MIT
// For a program that runs case after case, as the grader's runners do, and knows what each is to
// leave behind.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct CUstream_st;  // what a cudaStream_t points to

#pragma GCC visibility push(default)
extern "C" {
// A case begins: what has been reported of earlier cases no longer keeps the same report from being
// written again.
void convkit_simt_check_start_over();
// To be called when the stream has finished in which all work was to be. Reports `unjoined_stream`
// where other streams have work that nobody has waited for; a free or an event's record is none.
void convkit_simt_check_streams(struct CUstream_st* given);
// An output of the case, of words, and what the host has got of it; words that hold `unwritten`
// have never been written. Reports `grid_too_small` where one launch wrote the others, or several
// alike, and its grid is smaller than the output: `grid_rounded_down` where it has the blocks that
// a division which rounds down gives.
void convkit_simt_check_coverage(const void* begin, const void* copy, size_t bytes,
                                 uint32_t unwritten);
// Reports `threads_returned` where threads left a loop whose barriers others of their block went on
// to pass since the case began, and `absent_lane` where a shuffle read a lane that took no part:
// neither is a fault in itself.
void convkit_simt_check_returned();
// Reports `leak` for what the program has allocated since the case began and not freed.
void convkit_simt_check_freed();
// The kinds of the reports since the case began, between spaces: what reached stderr can be
// compared with it.
const char* convkit_simt_check_told();
// Where they are to be written as they come, for a process that ends before it can ask.
void convkit_simt_check_tell_kinds_to(char* text, size_t bytes);
// Host memory that holds what the program is given: copies of it hold nothing that it computed.
void convkit_simt_check_given(const void* begin, size_t bytes);
// Device memory that is to hold an output: who changes it is watched until it is freed.
void convkit_simt_check_watch(const void* begin, size_t bytes);
// How many bytes of device memory hold what host code computed and brought there.
size_t convkit_simt_check_bytes_of_host(const void* begin, size_t bytes);
// How many bytes of what kernels and libraries wrote since the case began host code could read.
size_t convkit_simt_check_bytes_from_device();
// How many bytes of host memory hold zeros, or values that host code could have got so.
size_t convkit_simt_check_bytes_as_computed(const void* begin, size_t bytes);
}
#pragma GCC visibility pop
