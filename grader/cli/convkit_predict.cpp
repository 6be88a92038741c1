// SPDX-License-Identifier: MIT
// `convkit-predict`: the command that reads pictures.
#include "cli/commands.h"
#include "cli/program.h"

int main(int argc, char** argv) {
  using namespace convkit;
  Commands commands;
  commands.push_back(predict_command());
  return run_program(argc, argv, commands);
}
