// SPDX-License-Identifier: MIT
// The exception of every file reader of the kit.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace convkit {

// The kit itself is at fault (a damaged stage.toml, a reference that does not match its manifest, a
// missing runner): status GRADER_ERROR, exit code 3, and no student loses a point.
struct KitError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The command was used wrongly: exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A file cannot be used: it is missing, unreadable, damaged or forged. what() is one sentence that
// names the file, the member inside it if there is one, and what is wrong.
struct FormatError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Text taken from inside a file, made safe to print: in single quotes, everything but printable
// ASCII written as \xNN, cut after 64 characters.
std::string printable(std::string_view text);

}  // namespace convkit
