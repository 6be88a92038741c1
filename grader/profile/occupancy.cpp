// SPDX-License-Identifier: MIT
#include "profile/occupancy.h"

#include <limits>

namespace convkit {
namespace {

constexpr unsigned kParts = 4;  // of a multiprocessor, each with a scheduler of its own
constexpr unsigned kRegisterUnit = 256;

template <class T>
T rounded_up(T value, T unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

Occupancy occupancy(const Card& card, const BlockNeeds& needs) {
  const unsigned warps = rounded_up(needs.threads, kLanesOfWarp) / kLanesOfWarp;
  Occupancy result;
  result.blocks = std::numeric_limits<unsigned>::max();
  const auto limit = [&](const char* by, uint64_t blocks) {
    if (blocks >= result.blocks) return;
    result.blocks = static_cast<unsigned>(blocks);
    result.limited_by = by;
  };
  limit("warps", card.warps / warps);
  limit("blocks", card.blocks);
  if (needs.registers != 0) {
    const unsigned of_warp = rounded_up(needs.registers * kLanesOfWarp, kRegisterUnit);
    const unsigned of_part = kRegistersOfMultiprocessor / kParts;
    limit("registers", of_part / of_warp * kParts / warps);
  }
  const uint64_t unit = card.reserved_bytes == 0 ? 256 : 128;
  const uint64_t shared = rounded_up(needs.shared_bytes + card.reserved_bytes, unit);
  if (needs.shared_bytes != 0) limit("shared memory", card.shared_bytes / shared);
  result.warps = result.blocks * warps;
  return result;
}

}  // namespace convkit
