// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

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

}  // namespace convkit
