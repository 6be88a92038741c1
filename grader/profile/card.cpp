// SPDX-License-Identifier: MIT
#include "profile/card.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "convkit/kit_error.h"

namespace convkit {
namespace {

constexpr Card kCards[] = {
    {"h200", "an H200", "sm_90", 132, 64, 32, 228 << 10, 1024, 67e3, 2, 4800},
    {"h100", "an H100 (SXM)", "sm_90", 132, 64, 32, 228 << 10, 1024, 67e3, 2, 3350},
    {"a100", "an A100", "sm_80", 108, 64, 32, 164 << 10, 1024, 19.5e3, 2, 2039},
    {"l4", "an L4", "sm_89", 58, 48, 24, 100 << 10, 1024, 30.3e3, 64, 300},
    {"l40s", "an L40S", "sm_89", 142, 48, 24, 100 << 10, 1024, 91.6e3, 64, 864},
    {"rtx4090", "an RTX 4090", "sm_89", 128, 48, 24, 100 << 10, 1024, 82.6e3, 64, 1008},
    {"rtx3090", "an RTX 3090", "sm_86", 82, 48, 16, 100 << 10, 1024, 35.6e3, 64, 936},
    {"t4", "a T4", "sm_75", 40, 32, 16, 64 << 10, 0, 8.1e3, 32, 320},
};

}  // namespace

std::span<const Card> cards() {
  return kCards;
}

std::string known_cards() {
  std::vector<std::string> known;
  for (const Card& card : kCards) known.emplace_back(card.option);
  return fmt::format("{}", fmt::join(known, ", "));
}

const Card& card_named(const std::string& option) {
  const auto found =
      std::ranges::find_if(kCards, [&](const Card& card) { return card.option == option; });
  if (found != std::end(kCards)) return *found;
  throw UsageError(
      fmt::format("There are no figures of a card `{}`. Known are {}.", option, known_cards()));
}

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
