// SPDX-License-Identifier: MIT
// Shared addresses of 32 bits (simt/address_spaces.h). Each piece of memory that holds shared
// variables has a window of its own among them: the dynamic array, then the static arrays of each
// object. An address somewhat beyond a piece stays beyond it, so that check mode can tell.
#include "simt/address_spaces.h"

#include <cstdint>
#include <vector>

#include "cpu_device/engine/block_runner.h"
#include "cpu_device/engine/shared_memory.h"
#include "simt/launch.h"

namespace convkit::simt {
namespace {

constexpr unsigned kWindowBytes = 1u << 24;
constexpr unsigned kBefore = 1u << 16;  // bytes of a window before the page of the piece
constexpr uintptr_t kAddressPage = 4096;

// Of the calling OS thread, whose shared memory is its own.
const std::vector<SharedRange>& pieces() {
  thread_local std::vector<SharedRange> ranges;
  thread_local unsigned generation = ~0u;
  if (generation != shared_generation() || ranges.empty()) {
    generation = shared_generation();
    ranges = static_shared_ranges();
    ranges.insert(ranges.begin(), {dynamic_shared(), kSharedBytesOptIn});
  }
  return ranges;
}

uintptr_t first_page(const SharedRange& piece) {
  return reinterpret_cast<uintptr_t>(piece.begin) & ~(kAddressPage - 1);
}

// 0 inside, and for the end.
uintptr_t distance(const SharedRange& piece, uintptr_t at) {
  const auto begin = reinterpret_cast<uintptr_t>(piece.begin);
  const uintptr_t end = begin + piece.bytes;
  return at < begin ? begin - at : at > end ? at - end : 0;
}

}  // namespace
}  // namespace convkit::simt

unsigned convkit_simt_shared_address(const void* pointer) {
  using namespace convkit::simt;
  const std::vector<SharedRange>& ranges = pieces();
  const auto at = reinterpret_cast<uintptr_t>(pointer);
  size_t nearest = 0;
  for (size_t i = 1; i < ranges.size(); ++i) {
    if (distance(ranges[i], at) < distance(ranges[nearest], at)) nearest = i;
  }
  return static_cast<unsigned>(nearest * kWindowBytes + kBefore +
                               (at - first_page(ranges[nearest])));
}

void* convkit_simt_shared_pointer(unsigned address) {
  using namespace convkit::simt;
  const std::vector<SharedRange>& ranges = pieces();
  const size_t window = address / kWindowBytes;
  const SharedRange& piece = ranges[window < ranges.size() ? window : 0];
  return reinterpret_cast<void*>(first_page(piece) + (address % kWindowBytes) - kBefore);
}

void* convkit_simt_shared_pointer_of(unsigned long long address, const char* file, int line) {
  if (address >> 32 != 0) {
    convkit_simt_trap(
        "PTX that takes a pointer for an address in shared memory, which "
        "__cvta_generic_to_shared() gives,",
        file, line);
  }
  return convkit_simt_shared_pointer(static_cast<unsigned>(address));
}
