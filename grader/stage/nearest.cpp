// SPDX-License-Identifier: MIT
#include "stage/nearest.h"

#include <algorithm>

#include "convkit/edit_distance.h"

namespace convkit {
std::string nearest(const std::string& name, const std::vector<std::string>& known) {
  std::string best;
  size_t best_distance = std::max<size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace convkit
