// SPDX-License-Identifier: MIT
// What a wrong variant must be caught with: assignments/<stage>/wrong/<id>/expect.toml.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convkit {

struct Expectation {
  std::string id;  // the folder's name
  std::filesystem::path folder;
  std::string status;   // "WRONG", "CRASHED", "PASS", ...
  std::string op;       // an op whose cases show it; "" for PASS
  std::string mistake;  // the id of the diagnosis, "" where the status says it all
  std::string says;     // words that the message of a failing case must contain, or ""
  // "check": only the CPU device's check mode is sure to see it; "cpu": only the CPU device, where
  // what runs when does not depend on time; "gpu": only a GPU, where arithmetic has other modes.
  // Empty otherwise.
  std::string needs;
  std::string about;               // one sentence for staff
  std::vector<std::string> files;  // what replaces the solution's files
};

// All variants of a stage, by id. Throws KitError naming file, line and key.
std::vector<Expectation> load_expectations(const std::filesystem::path& wrong);

}  // namespace convkit
