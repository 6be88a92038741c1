// SPDX-License-Identifier: MIT
// The memory a case's tensors cross in: two anonymous files, inputs and outputs, which the runner
// maps between guard pages (runner/protocol.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "convkit/npy.h"
#include "process/file_descriptor.h"

namespace convkit {

struct TensorSpec {
  std::string name;
  DType dtype = DType::float32;
  std::vector<int64_t> dims;
  uint64_t bytes() const;
};

// One of the two files. The grader keeps it mapped; its size is sealed, so that a runner cannot
// shrink it under the grader's feet.
class SharedArena {
 public:
  explicit SharedArena(std::vector<TensorSpec> tensors);
  ~SharedArena();
  SharedArena(const SharedArena&) = delete;
  SharedArena& operator=(const SharedArena&) = delete;

  int fd() const { return fd_.get(); }
  const std::vector<TensorSpec>& tensors() const { return tensors_; }
  uint64_t offset(size_t tensor) const { return offsets_[tensor]; }
  std::span<std::byte> bytes(size_t tensor) const;

  // Everything, margins included, becomes the sentinel.
  void poison();
  // What a runner wrote into the margin of a tensor: before its first or after its last byte.
  bool margin_before_touched(size_t tensor) const;
  bool margin_after_touched(size_t tensor) const;

 private:
  bool holds_sentinel(uint64_t begin, uint64_t end) const;

  std::vector<TensorSpec> tensors_;
  std::vector<uint64_t> slabs_;    // where each tensor's pages begin; one more: the end
  std::vector<uint64_t> offsets_;  // where its first element lies
  FileDescriptor fd_;
  std::byte* memory_ = nullptr;
  uint64_t size_ = 0;
};

}  // namespace convkit
