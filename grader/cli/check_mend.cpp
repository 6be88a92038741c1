// SPDX-License-Identifier: MIT
// `check` in a program that has --mend.
#include "cli/commands.h"
#include "grade/mend/one_change.h"

namespace convkit {

std::unique_ptr<CliCommand> check_command() {
  return check_command(look_for_one_change);
}

}  // namespace convkit
