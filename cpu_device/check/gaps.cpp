// SPDX-License-Identifier: MIT
#include "cpu_device/check/gaps.h"

#include "cpu_device/check/present.h"
#include "cpu_device/check/shadow.h"

namespace convkit::simt::check {
namespace {

struct Run {
  size_t first, last;
  size_t length() const { return last - first + 1; }
  std::string text() const {
    return first == last ? std::to_string(first)
                         : std::to_string(first) + " to " + std::to_string(last);
  }
};

std::vector<Run> runs_of_unwritten(const std::vector<bool>& written) {
  std::vector<Run> runs;
  for (size_t i = 0; i < written.size(); ++i) {
    if (written[i]) continue;
    if (!runs.empty() && runs.back().last + 1 == i) {
      runs.back().last = i;
    } else {
      runs.push_back({i, i});
    }
  }
  return runs;
}

// As the ends of rows: of the same length, and as far apart. The last one may reach further.
bool are_alike(const std::vector<Run>& runs) {
  for (size_t i = 1; i < runs.size(); ++i) {
    if (runs[i].first - runs[i - 1].first != runs[1].first - runs[0].first) return false;
    if (i + 1 < runs.size() && runs[i].length() != runs[0].length()) return false;
  }
  return true;
}

std::string elements(size_t count) {
  return std::to_string(count) + (count == 1 ? " element" : " elements");
}

// What a report was made of counts as written when the block began (settle_unwritten()).
bool is_written_in_block(const Cell& cell) {
  return (cell.write & kEventMask) > present.shared_floor;
}

// Before the first one threads that have not had their turn may still write.
bool passed_a_barrier() {
  return event_of(present.barrier_floor) > event_of(present.shared_floor) + 1;
}

bool any_byte_written(uintptr_t word) {
  const Cell* cell = cell_of(word);
  if (cell == nullptr) return false;
  if (!is_split(cell->write)) return is_written_in_block(*cell);
  const Cell* bytes = split_cells(split_index(cell->write));
  for (int i = 0; i < 4; ++i) {
    if (is_written_in_block(bytes[i])) return true;
  }
  return false;
}

}  // namespace

std::string gaps_text(const std::vector<bool>& written) {
  const std::vector<Run> runs = runs_of_unwritten(written);
  if (runs.empty()) return "";
  size_t count = 0;
  for (const Run& run : runs) count += run.length();
  if (count == written.size()) {
    return "None of its " + elements(count) + " was written by any thread.";
  }
  std::string which;
  constexpr size_t kMost = 3;
  if (runs.size() > kMost && are_alike(runs)) {
    which = runs[0].text() + ", " + runs[1].text() + " and so on, " +
            std::to_string(runs[1].first - runs[0].first) + " apart, up to " +
            std::to_string(runs.back().last) + ",";
  } else if (runs.size() > kMost) {
    which = std::to_string(count) + ", the first of them " + std::to_string(runs[0].first) +
            " and the last " + std::to_string(runs.back().last) + ",";
  } else {
    for (size_t i = 0; i < runs.size(); ++i) {
      which += (i == 0 ? "" : i + 1 == runs.size() ? " and " : ", ") + runs[i].text();
    }
  }
  return "Of its " + elements(written.size()) + ", " + which +
         (count == 1 ? " was written by no thread." : " were written by no thread.");
}

std::string unwritten_part(const Place& array, size_t element_bytes) {
  const bool is_array =
      array.region == Region::static_shared || array.region == Region::dynamic_shared;
  const bool fits = element_bytes >= 4 && element_bytes % 4 == 0 && array.begin % 4 == 0 &&
                    array.bytes % element_bytes == 0 && array.bytes > element_bytes;
  if (!is_array || !fits || !passed_a_barrier()) return "";
  std::vector<bool> written;
  for (size_t at = 0; at < array.bytes; at += element_bytes) {
    bool any = false;
    for (size_t word = 0; word < element_bytes; word += 4) {
      any = any || any_byte_written(array.begin + at + word);
    }
    written.push_back(any);
  }
  return gaps_text(written);
}

}  // namespace convkit::simt::check
