// SPDX-License-Identifier: MIT
// `convkit-mend`: the check that tries small changes.
#include "cli/commands.h"
#include "cli/program.h"

int main(int argc, char** argv) {
  using namespace convkit;
  Commands commands;
  commands.push_back(check_command());
  commands.push_back(search_command());
  return run_program(argc, argv, commands);
}
