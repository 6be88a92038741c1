// SPDX-License-Identifier: MIT
#include "cpu_device/check/coverage.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "cpu_device/check/present.h"
#include "cpu_device/check/reports.h"
#include "cpu_device/check/shadow.h"
#include "cpu_device/check/stream_order.h"
#include "cpu_device/check/tensors.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {
namespace {

std::string product_text(uint3 dim) {
  return std::to_string(dim.x) + " x " + std::to_string(dim.y) + " x " + std::to_string(dim.z);
}

// Launches of one kernel from one line with one grid, once for each image, say.
bool are_alike(const KnownLaunch& a, const KnownLaunch& b) {
  const auto is_same = [](uint3 u, uint3 v) { return u.x == v.x && u.y == v.y && u.z == v.z; };
  return is_same(a.grid.blocks, b.grid.blocks) && is_same(a.grid.threads, b.grid.threads) &&
         task_text(*a.task) == task_text(*b.task);
}

// The launch that wrote all words that have been written, or the first of several that are alike;
// null if different ones did, or something else.
const KnownLaunch* only_writer(uintptr_t begin, const std::vector<bool>& written) {
  const KnownLaunch* writer = nullptr;
  for (size_t i = 0; i < written.size(); ++i) {
    if (!written[i]) continue;
    const Cell* cell = cell_of(begin + 4 * i);
    if (cell == nullptr || is_split(cell->write) || !is_of_kernel(cell->write)) return nullptr;
    const KnownLaunch* launch = known_launch(event_of(cell->write));
    if (launch == nullptr) return nullptr;
    if (writer == nullptr) writer = launch;
    if (launch != writer && !are_alike(*launch, *writer)) return nullptr;
  }
  return writer;
}

// A number of threads in place of a block.
std::string advice_on_flat_block(uint3 threads) {
  unsigned side = 1;
  while ((side + 1) * (side + 1) <= threads.x) ++side;
  const std::string across = std::to_string(side);
  return "The block has " + std::to_string(threads.x) +
         " threads in x and 1 in y: threadIdx.y is " +
         "always 0. If the kernel uses it, launch with dim3(" + across + ", " + across + ").";
}

}  // namespace

void report_not_covered(uintptr_t begin, const unsigned char* copy, size_t bytes,
                        uint32_t unwritten) {
  const auto allocation = allocation_at(reinterpret_cast<const void*>(begin), 0);
  if (!allocation) return;
  const NamedPart part = named_part(*allocation);
  if (part.dims.empty() || part.element_bytes != 4 || begin % 4 != 0) return;
  std::vector<bool> written(bytes / 4);
  for (size_t i = 0; i < written.size(); ++i) {
    uint32_t word = 0;
    std::memcpy(&word, copy + 4 * i, sizeof word);
    written[i] = word != unwritten;
  }
  const auto left_out = std::count(written.begin(), written.end(), false);
  if (left_out == 0 || static_cast<size_t>(left_out) == written.size()) return;
  const KnownLaunch* launch = only_writer(begin, written);
  if (launch == nullptr) return;
  const NotCovered why = not_covered(part.name, part.dims, launch->grid, written);
  if (why.dimensions.empty()) return;
  const uint3 blocks = launch->grid.blocks, threads = launch->grid.threads;
  Report report;
  const bool rounds_down = why.is_rounded_down && !why.has_flat_block;
  report.kind = rounds_down ? "grid_rounded_down" : "grid_too_small";
  if (const SourceLine line = task_line(*launch->task); !line.file.empty()) report.lines = {line};
  report.sentence =
      std::to_string(left_out) + " of " + std::to_string(written.size()) + " elements of " +
      part.name + " were never written: the grid of " + task_text(*launch->task) + ", has " +
      product_text(blocks) + " blocks of " + product_text(threads) + " threads, " +
      product_text({blocks.x * threads.x, blocks.y * threads.y, blocks.z * threads.z}) +
      " threads in all, and " + why.dimensions + ".";
  report.advice = why.has_flat_block ? advice_on_flat_block(threads)
                  : rounds_down
                      ? why.blocks + " Round up when you divide: (size + block - 1) / block."
                      : why.blocks +
                            " Is the grid counted from the size of this output, and from the size "
                            "of this block?" +
                            (why.has_enough_threads
                                 ? " All threads together would be enough: if the kernel numbers "
                                   "its blocks in one row, how does it find row and column?"
                                 : "");
  tell(report);
}

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
