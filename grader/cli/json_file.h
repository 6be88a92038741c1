// SPDX-License-Identifier: MIT
// Figures for programs: what `bench --json` writes.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace convkit {

// Replaces the file as a whole; does nothing where `file` is empty.
void write_json(const std::filesystem::path& file, const nlohmann::ordered_json& figures);

}  // namespace convkit
