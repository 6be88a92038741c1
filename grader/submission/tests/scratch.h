// SPDX-License-Identifier: MIT
// A folder of its own for every test, and taking a submission in there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "submission/intake.h"

namespace convkit {

class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }
  std::filesystem::path into() const { return folder_ / "into"; }

  // Writes a file (its folders too) and returns its path.
  std::filesystem::path file(const std::string& name, std::string_view bytes = "int x;\n") const;

  Submission take(const std::string& name, const IntakeLimits& limits = {}) const;

  // The sentence that `name` is refused with, as SubmissionError; "" when it is accepted. Checks
  // that `into` is left empty.
  std::string refusal(const std::string& name, const IntakeLimits& limits = {}) const;

 private:
  std::filesystem::path folder_;
};

std::string contents(const std::filesystem::path& file);

// "a b/c": the paths of a submission, for comparing at a glance.
std::string listing(const Submission& submission);

}  // namespace convkit
