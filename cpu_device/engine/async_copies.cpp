// SPDX-License-Identifier: MIT
#include "cpu_device/engine/async_copies.h"

#include <algorithm>
#include <cstring>

#include "cpu_device/engine/hooks.h"

namespace convkit::simt {

AsyncCopies::Thread& AsyncCopies::at(unsigned thread) {
  if (thread >= threads_.size()) threads_.resize(thread + 1);
  used_ = std::max(used_, thread + 1);
  return threads_[thread];
}

void AsyncCopies::ask(unsigned thread, const AsyncCopy& copy) {
  if (check_hooks) check_hooks->async_copy_begins(copy);
  Thread& own = at(thread);
  own.asked.push_back({copy, own.batches});
}

void AsyncCopies::commit(unsigned thread) {
  ++at(thread).batches;
}

void AsyncCopies::wait(unsigned thread, uint64_t but_last) {
  Thread& own = at(thread);
  if (but_last >= own.batches) return;
  const uint64_t end = own.batches - but_last;
  auto next = own.asked.begin();
  for (; next != own.asked.end() && next->batch < end; ++next) {
    const AsyncCopy& copy = next->copy;
    if (check_hooks) check_hooks->async_copy_ends(copy);
    std::memcpy(copy.to, copy.from, copy.bytes);
    std::memset(static_cast<char*>(copy.to) + copy.bytes, 0, copy.zeros);
  }
  own.asked.erase(own.asked.begin(), next);
}

void AsyncCopies::forget() {
  for (unsigned thread = 0; thread < used_; ++thread) {
    threads_[thread].batches = 0;
    threads_[thread].asked.clear();
  }
  used_ = 0;
}

}  // namespace convkit::simt
