// SPDX-License-Identifier: MIT
// The command line of convkit-confine. The grader writes it, but every value is checked, because
// anyone may run the program.
#pragma once

#include <string>
#include <vector>

#include "process/process.h"
#include "process/sandbox.h"

namespace convkit {

struct ConfineOptions {
  Confinement::Profile profile = Confinement::Profile::runner;
  bool landlock = false;
  bool seccomp = false;
  std::vector<std::string> read_only, read_write, devices;
  std::string hidden, executable;
  unsigned user = 0, group = 0;  // whom root becomes; 0: nobody else
  bool keeps_reading = false;    // that user may not read all that it is granted by itself
  Limits limits;                 // those that the kernel enforces
  int report_fd = -1;
  std::vector<std::string> argv;  // the program, an absolute path, and its arguments
};

// The arguments that follow argv[0]. Throws std::invalid_argument with a sentence.
ConfineOptions parse_confine_options(const std::vector<std::string>& arguments);

// The reverse.
std::vector<std::string> to_arguments(const ConfineOptions& options);

}  // namespace convkit
