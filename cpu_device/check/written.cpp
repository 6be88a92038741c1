// SPDX-License-Identifier: MIT
#include "cpu_device/check/written.h"

#include <algorithm>
#include <set>
#include <vector>

#include "cpu_device/check/address_ranges.h"
#include "cpu_device/check/async_copies.h"
#include "cpu_device/check/coverage.h"
#include "cpu_device/check/places.h"
#include "cpu_device/check/present.h"
#include "cpu_device/check/reports.h"
#include "cpu_device/check/source_lines.h"

namespace convkit::simt::check {
namespace {

constexpr size_t kMostPending = 256;

AddressRanges& written() {
  static auto* const ranges = new AddressRanges;
  return *ranges;
}

struct Read {
  uintptr_t at;
  size_t size;
  uintptr_t pc;
  uintptr_t copy_pc;  // of the asynchronous copy that was to write it; 0: there is none
  bool shared, in_vector;
  unsigned thread;
  std::string where, thread_text;
  UnwrittenPart array;         // what else of it nobody has written
  unsigned threads, returned;  // of the block, before its first barrier
};
std::vector<Read> g_pending;
std::set<uintptr_t> g_raced;  // words
// Of the running block.
unsigned g_threads = 0, g_returned = 0;
bool g_passed_a_barrier = false;

// A right program may load a vector and not use the elements that nobody has written.
void report_vector(const Read& read) {
  Report report;
  report.kind = read.shared ? "uninitialised_vector" : "uninitialised_global";
  report.lines = {line_of(read.pc)};
  report.sentence =
      read.thread_text + " loads a vector at " + report.lines[0].text() + ", of which " +
      describe(name_place(read.at), read.at, read.size) + " " +
      (read.shared ? "has been written by no thread of the block." : "has never been written.");
  report.where = read.where;
  report.advice = "This is right only if the program does not use that element.";
  tell(report);
}

// The memory may hold the old contents, the new ones or some of each.
void report_under_way(const Read& read) {
  Report report;
  report.kind = "uninitialised_shared";
  report.lines = {line_of(read.pc), line_of(read.copy_pc)};
  report.sentence = read.thread_text + " reads " +
                    describe(name_place(read.at), read.at, read.size) + " at " +
                    report.lines[0].text() + ", while the asynchronous copy to it of " +
                    report.lines[1].text() + " is under way.";
  report.where = read.where;
  report.advice =
      "The thread that asked for the copy must wait for it, and then all threads at a barrier.";
  tell(report);
}

void report_read(const Read& read) {
  if (read.copy_pc != 0) return report_under_way(read);
  if (read.in_vector) return report_vector(read);
  const Place place = name_place(read.at);
  Report report;
  report.kind = read.shared ? "uninitialised_shared" : "uninitialised_global";
  report.lines = {line_of(read.pc)};
  report.sentence =
      read.thread_text + " reads " + describe(place, read.at, read.size) + " at " +
      report.lines[0].text() + ", which " +
      (read.shared ? "no thread of the block has written." : "has never been written.");
  if (!read.array.gaps.empty()) report.sentence += " " + read.array.gaps;
  if (read.shared && read.returned > 0) {
    report.sentence += " " + std::to_string(read.returned) + " of the block's " +
                       std::to_string(read.threads) +
                       " threads had returned before its first barrier.";
  }
  report.where = read.where;
  report.advice = read.shared ? "Shared memory is not initialised when a block begins: write every "
                                "element before it is read."
                              : "Set it with cudaMemset or cudaMemcpy, or write it in a kernel, "
                                "before it is read.";
  if (!read.array.step.empty()) report.advice += " " + read.array.step;
  if (read.shared && read.returned > 0) {
    report.advice +=
        " A thread that has returned loads nothing: let all threads of the block take part in the "
        "loads and come to the barrier, and leave out only what comes after it.";
  }
  tell(report);
}

template <class Wanted>
void report_where(const Wanted& wanted) {
  if (g_pending.empty()) return;
  std::vector<Read> rest;
  for (Read& read : g_pending) {
    if (!wanted(read)) {
      rest.push_back(std::move(read));
    } else if (g_raced.count(read.at & ~uintptr_t{3}) == 0) {
      report_read(read);
    }
  }
  g_pending = std::move(rest);
}

}  // namespace

void mark_written(uintptr_t begin, size_t bytes) {
  written().add(begin, bytes);
}

void forget_written(uintptr_t begin, size_t bytes) {
  written().remove(begin, bytes);
}

bool is_written(uintptr_t at) {
  return written().contains(at);
}

void for_each_written(uintptr_t begin, uintptr_t end,
                      const std::function<void(uintptr_t, uintptr_t)>& visit) {
  written().for_each(begin, end, visit);
}

void read_unwritten(uintptr_t at, size_t size, uintptr_t pc, bool shared, bool in_vector) {
  if (g_pending.size() >= kMostPending) return;
  // Of vectors one is enough for each place of the program: their words stay unwritten.
  const auto same = [&](const Read& read) { return read.in_vector && read.pc == pc; };
  if (in_vector && std::any_of(g_pending.begin(), g_pending.end(), same)) return;
  g_pending.push_back(
      {at, size, pc, shared ? async_copy_to(at) : 0, shared, in_vector, *present.thread,
       running_place(), thread_text(*present.thread),
       shared ? unwritten_part(find_place(at), at, size, g_threads) : UnwrittenPart{}, g_threads,
       shared && g_passed_a_barrier ? g_returned : 0});
}

void block_has_begun() {
  g_passed_a_barrier = false;
}

void barrier_passed(unsigned threads, unsigned returned) {
  if (g_passed_a_barrier) return;
  g_passed_a_barrier = true;
  g_threads = threads;
  g_returned = returned;
}

void race_found(uintptr_t at) {
  if (!g_pending.empty()) g_raced.insert(at & ~uintptr_t{3});
}

void report_unwritten_shared() {
  report_where([](const Read& read) { return read.shared; });
  if (g_pending.empty()) g_raced.clear();
}

void report_all_unwritten() {
  report_where([](const Read&) { return true; });
  g_raced.clear();
}

void report_unwritten_of_thread() {
  report_where([](const Read& read) { return read.thread == *present.thread; });
}

}  // namespace convkit::simt::check
