// SPDX-License-Identifier: MIT
#include "session/shared_tensors.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "convkit/sentinel.h"
#include "runner/protocol.h"

namespace convkit {
namespace {

uint64_t round_up(uint64_t value, uint64_t to) {
  return (value + to - 1) / to * to;
}

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

uint64_t TensorSpec::bytes() const {
  uint64_t product = size_of(dtype);
  for (int64_t dim : dims) product *= static_cast<uint64_t>(dim);
  return product;
}

SharedArena::SharedArena(std::vector<TensorSpec> tensors) : tensors_(std::move(tensors)) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  for (const TensorSpec& tensor : tensors_) {
    const uint64_t padded = round_up(tensor.bytes(), protocol::kTensorAlignment);
    slabs_.push_back(size_);
    size_ += round_up(std::max<uint64_t>(padded, 1), page);
    offsets_.push_back(size_ - padded);
  }
  slabs_.push_back(size_);
  size_ = std::max(size_, page);

  fd_ = FileDescriptor(memfd_create("convkit-tensors", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd_) fail("memfd_create");
  if (ftruncate(fd_.get(), static_cast<off_t>(size_)) != 0) fail("ftruncate of shared memory");
  if (fcntl(fd_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    fail("sealing shared memory");
  }
  void* memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
  if (memory == MAP_FAILED) fail("mmap of shared memory");
  memory_ = static_cast<std::byte*>(memory);
}

SharedArena::~SharedArena() {
  if (memory_) munmap(memory_, size_);
}

std::span<std::byte> SharedArena::bytes(size_t tensor) const {
  return {memory_ + offsets_[tensor], tensors_[tensor].bytes()};
}

void SharedArena::poison() {
  fill_sentinel(memory_, size_);
}

bool SharedArena::holds_sentinel(uint64_t begin, uint64_t end) const {
  for (uint64_t at = begin; at + sizeof kSentinelBits <= end; at += sizeof kSentinelBits) {
    if (std::memcmp(memory_ + at, &kSentinelBits, sizeof kSentinelBits) != 0) return false;
  }
  return true;
}

bool SharedArena::margin_before_touched(size_t tensor) const {
  return !holds_sentinel(slabs_[tensor], offsets_[tensor]);
}

bool SharedArena::margin_after_touched(size_t tensor) const {
  const uint64_t end = offsets_[tensor] + tensors_[tensor].bytes();
  return !holds_sentinel(round_up(end, sizeof kSentinelBits), slabs_[tensor + 1]);
}

}  // namespace convkit
