// SPDX-License-Identifier: MIT
// Reading what compilers and linkers say.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "compile/build_request.h"

namespace convkit {

// The first error as one sentence: "conv2d.cpp:12:5: 'foo' was not declared in this scope".
// Undefined references become "`helper` is used but not defined in any file." The log is shaped by
// the code that was compiled: it may be long, and hold anything.
std::string first_error(const std::string& log);

// out_of_memory, file_too_large or compiler_crashed where the compiler gave up for that reason and
// not because of an error in the code: its exit status is the same.
std::optional<BuildResult::Status> why_compiler_gave_up(const std::string& log);

// Whether the compiler's driver says that a program of its own was ended by SIGKILL.
bool tells_of_a_kill(const std::string& log);

// Whether a tool that failed gives no reason that lies in the code: it says nothing, or only
// warnings, or that it could not start a process.
bool names_no_error(const std::string& log);

// The log, or its first `bytes` to the end of a line and a sentence that tells how much was cut.
std::string cut_log(std::string log, size_t bytes);

// The log with `prefix` removed wherever a path begins with it.
std::string without_prefix(const std::string& log, const std::string& prefix);

// The log with every `name` replaced.
std::string with_renamed(const std::string& log, const std::string& name,
                         const std::string& replacement);

}  // namespace convkit
