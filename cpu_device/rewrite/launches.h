// SPDX-License-Identifier: MIT
// `kernel<<<grid, block, shared, stream>>>` becomes `CONVKIT_SIMT_LAUNCH((kernel),(grid, ...)) `,
// or CONVKIT_SIMT_TEMPLATE_LAUNCH where template arguments are given. Where the kernel's bounds or
// declarations are known, it is CONVKIT_SIMT_KNOWN_[TEMPLATE_]LAUNCH((kernel),(grid, ...),(bound),
// (function to ask for the parameters)).
#pragma once

#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "cpu_device/rewrite/edits.h"
#include "cpu_device/rewrite/names.h"
#include "cpu_device/rewrite/report.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

struct Launch {
  size_t kernel_begin;  // tokens [kernel_begin, open) name what is launched
  size_t open;          // the token that begins with `<<<`
};

// Names that may stand for several arguments of a configuration.
struct Expanding {
  const std::set<std::string_view>& macros;
  const std::set<std::string_view>& parameters;  // of the macro whose body is looked at

  bool contains(std::string_view name) const {
    return macros.contains(name) || parameters.contains(name);
  }
};

// Rewrites every launch among the tokens and returns them. `names` are null for the body of a
// macro: then no launch names its kernel's bounds.
std::vector<Launch> rewrite_launches(const Stream& stream, const Expanding& expanding,
                                     const Names* names, Edits& edits, Report& report);

// Macros that turn an argument into text, as in `#define SAY(x) puts(#x)`, and get a launch: the
// text is that of the original, not of what the launch has become.
//
// Their names. Other macros are left alone: some need a literal, as `_Pragma(#x)` does.
std::set<std::string_view> macros_that_tell_launches(std::span<const Source* const> sources);

// In the body of one: `"failed: " #x` becomes CONVKIT_SIMT_TEXT("failed: " #x).
void keep_original_texts(const Stream& body, const std::set<std::string_view>& parameters,
                         Edits& edits);

}  // namespace convkit::rewrite
