// SPDX-License-Identifier: MIT
// Inline PTX: asm statements in device code become calls of the headers (simt/ptx.h), which read
// the text at compile time. Texts that are literals are read here as well, for better messages.
#pragma once

#include <string>
#include <string_view>

#include "cpu_device/rewrite/edits.h"
#include "cpu_device/rewrite/report.h"
#include "cpu_device/rewrite/scopes.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

// Returns how many statements were rewritten. In the body of a macro `scopes` is null and the text
// of the `source` empty. Assembly of the
// host is left alone: what is neither in device code nor looks like PTX, and what is empty.
size_t rewrite_inline_ptx(const Stream& stream, const Scopes* scopes, std::string_view source,
                          Edits& edits, Report& report);

// The sentence for a problem of simt/ptx/program.h, by its number there.
std::string ptx_problem_text(int kind, std::string_view subject);

// What string literals next to each other mean, as far as PTX is written in it: escapes of newline,
// tab, quotes and backslash, and raw strings.
std::string literal_value(std::string_view literal);

}  // namespace convkit::rewrite
