// SPDX-License-Identifier: MIT
#include "cpu_device/check/library_objects.h"

#include <cstring>
#include <string>

#include "cpu_device/check/places.h"
#include "cpu_device/check/reports.h"
#include "cpu_device/check/source_lines.h"
#include "cpu_device/engine/texture_object.h"

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
