// SPDX-License-Identifier: MIT
#include "convkit/nearest.h"

#include <algorithm>
#include <vector>

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

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = last[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace convkit
