// SPDX-License-Identifier: MIT
#include "stage/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "convkit/kit_error.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

Expectation load_one(const fs::path& folder) {
  const fs::path file = folder / "expect.toml";
  toml::table table;
  try {
    table = toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    throw KitError(
        fmt::format("{}:{}: {}", file.string(), error.source().begin.line, error.description()));
  }
  Expectation expect;
  expect.id = folder.filename().string();
  expect.folder = folder;
  for (const auto& [key, node] : table) {
    const auto value = node.value<std::string>();
    std::string* target = key == "status"    ? &expect.status
                          : key == "op"      ? &expect.op
                          : key == "mistake" ? &expect.mistake
                          : key == "says"    ? &expect.says
                          : key == "needs"   ? &expect.needs
                          : key == "about"   ? &expect.about
                                             : nullptr;
    if (!target || !value) {
      throw KitError(fmt::format("{}:{}: {} `{}`.", file.string(), node.source().begin.line,
                                 target ? "a string is needed for" : "unknown key",
                                 std::string(key.str())));
    }
    *target = *value;
  }
  if (!expect.needs.empty() && expect.needs != "check" && expect.needs != "cpu" &&
      expect.needs != "gpu") {
    throw KitError(
        fmt::format("{}: `needs` is \"check\", \"cpu\", \"gpu\" or left out.", file.string()));
  }
  if (expect.status.empty()) throw KitError(fmt::format("{}: `status` is missing.", file.string()));
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path() != file) {
      expect.files.push_back(entry.path().lexically_relative(folder).generic_string());
    }
  }
  std::sort(expect.files.begin(), expect.files.end());
  return expect;
}

}  // namespace

std::vector<Expectation> load_expectations(const fs::path& wrong) {
  std::vector<Expectation> expectations;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(wrong, error)) {
    if (entry.is_directory()) expectations.push_back(load_one(entry.path()));
  }
  std::sort(expectations.begin(), expectations.end(),
            [](const Expectation& a, const Expectation& b) { return a.id < b.id; });
  return expectations;
}

}  // namespace convkit
