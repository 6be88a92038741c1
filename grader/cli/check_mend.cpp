// SPDX-License-Identifier: MIT
// `check` in a program that has the search for a change.
#include "cli/commands.h"
#include "cli/handed_over.h"
#include "grade/mend/one_change.h"

namespace convkit {

std::unique_ptr<CliCommand> check_command() {
  return check_command("check", look_for_one_change);
}

std::unique_ptr<CliCommand> search_command() {
  return check_command(kSearchOfCheck, look_for_one_change);
}

}  // namespace convkit
