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

// The thread of the block that wrote the word, or a byte of it; kNoThread: none did.
int writer_of(uintptr_t word) {
  const Cell* cell = cell_of(word);
  if (cell == nullptr) return kNoThread;
  const bool whole = !is_split(cell->write);
  const Cell* bytes = whole ? cell : split_cells(split_index(cell->write));
  for (int i = 0; i < (whole ? 1 : 4); ++i) {
    if (is_written_in_block(bytes[i])) return static_cast<int>(thread_of(bytes[i].write));
  }
  return kNoThread;
}

// Up to the first gap, from the first element that thread (0,0,0) wrote on.
Run run_before_gap(const std::vector<int>& writers) {
  const auto begin = std::find(writers.begin(), writers.end(), 0);
  const auto end = std::find(begin, writers.end(), kNoThread);
  const auto first = static_cast<size_t>(begin - writers.begin());
  if (begin == end || end == writers.end()) return {1, 0};
  return {first, static_cast<size_t>(end - writers.begin()) - 1};
}

uint3 extent_of_block(unsigned threads) {
  uint3 extent = {1, 1, 1};
  for (unsigned t = 0; t < threads; ++t) {
    const uint3 index = thread_index(t);
    extent = {std::max(extent.x, index.x + 1), std::max(extent.y, index.y + 1),
              std::max(extent.z, index.z + 1)};
  }
  return extent;
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
    which =
        runs[0].text() + ", " + runs[1].text() + " and so on, " +
        std::to_string(runs[1].first - runs[0].first) + " apart, " +
        (runs.back().length() > runs[0].length() ? "and then " + runs.back().text()
                                                 : "up to " + std::to_string(runs.back().last)) +
        ",";
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

std::string missing_step(const std::vector<int>& writers, uint3 threads, size_t read) {
  const Run run = run_before_gap(writers);
  const size_t all = size_t{threads.x} * threads.y * threads.z, next = run.last + 1;
  if (run.first > run.last || all < 2) return "";
  const auto number = [](size_t value) { return std::to_string(value); };
  const auto follows = [&](size_t end, auto writer) {
    for (size_t e = run.first; e < end; ++e) {
      if (writers[e] != kNoThread && static_cast<size_t>(writers[e]) != writer(e - run.first)) {
        return false;
      }
    }
    return true;
  };
  if (run.length() % all == 0 && read >= next && follows(next, [&](size_t e) { return e % all; })) {
    const size_t each = run.length() / all;
    const std::string wrote =
        "Each of the block's " + number(all) + " threads wrote " +
        (each == 1 ? "one element" : elements(each) + ", " + number(all) + " apart") +
        ", and none goes on to element " + number(next) + ": ";
    const std::string loop = "let the loop go on in steps of " + number(all) +
                             ", the threads of the block, up to the last element";
    // A second buffer that nothing fills looks the same, and so does a block that is too small.
    if (writers.size() % next != 0) return wrote + loop + ".";
    return wrote + "if it belongs to the same tile, " + loop +
           (each == 1 ? ", or launch as many threads as the array has elements" : "") +
           "; if another tile begins there, nothing has filled that one.";
  }
  // Rows, one below the other as the rows of threads are.
  const auto below = std::find(writers.begin(), writers.end(), static_cast<int>(threads.x));
  const auto first_below = static_cast<size_t>(below - writers.begin());
  if (threads.x < 2 || threads.y < 2 || below == writers.end() || first_below <= run.first) {
    return "";
  }
  const size_t pitch = first_below - run.first, row = (next - run.first) / pitch,
               column = (next - run.first) % pitch;
  const auto in_rows = [&](auto thread) {
    return pitch >= threads.x &&
           follows(std::min(writers.size(), run.first + pitch * threads.y), thread);
  };
  const auto by_both = [&](size_t e) {
    return e / pitch % threads.y * threads.x + e % pitch % threads.x;
  };
  // Each row by threads of its own, in whatever order.
  const auto by_y = [&](size_t e) {
    const int writer = writers[run.first + e];
    const size_t x = static_cast<size_t>(writer) % threads.x;
    return e / pitch % threads.y * threads.x + x;
  };
  // A column may be there for the banks of shared memory alone: then nobody reads it.
  if (read < run.first || (column != 0 && (read - run.first) % pitch < column)) return "";
  const bool lacks_rows = column == 0 && row % threads.y == 0;
  if (!in_rows(by_both) && !(lacks_rows && in_rows(by_y))) return "";
  const std::string rows = "In rows of " + number(pitch) + " elements, ";
  const auto up_to = [&](const char* name, size_t first_missing, size_t step) {
    return first_missing == step
               ? name + std::string(" only")
               : name + std::string(" and on to ") + name + " + " + number(first_missing - step) +
                     " in steps of " + number(step);
  };
  if (lacks_rows) {
    return rows + "thread (x, y) wrote row " + up_to("y", row, threads.y) +
           ", and none goes on to row " + number(row) +
           ": a loop over the rows has to go on by the threads of the block in y, " +
           number(threads.y) + ", up to the last row.";
  }
  if (column != 0 && column % threads.x == 0) {
    return rows + "thread (x, y) wrote column " + up_to("x", column, threads.x) +
           ", and none goes on to column " + number(column) +
           ": a loop over the columns has to go on by the threads of the block in x, " +
           number(threads.x) + ", up to the end of the row.";
  }
  return "";
}

bool block_wrote_shared() {
  const auto any = [](uintptr_t begin, size_t bytes) {
    for (uintptr_t word = begin & ~uintptr_t{3}; word < begin + bytes; word += 4) {
      if (writer_of(word) != kNoThread) return true;
    }
    return false;
  };
  for (const SharedRange& range : static_shared_memory()) {
    if (any(reinterpret_cast<uintptr_t>(range.begin), range.bytes)) return true;
  }
  const Place dynamic = find_place(reinterpret_cast<uintptr_t>(dynamic_shared_memory()));
  return dynamic.region == Region::dynamic_shared && any(dynamic.begin, dynamic.bytes);
}

UnwrittenPart unwritten_part(const Place& array, uintptr_t read, size_t element_bytes,
                             unsigned threads) {
  const bool is_array =
      array.region == Region::static_shared || array.region == Region::dynamic_shared;
  const bool fits = element_bytes >= 4 && element_bytes % 4 == 0 && array.begin % 4 == 0 &&
                    array.bytes % element_bytes == 0 && array.bytes > element_bytes;
  if (!is_array || !fits || !passed_a_barrier()) return {};
  std::vector<bool> written;
  std::vector<int> writers;
  for (size_t at = 0; at < array.bytes; at += element_bytes) {
    int writer = kNoThread;
    for (size_t word = 0; word < element_bytes && writer == kNoThread; word += 4) {
      writer = writer_of(array.begin + at + word);
    }
    writers.push_back(writer);
    written.push_back(writer != kNoThread);
  }
  return {gaps_text(written),
          missing_step(writers, extent_of_block(threads), (read - array.begin) / element_bytes)};
}

}  // namespace convkit::simt::check
