// SPDX-License-Identifier: MIT
// `convkit-author`: the commands of those who write stages and hand the kit out.
#include "cli/commands.h"
#include "cli/program.h"

int main(int argc, char** argv) {
  using namespace convkit;
  Commands commands;
  commands.push_back(verify_command());
  commands.push_back(pack_command());
  commands.push_back(new_stage_command());
  commands.push_back(new_case_command());
  commands.push_back(new_variant_command());
  return run_program(argc, argv, commands);
}
