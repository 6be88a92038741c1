// SPDX-License-Identifier: MIT
// Which device memory has been written from outside kernels, by copies and memsets; and the reads
// of memory that nobody has written.
//
// Such a read is not reported at once. Threads run one after the other here, and what is missing
// may be written later by a thread that the reader should have waited for: then the fault is a
// race, and it is reported as one when the write comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace convkit::simt::check {

void mark_written(uintptr_t begin, size_t bytes);
void forget_written(uintptr_t begin, size_t bytes);

bool is_written(uintptr_t at);
// Calls visit(begin, end) for what has been written between the two.
void for_each_written(uintptr_t begin, uintptr_t end,
                      const std::function<void(uintptr_t, uintptr_t)>& visit);

// The running thread reads memory that nobody has written; `in_vector`: as an element of a vector,
// of which other elements have been written.
void read_unwritten(uintptr_t at, size_t size, uintptr_t pc, bool shared, bool in_vector);
// A block begins; a barrier of it opens, before which `returned` of its threads have returned.
void block_has_begun();
void barrier_passed(unsigned threads, unsigned returned);
// A race over these bytes has been reported.
void race_found(uintptr_t at);
// No more writes can come that would make it a race: in shared memory when a barrier opens or the
// block ends, in global memory when the kernel ends.
void report_unwritten_shared();
void report_all_unwritten();
// Only what the running thread has read, which is about to be stopped.
void report_unwritten_of_thread();

}  // namespace convkit::simt::check
