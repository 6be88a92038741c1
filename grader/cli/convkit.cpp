// SPDX-License-Identifier: MIT
// `convkit`: every command, or the program that has it.
#include "cli/commands.h"
#include "cli/handed_over.h"
#include "cli/program.h"

int main(int argc, char** argv) {
  using namespace convkit;
  Commands commands;
  commands.push_back(list_command());
  commands.push_back(start_command());
  commands.push_back(check_command());
  commands.push_back(show_command());
  commands.push_back(run_command());
  commands.push_back(handed_over(kBench));
  commands.push_back(handed_over(kProfile));
  commands.push_back(train_command());
  commands.push_back(handed_over(kPredict));
  commands.push_back(submit_command());
  commands.push_back(grade_command());
  commands.push_back(class_command());
  commands.push_back(refgen_command());
  commands.push_back(handed_over(kVerify));
  commands.push_back(handed_over(kPack));
  commands.push_back(handed_over(kNewStage));
  commands.push_back(handed_over(kNewCase));
  commands.push_back(handed_over(kNewVariant));
  commands.push_back(cc_command());
  commands.push_back(doctor_command());
  commands.push_back(demo_command());
  std::vector<std::string> names;
  for (const auto& command : commands) names.emplace_back(command->name());
  commands.push_back(completion_command(names));
  return run_program(argc, argv, commands);
}
