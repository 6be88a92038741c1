// SPDX-License-Identifier: MIT
// The texts that skeletons are made of.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "grade/kit.h"

namespace convkit {

// grader/skeleton/templates. Throws UsageError in a copy of the kit that has none.
std::filesystem::path template_folder(const Kit& kit);

// The text with `@WORD@` replaced by its value, for each word of `values`.
std::string filled_in(std::string text, const std::map<std::string, std::string>& values);

// "a", "seven_numbers"; not "Seven", "7" or "a-b".
bool is_plain_name(const std::string& name);

}  // namespace convkit
