// SPDX-License-Identifier: MIT
// From what the compiler says of the rewritten copies to what the student should read.
#pragma once

#include <filesystem>
#include <string>

#include "cpu_device/cc/translation_unit.h"

namespace convkit {

// `log` comes from g++ or clang without excerpts of source lines. The result names the originals,
// with their columns and lines; an error inside the kit's headers is reported for the line that led
// there; notes about the inside of the headers are left out; after an unknown name of CUDA comes
// the nearest one that the CPU device has.
std::string mend_messages(const std::string& log, const TranslationUnit& unit,
                          const std::filesystem::path& headers);

}  // namespace convkit
