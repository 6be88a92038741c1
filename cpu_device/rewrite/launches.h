// SPDX-License-Identifier: MIT
// `kernel<<<grid, block, shared, stream>>>` becomes `CONVKIT_SIMT_LAUNCH((kernel),(grid, ...)) `.
#pragma once

#include <set>
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

}  // namespace convkit::rewrite
