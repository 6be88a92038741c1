// SPDX-License-Identifier: MIT
// Macros that turn an argument into text, as in `#define SAY(x) puts(#x)`, and get a launch: the
// text is that of the original, not of what the launch has become.
#pragma once

#include <set>
#include <span>
#include <string_view>

#include "cpu_device/rewrite/edits.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

// Their names. Other macros are left alone: some need a literal, as `_Pragma(#x)` does.
std::set<std::string_view> macros_that_tell_launches(std::span<const Source* const> sources);

// In the body of one: `"failed: " #x` becomes CONVKIT_SIMT_TEXT("failed: " #x).
void keep_original_texts(const Stream& body, const std::set<std::string_view>& parameters,
                         Edits& edits);

}  // namespace convkit::rewrite
