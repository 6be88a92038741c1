// SPDX-License-Identifier: MIT
#include "grade/speed/memory_floor.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "convkit/timing.h"

namespace convkit {

double memory_floor_s(const SpeedCase& speed) {
  constexpr int kTries = 9;  // the best counts: the first ones fill the caches
  size_t elements = 0;
  for (const TensorShape& input : speed.inputs) elements += static_cast<size_t>(input.elements());
  const std::vector<float> inputs(elements, 1.0f);
  std::vector<float> copy(elements);
  std::vector<float> output(static_cast<size_t>(speed.output.elements()));
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTries; ++i) {
    const Stopwatch watch;
    std::memcpy(copy.data(), inputs.data(), inputs.size() * sizeof(float));
    std::memset(output.data(), i, output.size() * sizeof(float));
    best = std::min(best, watch.elapsed_s());
  }
  return best / 2;
}

}  // namespace convkit
