// SPDX-License-Identifier: MIT
#include "cpu_device/check/coverage.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

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

}  // namespace convkit::simt::check
