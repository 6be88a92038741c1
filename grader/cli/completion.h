// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace convkit {

// The completion script of `shell` ("bash" or "zsh"): commands, stages and options.
std::string completion_script(const std::string& shell);

}  // namespace convkit
