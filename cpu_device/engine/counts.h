// SPDX-License-Identifier: MIT
// Totals over all launches of the program.
#pragma once

#include <atomic>
#include <cstdint>

namespace convkit::simt {

struct Counts {
  std::atomic<uint64_t> launches{0}, blocks{0}, threads{0}, barriers{0};
  std::atomic<uint64_t> global_loads{0}, global_stores{0};
  std::atomic<uint64_t> shared_loads{0}, shared_stores{0};
  std::atomic<uint64_t> global_atomics{0}, shared_atomics{0};
  std::atomic<uint64_t> library_calls{0};
};

Counts& counts();

}  // namespace convkit::simt
