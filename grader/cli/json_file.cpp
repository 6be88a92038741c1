// SPDX-License-Identifier: MIT
#include "cli/json_file.h"

#include "convkit/atomic_file.h"

namespace convkit {

void write_json(const std::filesystem::path& file, const nlohmann::ordered_json& figures) {
  if (!file.empty()) write_whole(file, figures.dump(2) + "\n");
}

}  // namespace convkit
