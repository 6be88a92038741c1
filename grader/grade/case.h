// SPDX-License-Identifier: MIT
// What a case is made of, wherever it comes from: a file of references, or drawn on the spot.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "report/result.h"
#include "session/shared_tensors.h"
#include "stage/shapes.h"

namespace convkit {

class CaseMaterial {
 public:
  virtual ~CaseMaterial() = default;

  virtual const Params& params() const = 0;
  virtual std::vector<TensorSpec> inputs() const = 0;
  virtual std::vector<TensorSpec> outputs() const = 0;
  virtual std::span<const std::byte> input(size_t index) const = 0;
  // Judges one output. False, and the words of the failure in `result`, where it is wrong.
  // `todo_reached`: the submission ran into a CONVKIT_TODO.
  virtual bool judge(size_t output, std::span<const std::byte> got, bool todo_reached,
                     CaseResult& result) = 0;
};

template <class T>
std::span<const T> as(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

}  // namespace convkit
