// SPDX-License-Identifier: MIT
// CUDA C++ as text in, C++ for the CPU device as text out. Five constructs are rewritten: launches,
// launch bounds, shared memory that is dynamic or has attributes behind `__shared__`, inline PTX,
// and the linkage of variables in device memory; and, if that is asked for, kernels whose threads
// never wait, or wait at barriers only. Everything else passes through, every line on its line.
//
//   Source source(text);                  // for each file of a translation unit
//   Names names; names.add(source); names.finish();
//   Rewritten rewritten = rewrite(source, names);
//
// Any bytes are accepted. Nothing here reads files, and time is about linear in the size of the
// text.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cpu_device/rewrite/edits.h"
#include "cpu_device/rewrite/names.h"
#include "cpu_device/rewrite/quiet_code.h"
#include "cpu_device/rewrite/report.h"
#include "cpu_device/rewrite/source.h"

namespace convkit::rewrite {

struct Include {
  std::string name;             // as written, without quotes
  bool angled = false;          // <name>
  uint32_t begin = 0, end = 0;  // of the quoted name in the text
};

// What the source may include, in order. Names that are macros are left out.
std::vector<Include> includes(const Source& source);

struct Rewritten {
  std::string text;
  ColumnMap columns;                    // from `text` to the source
  std::vector<Diagnostic> diagnostics;  // with an error among them, `text` is of no use
  size_t launches = 0, dynamic_shared = 0, inline_ptx = 0;
  bool template_launches = false;  // some launch names template arguments
  bool concept_words = false;      // `requires` or `concept`: keywords since C++20

  bool has_errors() const;
};

// The file that an include directive should name instead; nullopt leaves the directive unchanged.
using Redirect = std::function<std::optional<std::string>(const Include&)>;

// Whether a source is a program of its own to nvcc, or a part of one (-rdc=true).
enum class DeviceCode { whole, relocatable };

// `quiet`: with it, kernels whose threads never wait, or only at barriers that all of them reach,
// can run them as loops (thread_loops.h).
Rewritten rewrite(const Source& source, const Names& names, const Redirect& redirect = {},
                  DeviceCode device_code = DeviceCode::whole, const QuietCode* quiet = nullptr);

}  // namespace convkit::rewrite
