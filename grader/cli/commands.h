// SPDX-License-Identifier: MIT
// What makes each command.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"

namespace convkit {

using CommandMaker = std::unique_ptr<CliCommand>();

CommandMaker list_command, start_command, check_command, show_command, run_command, bench_command,
    profile_command, train_command, predict_command, submit_command, grade_command, class_command,
    refgen_command, verify_command, pack_command, new_stage_command, new_case_command,
    new_variant_command, cc_command, doctor_command, demo_command;
// `commands`: the names of all others.
std::unique_ptr<CliCommand> completion_command(const std::vector<std::string>& commands);

}  // namespace convkit
