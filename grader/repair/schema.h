// SPDX-License-Identifier: MIT
// One program that holds many mutants, so that all of them are compiled once (R. Untch et al.,
// "Mutation analysis using mutant schemata", 1993). A number in a file says which one it is.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "cpu_device/rewrite/edits.h"
#include "repair/mutants.h"

namespace convkit::repair {

// The header that the changed sources include, and a further source for the program. It reads the
// number, an int32_t, from the file that the environment variable kNumberVariable names, before
// each decision; 0 is the program as it was. With the number -n the process ends with the status
// kReached where the function is called in which the mutant n is the first one.
inline constexpr const char* kSchemaHeader = "convkit_mutants.h";
extern const char* const kSchemaHeaderText;
inline constexpr const char* kSchemaSource = "convkit_mutants.cpp";
extern const char* const kSchemaSourceText;
inline constexpr int kReached = 86;
inline constexpr const char* kNumberVariable = "CONVKIT_MUTANT";

// `text` with all mutants. The first one has the number `first`. Each line is one line further down
// than in `text`; `columns` is of the lines as they were.
std::string schema_of(std::string_view text, std::span<const Mutant> mutants, int first,
                      rewrite::ColumnMap& columns);

}  // namespace convkit::repair
