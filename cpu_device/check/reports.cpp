// SPDX-License-Identifier: MIT
#include "cpu_device/check/reports.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <set>

#include "cpu_device/check/coverage.h"
#include "cpu_device/check/early_returns.h"
#include "cpu_device/check/launch_errors.h"
#include "cpu_device/check/library_memory.h"
#include "cpu_device/check/memory_log.h"
#include "cpu_device/check/origin.h"
#include "cpu_device/check/present.h"
#include "cpu_device/check/races.h"
#include "cpu_device/check/start_over.h"
#include "cpu_device/check/unjoined.h"
#include "cpu_device/check/updates.h"
#include "cpu_device/check/written.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {
namespace {

constexpr int kMostOfAKind = 10;

bool g_any_told = false;
char* g_kinds_to = nullptr;
size_t g_kinds_bytes = 0;
int g_left_out = 0;

std::string triple(uint3 index) {
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
         std::to_string(index.z) + ")";
}

std::set<std::string>& known_reports() {
  static auto* const known = new std::set<std::string>;
  return *known;
}

// How many reports of each kind there were since the last start over.
std::map<std::string, int>& told_of_kinds() {
  static auto* const told = new std::map<std::string, int>;
  return *told;
}

// Their kinds: " race_shared leak ".
std::string& told_kinds() {
  static auto* const kinds = new std::string(" ");
  return *kinds;
}

void publish_kinds() {
  if (g_kinds_to != nullptr) std::strncpy(g_kinds_to, told_kinds().c_str(), g_kinds_bytes - 1);
}

// False when a report like it has been written already.
bool is_new(const Report& report) {
  std::set<std::string> lines;
  for (const SourceLine& line : report.lines) lines.insert(line.file + std::to_string(line.line));
  std::string key = report.kind;
  for (const std::string& line : lines) key += " " + line;
  if (report.lines.empty()) key += report.sentence;
  return known_reports().insert(key).second;
}

// The lines themselves come with the report: "    tile.cu:12: tile[t] = in[t];"
Fault fault_of(const Report& report, cudaError_t error) {
  Fault fault{error, report.kind, report.sentence, report.advice};
  std::string quotes;
  for (size_t i = 0; i < report.lines.size(); ++i) {
    if (i != 0 && report.lines[i] == report.lines[0]) continue;
    const std::string quote = report.lines[i].quoted();
    if (!quote.empty()) quotes += (quotes.empty() ? "" : "\n") + ("    " + quote);
  }
  if (!quotes.empty()) fault.sentence += "\n" + quotes;
  return fault;
}

// No report: the program is right if it does not use the value.
void note_absent_lane() {
  const std::optional<Report> seen = report_of_absent_lane();
  if (!seen) return;
  note(seen->sentence + " It is right if the value is not used.", seen->advice);
}

void at_exit(int status, void*) {
  // After a fault of a kernel nothing can be freed.
  if (status == 0 && !device_has_failed()) {
    if (g_kinds_to == nullptr) {
      note_refused_call();
      note_absent_lane();
      report_unwaited();
      run_unwaited_launches();  // what is wrong in them is reported, too
    }
    report_leaks();
    report_library_leaks();
  }
  report_launch_error();
  if (g_left_out > 0) {
    std::fprintf(stderr, "convkit: %d more reports were left out.\n", g_left_out);
  }
  if (status != 0 || !g_any_told) return;
  // The remaining steps of an ordinary exit.
  std::cout.flush();
  std::fflush(nullptr);
  _exit(1);
}

}  // namespace

void note(const std::string& sentence, const std::string& advice) {
  std::fprintf(stderr, "convkit: note: %s\n  %s\n", sentence.c_str(), advice.c_str());
}

void tell(const Report& report) {
  if (!is_new(report)) return;
  if (told_of_kinds()[report.kind] >= kMostOfAKind) {
    ++g_left_out;
    return;
  }
  write_report(fault_of(report, cudaSuccess), report.where);
}

void stop_with(const Report& report, cudaError_t error) {
  settle_updates();
  report_unwritten_of_thread();
  stop_kernel(fault_of(report, error), report.where);
}

std::string running_place() {
  return place_of_running_thread() + callers_of_running_launch();
}

std::string thread_text(unsigned thread) {
  return "thread " + triple(thread_index(thread));
}

void watch_exit() {
  on_exit(at_exit, nullptr);
}

void report_was_told(const Fault& fault) {
  if (++told_of_kinds()[fault.kind] == 1) {
    told_kinds() += fault.kind + " ";
    publish_kinds();
  }
  g_any_told = true;
}

}  // namespace convkit::simt::check

void convkit_simt_check_start_over() {
  using namespace convkit::simt::check;
  if (in_kernel()) return;  // a runner calls this between cases, a kernel only to hide something
  known_reports().clear();
  told_of_kinds().clear();
  told_kinds() = " ";
  publish_kinds();
  forget_races();
  forget_updates();
  forget_early_returns();
  begin_case();
  g_left_out = 0;
  forget_leaks();
}

void convkit_simt_check_coverage(const void* begin, const void* copy, size_t bytes,
                                 uint32_t unwritten) {
  convkit::simt::check::report_not_covered(reinterpret_cast<uintptr_t>(begin),
                                           static_cast<const unsigned char*>(copy), bytes,
                                           unwritten);
}

const char* convkit_simt_check_told() {
  return convkit::simt::check::told_kinds().c_str();
}

void convkit_simt_check_tell_kinds_to(char* text, size_t bytes) {
  convkit::simt::check::g_kinds_to = text;
  convkit::simt::check::g_kinds_bytes = bytes;
}

void convkit_simt_check_given(const void* begin, size_t bytes) {
  convkit::simt::check::know_given(reinterpret_cast<uintptr_t>(begin), bytes);
}

void convkit_simt_check_watch(const void* begin, size_t bytes) {
  const auto open = convkit::simt::open_device_memory();
  convkit::simt::check::watch_output(reinterpret_cast<uintptr_t>(begin), bytes);
}

size_t convkit_simt_check_bytes_of_host(const void* begin, size_t bytes) {
  const auto first = reinterpret_cast<uintptr_t>(begin);
  const auto open = convkit::simt::open_device_memory();
  convkit::simt::check::look_at_watched();
  return convkit::simt::check::bytes_of_host(first, first + bytes);
}

size_t convkit_simt_check_bytes_as_computed(const void* begin, size_t bytes) {
  const auto open = convkit::simt::open_device_memory();
  convkit::simt::check::look_at_watched();
  return convkit::simt::check::bytes_as_computed(static_cast<const unsigned char*>(begin), bytes);
}

size_t convkit_simt_check_bytes_from_device() {
  return convkit::simt::check::bytes_from_device();
}

void convkit_simt_check_streams(CUstream_st* given) {
  convkit::simt::check::report_unjoined(convkit::simt::stream_number(given));
}

void convkit_simt_check_returned() {
  using namespace convkit::simt::check;
  for (const auto& report : {report_of_early_returns(), report_of_absent_lane()}) {
    if (report) tell(*report);
  }
}

void convkit_simt_check_freed() {
  if (!convkit::simt::device_has_failed()) convkit::simt::check::report_leaks();
}
