// SPDX-License-Identifier: MIT
// A program: finds the command that a line names, and runs it.
#pragma once

#include <memory>
#include <vector>

#include "cli/command.h"

namespace convkit {

using Commands = std::vector<std::unique_ptr<CliCommand>>;

// The whole of main(). `commands` in the order of --help. Returns the exit code.
int run_program(int argc, char** argv, const Commands& commands);

}  // namespace convkit
