// SPDX-License-Identifier: MIT
#include "cpu_device/check/library_memory.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "cpu_device/check/origin.h"
#include "cpu_device/check/places.h"
#include "cpu_device/check/reports.h"
#include "cpu_device/check/shadow.h"
#include "cpu_device/check/source_lines.h"
#include "cpu_device/check/stream_order.h"
#include "cpu_device/check/written.h"
#include "cpu_device/engine/texture_object.h"

namespace convkit::simt::check {
namespace {

bool kernel_wrote(uintptr_t at) {
  const Cell* cell = cell_of(at & ~uintptr_t{3});
  if (cell == nullptr) return false;
  if (is_split(cell->write)) cell = &split_cells(split_index(cell->write))[at & 3];
  return cell->write != kUnknown && cell->write != kUnwritten;
}

// The same where no copy has written.
uintptr_t first_not_of_kernels(uintptr_t begin, uintptr_t end) {
  for (uintptr_t at = begin; at < end;) {
    if (!kernel_wrote(at)) return at;
    const Cell* cell = cell_of(at & ~uintptr_t{3});
    at = is_split(cell->write) ? at + 1 : (at & ~uintptr_t{3}) + 4;
  }
  return end;
}

// Calls visit(begin, end) for each run of bytes that the operand uses.
template <class Visit>
void for_each_run(const Operand& operand, const Visit& visit) {
  const auto size = static_cast<int64_t>(operand.element_bytes);
  const bool together = operand.ld == operand.rows || operand.columns == 1;
  const int64_t runs = together ? 1 : operand.columns;
  const int64_t bytes = (together ? operand.rows * operand.columns : operand.rows) * size;
  const bool same = operand.batch_stride == 0 && !operand.writes;
  const int64_t batches = same ? 1 : operand.batches;
  for (int64_t batch = 0; batch < batches; ++batch) {
    for (int64_t run = 0; run < runs; ++run) {
      const int64_t offset = (batch * operand.batch_stride + run * operand.ld) * size;
      const uintptr_t begin =
          reinterpret_cast<uintptr_t>(operand.begin) + static_cast<uintptr_t>(offset);
      visit(begin, begin + static_cast<uintptr_t>(bytes));
    }
  }
}

// "cublasSgemm, called at product.cu:12, "
std::string beginning(const char* call, const Report& report) {
  return std::string(call) + ", called at " + report.lines[0].text() + ", ";
}

// "element 3 (byte 12) of allocation 1 (64 bytes) through its argument A": the element at a byte.
std::string element_text(const Operand& operand, uintptr_t at) {
  std::string argument = operand.argument;
  if (operand.entry >= 0) argument += "[" + std::to_string(operand.entry) + "]";
  const auto begin = reinterpret_cast<uintptr_t>(operand.begin);
  const uintptr_t element = at - (at - begin) % operand.element_bytes;
  return describe(name_place(element), element, operand.element_bytes) + " through its argument " +
         argument;
}

void report_unwritten(const Operand& operand, uintptr_t at, const char* call,
                      const void* call_site) {
  Report report;
  report.kind = "uninitialised_global";
  report.lines = {static_cast<const CallSite*>(call_site)->line()};
  report.sentence = beginning(call, report) + "reads " + element_text(operand, at) +
                    ", which has never been written.";
  report.advice =
      "Set it with cudaMemset or cudaMemcpy, or write it in a kernel, "
      "before it is read. Where beta is 0, the result is not read.";
  tell(report);
}

void report_overlap(const Operand& one, const Operand& other, uintptr_t at, const char* call,
                    const void* call_site) {
  const Operand& result = one.writes ? one : other;
  Report report;
  report.kind = "race_across_blocks";
  report.lines = {static_cast<const CallSite*>(call_site)->line()};
  report.sentence = beginning(call, report) + "writes " + element_text(result, at);
  if (&one == &other) {
    report.sentence += " more than once: the batches overlap.";
    report.advice =
        "The distance between results is counted in elements "
        "and must be at least the size of one matrix.";
  } else {
    report.sentence += " and reads it through " + std::string((one.writes ? other : one).argument) +
                       ", in any order.";
    report.advice = "A result must not share memory with an input.";
  }
  tell(report);
}

}  // namespace

uintptr_t first_unwritten(uintptr_t begin, uintptr_t end) {
  uintptr_t known = begin;  // all before it has been written
  uintptr_t found = end;
  for_each_written(begin, end, [&](uintptr_t first, uintptr_t last) {
    if (found == end && known < first) {
      const uintptr_t at = first_not_of_kernels(known, first);
      if (at < first) found = at;
    }
    known = std::max(known, last);
  });
  return found < end || known >= end ? found : first_not_of_kernels(known, end);
}

void library_uses(const Operand& operand, const char* call, const void* call_site) {
  bool told = false;
  for_each_run(operand, [&](uintptr_t begin, uintptr_t end) {
    use_in_stream(begin, end - begin, operand.writes);
    if (operand.reads && !told) {
      const uintptr_t at = first_unwritten(begin, end);
      if (at < end) {
        report_unwritten(operand, at, call, call_site);
        told = true;
      }
    }
    if (operand.writes || told) mark_written(begin, end - begin);
    if (operand.writes) library_wrote(begin, end - begin);
  });
}

void library_overlaps(const Operand* operands, size_t count, const char* call,
                      const void* call_site) {
  struct Run {
    uintptr_t begin, end;
    const Operand* operand;
  };
  std::vector<Run> runs;
  for (size_t i = 0; i < count; ++i) {
    for_each_run(operands[i], [&](uintptr_t begin, uintptr_t end) {
      if (begin < end) runs.push_back({begin, end, &operands[i]});
    });
  }
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.begin < b.begin; });
  // The run that reaches furthest so far, of those that are written, and of all.
  const Run* written = nullptr;
  const Run* any = nullptr;
  for (const Run& run : runs) {
    const Run* other = run.operand->writes ? any : written;
    if (other != nullptr && run.begin < other->end) {
      report_overlap(*run.operand, *other->operand, run.begin, call, call_site);
      return;
    }
    if (any == nullptr || run.end > any->end) any = &run;
    if (run.operand->writes && (written == nullptr || run.end > written->end)) written = &run;
  }
}

void library_fault(const Fault& fault, const char* call, const void* call_site) {
  Report report;
  report.kind = fault.kind;
  report.sentence = fault.sentence;
  report.advice = fault.advice;
  report.lines = {static_cast<const CallSite*>(call_site)->line()};
  report.where = std::string(call) + ", called at " + report.lines[0].text();
  tell(report);
}

}  // namespace convkit::simt::check

// Of cpu_device/dnn/alive.h; null where the program does without that library.
extern "C" __attribute__((weak)) void convkit_simt_dnn_each_alive(
    void (*tell)(const char* kind, const char* created_by, const void* call_site));

namespace convkit::simt::check {
namespace {

void report_leak(const char* kind, const char* created_by, const void* call_site) {
  if (call_site == nullptr) return;
  Report report;
  report.kind = "leak";
  report.lines = {static_cast<const CallSite*>(call_site)->line()};
  const bool vowel = std::strchr("aeiou", kind[0]) != nullptr;
  report.sentence = std::string(vowel ? "an " : "a ") + kind + ", made with " + created_by +
                    " at " + report.lines[0].text() + ", was never destroyed.";
  std::string destroy = created_by;
  destroy.replace(destroy.find("Create"), 6, "Destroy");
  report.advice =
      "Give it to " + destroy +
      "() on every way out of the function, also after an error; a destructor does this.";
  tell(report);
}

}  // namespace

void report_library_leaks() {
  if (convkit_simt_dnn_each_alive != nullptr) convkit_simt_dnn_each_alive(report_leak);
}

void report_texture_leaks() {
  each_texture_object_alive(report_leak);
}

}  // namespace convkit::simt::check
