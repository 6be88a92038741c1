// SPDX-License-Identifier: MIT
// What makes each command.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "grade/mend/change_search.h"

namespace convkit {

using CommandMaker = std::unique_ptr<CliCommand>();

CommandMaker list_command, start_command, check_command, search_command, show_command, run_command,
    bench_command, profile_command, train_command, predict_command, submit_command, grade_command,
    class_command, refgen_command, verify_command, pack_command, new_stage_command,
    new_case_command, new_variant_command, cc_command, doctor_command, demo_command;
// `name`: "check", or kSearchOfCheck. `search`: nullptr where another program has it
// (handed_over.h).
std::unique_ptr<CliCommand> check_command(const char* name, ChangeSearch* search);
// `commands`: the names of all others.
std::unique_ptr<CliCommand> completion_command(const std::vector<std::string>& commands);

}  // namespace convkit
