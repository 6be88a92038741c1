// SPDX-License-Identifier: MIT
// `convkit-workbench`: the commands that measure.
#include "cli/commands.h"
#include "cli/program.h"

int main(int argc, char** argv) {
  using namespace convkit;
  Commands commands;
  commands.push_back(bench_command());
  commands.push_back(profile_command());
  return run_program(argc, argv, commands);
}
