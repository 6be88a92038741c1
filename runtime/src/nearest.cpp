// SPDX-License-Identifier: MIT
#include "convkit/nearest.h"

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

std::vector<std::string> nearest_beginnings(const std::string& name,
                                            const std::vector<std::string>& known) {
  std::vector<std::string> best;
  if (name.size() < 3) return best;
  size_t best_distance = std::max<size_t>(1, name.size() / 6);
  for (const std::string& candidate : known) {
    size_t distance = name.size();
    // With a letter left out or typed twice, what was meant is a letter longer or shorter.
    for (const size_t length : {name.size() - 1, name.size(), name.size() + 1}) {
      distance = std::min(distance, edit_distance(name, candidate.substr(0, length)));
    }
    if (distance > best_distance) continue;
    if (distance < best_distance) best.clear();
    best_distance = distance;
    best.push_back(candidate);
  }
  return best;
}

}  // namespace convkit
