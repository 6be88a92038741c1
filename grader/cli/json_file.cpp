// SPDX-License-Identifier: MIT
#include "cli/json_file.h"

#include <span>

#include "convkit/atomic_file.h"

namespace convkit {

void write_json(const std::filesystem::path& file, const nlohmann::ordered_json& figures) {
  if (!file.empty()) write_whole(file, figures.dump(2) + "\n");
}

void write_whole(const std::filesystem::path& file, const std::string& text) {
  AtomicFile out(file);
  out.append(std::as_bytes(std::span(text.data(), text.size())));
  out.commit();
}

}  // namespace convkit
