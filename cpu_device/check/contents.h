// SPDX-License-Identifier: MIT
// What the device left in memory that host code, too, can change: managed and pinned memory, and
// the outputs of a case, which a host function or a system call may reach here. Host code's writes
// are not all seen as they are made, so a copy is kept, and compared before the device's next
// operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace convkit::simt::check {

// From now on, as it is now. Too large a range, or one that cannot be read, is not watched.
void watch_contents(uintptr_t begin, size_t bytes);
// That has gone, or no longer matters.
void unwatch_contents(uintptr_t begin, size_t bytes);

enum class Changer { host, library };
// Calls visit(begin, end) for each run of words that have changed, and takes them as they are.
using VisitChange = std::function<void(uintptr_t, uintptr_t, Changer)>;
void for_each_change(const VisitChange& visit);

// A copy, or a memset, is about to leave these there.
void expect_bytes(uintptr_t at, const unsigned char* bytes, size_t count);
void expect_value(uintptr_t at, unsigned char value, size_t count);
// A library is about to write there what is not known yet.
void expect_library(uintptr_t at, size_t count);

// The copy of what lies between; visit(address, bytes, count).
void for_each_content(uintptr_t begin, uintptr_t end,
                      const std::function<void(uintptr_t, const unsigned char*, size_t)>& visit);

// What is compared in a case has a bound, beyond which nothing is watched in it any more.
void renew_budget();

}  // namespace convkit::simt::check
