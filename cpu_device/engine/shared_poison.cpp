// SPDX-License-Identifier: MIT
#include "cpu_device/engine/shared_poison.h"

#include <algorithm>
#include <cstring>

#include "cpu_device/engine/settings.h"

namespace convkit::simt {
namespace {

constexpr size_t kPieceBytes = 512;
constexpr uint64_t kFirstBlocks = 4;

bool is_poisoned(const SharedRange& piece) {
  const unsigned char poison = settings().poison;
  const uint64_t poisoned = poison * (~uint64_t{0} / 0xff);
  uint64_t differs = 0;
  size_t at = 0;
  for (; at + sizeof differs <= piece.bytes; at += sizeof differs) {
    uint64_t word;
    std::memcpy(&word, piece.begin + at, sizeof word);
    differs |= word ^ poisoned;
  }
  for (; at < piece.bytes; ++at) differs |= piece.begin[at] ^ poison;
  return differs == 0;
}

void poison(const SharedRange& range) {
  std::memset(range.begin, settings().poison, range.bytes);
}

}  // namespace

void SharedPoison::reset(std::vector<SharedRange> ranges) {
  pieces_.clear();
  kernels_.clear();
  kernel_ = nullptr;
  looked_ = true;
  for (const SharedRange& range : ranges) {
    poison(range);
    for (size_t at = 0; at < range.bytes; at += kPieceBytes) {
      pieces_.push_back({range.begin + at, std::min(kPieceBytes, range.bytes - at)});
    }
  }
}

void SharedPoison::begin(Key kernel) {
  kernel_ = &kernels_[kernel];
  kernel_->writes.resize(pieces_.size());
}

void SharedPoison::after_block() {
  const uint64_t blocks = ++kernel_->blocks;
  if (blocks <= kFirstBlocks || (blocks & (blocks - 1)) == 0) return look_everywhere();
  for (const SharedRange& range : kernel_->ranges) poison(range);
  looked_ = false;
}

void SharedPoison::end() {
  if (!looked_) look_everywhere();
}

void SharedPoison::look_everywhere() {
  looked_ = true;
  bool learned = false;
  for (size_t i = 0; i < pieces_.size(); ++i) {
    if (is_poisoned(pieces_[i])) continue;
    poison(pieces_[i]);
    learned = learned || !kernel_->writes[i];
    kernel_->writes[i] = true;
  }
  if (!learned) return;
  kernel_->ranges.clear();
  for (size_t i = 0; i < pieces_.size(); ++i) {
    if (!kernel_->writes[i]) continue;
    std::vector<SharedRange>& ranges = kernel_->ranges;
    if (!ranges.empty() && ranges.back().begin + ranges.back().bytes == pieces_[i].begin) {
      ranges.back().bytes += pieces_[i].bytes;
    } else {
      ranges.push_back(pieces_[i]);
    }
  }
}

}  // namespace convkit::simt
