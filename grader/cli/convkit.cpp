// SPDX-License-Identifier: MIT
// `convkit`: every command. In a checkout some are in other programs (other_programs.cpp).
#include "cli/commands.h"
#include "cli/program.h"

int main(int argc, char** argv) {
  using namespace convkit;
  Commands commands;
  commands.push_back(list_command());
  commands.push_back(start_command());
  commands.push_back(check_command());
  commands.push_back(show_command());
  commands.push_back(run_command());
  commands.push_back(bench_command());
  commands.push_back(profile_command());
  commands.push_back(train_command());
  commands.push_back(predict_command());
  commands.push_back(submit_command());
  commands.push_back(grade_command());
  commands.push_back(class_command());
  commands.push_back(refgen_command());
  commands.push_back(verify_command());
  commands.push_back(pack_command());
  commands.push_back(new_stage_command());
  commands.push_back(new_case_command());
  commands.push_back(new_variant_command());
  commands.push_back(cc_command());
  commands.push_back(doctor_command());
  commands.push_back(demo_command());
  std::vector<std::string> names;
  for (const auto& command : commands) names.emplace_back(command->name());
  commands.push_back(completion_command(names));
  return run_program(argc, argv, commands);
}
