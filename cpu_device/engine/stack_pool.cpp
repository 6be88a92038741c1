// SPDX-License-Identifier: MIT
#include "cpu_device/engine/stack_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <new>

namespace convkit::simt {
namespace {

constexpr size_t kGuardBytes = 4096;
constexpr size_t kStride = kStackBytes + kGuardBytes;
// Above the last stack of a slab, so that nothing else is mapped there: check mode takes what lies
// less than a stack above the stack pointer for local variables (check/quick.h).
constexpr size_t kNothingBytes = kStackBytes;

// A guard page makes two mappings of one, and Linux allows a process 65 530 of them. The slabs of a
// process beyond so many have none: those of large cooperative launches, or of blocks of 1024
// waiting threads on more than 28 cores.
constexpr unsigned kMostGuardedSlabs = 900;
std::atomic<unsigned> g_slabs{0};

// Of BlockMemory: what is taken is rounded up to whole cache lines.
constexpr size_t kLine = 64, kMemoryPieceBytes = size_t{1} << 20;

}  // namespace

StackPool::~StackPool() {
  for (const Slab& slab : slabs_) {
    munmap(slab.memory, slab.bytes);
    --g_slabs;
  }
}

void* StackPool::top(size_t index) {
  while (index / kPerSlab >= slabs_.size()) {
    const size_t bytes = kStride * kPerSlab + kNothingBytes;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    slabs_.push_back({static_cast<unsigned char*>(memory), bytes});
    if (g_slabs.fetch_add(1) >= kMostGuardedSlabs) continue;
    for (size_t i = 0; i < kPerSlab; ++i) {
      mprotect(slabs_.back().memory + i * kStride, kGuardBytes, PROT_NONE);
    }
    mprotect(slabs_.back().memory + kPerSlab * kStride, kNothingBytes, PROT_NONE);
  }
  unsigned char* slab = slabs_[index / kPerSlab].memory;
  // The same variable of neighbouring threads would fall into the same set of the L1 cache if all
  // stacks began at the same offset in a page: each begins a few cache lines lower than the last.
  const size_t shift = (index % 29) * 128;
  return slab + (index % kPerSlab + 1) * kStride - shift;
}

bool StackPool::holds(const void* address) const {
  const auto* at = static_cast<const unsigned char*>(address);
  for (const Slab& slab : slabs_) {
    if (at >= slab.memory && at < slab.memory + slab.bytes) return true;
  }
  return false;
}

bool StackPool::guards(const void* address) const {
  const auto* at = static_cast<const unsigned char*>(address);
  for (const Slab& slab : slabs_) {
    if (at < slab.memory || at >= slab.memory + slab.bytes) continue;
    return static_cast<size_t>(at - slab.memory) % kStride < kGuardBytes;
  }
  return false;
}

BlockMemory::~BlockMemory() {
  while (first_) {
    Piece* next = first_->next;
    munmap(first_, first_->bytes);
    first_ = next;
  }
}

void BlockMemory::reset() {
  piece_ = first_;
  used_ = kLine;
}

void* BlockMemory::take(size_t bytes) {
  bytes = (bytes + kLine - 1) / kLine * kLine;
  while (piece_ && piece_->bytes - used_ < bytes && piece_->next) {
    piece_ = piece_->next;
    used_ = kLine;
  }
  if (!piece_ || piece_->bytes - used_ < bytes) {
    const size_t wanted = std::max(kMemoryPieceBytes, bytes + kLine);
    void* memory =
        mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    auto* made = new (memory) Piece{nullptr, wanted};
    (piece_ ? piece_->next : first_) = made;
    piece_ = made;
    used_ = kLine;
  }
  void* taken = reinterpret_cast<unsigned char*>(piece_) + used_;
  used_ += bytes;
  return taken;
}

}  // namespace convkit::simt
