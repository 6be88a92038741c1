// SPDX-License-Identifier: MIT
// The table of commands.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"

namespace convkit {

using CommandMaker = std::unique_ptr<CliCommand>();

CommandMaker list_command, start_command, check_command, run_command, bench_command, train_command,
    predict_command, submit_command, grade_command, refgen_command, verify_command, pack_command,
    new_stage_command, new_case_command, new_variant_command, cc_command, doctor_command,
    demo_command, completion_command;

// In the order of --help.
inline constexpr CommandMaker* kCommands[] = {
    list_command,   start_command,   check_command,     run_command,       bench_command,
    train_command,  predict_command, submit_command,    grade_command,     refgen_command,
    verify_command, pack_command,    new_stage_command, new_case_command,  new_variant_command,
    cc_command,     doctor_command,  demo_command,      completion_command};

}  // namespace convkit
