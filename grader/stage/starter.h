// SPDX-License-Identifier: MIT
// The starter is made from the solution: solutions/ is the single source of the stubs.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace convkit {

// A solution file marks what students write:
//
//     // BEGIN SOLUTION(01.3)
//     //> // TODO(01.3): what must become true
//     //> CONVKIT_TODO("01.3");
//     ...the solution...
//     // END SOLUTION
//
// The starter has the `//> ` lines in its place, without that prefix. A file whose second line is
// `// SOLUTION ONLY` has no starter: nullopt. Throws KitError naming file and line where markers
// do not pair up.
std::optional<std::string> starter_text(const std::string& solution, const std::string& file_name);

// Every file of the starter that belongs to the solution folder: relative path -> content.
std::map<std::string, std::string> starter_files(const std::filesystem::path& solution);

// For each difference between starter/<id> on disk and what its solution yields: what it is, and
// the command that ends it.
std::vector<std::string> starter_drift(const std::filesystem::path& solution,
                                       const std::filesystem::path& starter);

// Writes starter_files() below `starter`, removing files that no longer belong.
void write_starter(const std::filesystem::path& solution, const std::filesystem::path& starter);

}  // namespace convkit
