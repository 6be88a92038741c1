// SPDX-License-Identifier: MIT
// `convkit-bench`: the command that measures.
#include "cli/commands.h"
#include "cli/program.h"

int main(int argc, char** argv) {
  using namespace convkit;
  Commands commands;
  commands.push_back(bench_command());
  return run_program(argc, argv, commands);
}
