// SPDX-License-Identifier: MIT
#include "machine/output_file.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "convkit/atomic_file.h"
#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "json_text.h"

namespace convkit {
namespace {

using namespace std::string_view_literals;

struct Known {
  std::string_view name, begins;  // what every file of the format begins with
};

Known known(Format format) {
  switch (format) {
    case Format::json:
    case Format::result:
    case Format::gradescope:
      return {"a JSON file", "{"};
    case Format::svg:
      return {"an SVG picture", "<"};
    case Format::html:
      return {"an HTML page", "<"};
    case Format::xml:
      return {"an XML file", "<"};
    case Format::zip:
      return {"a ZIP archive", "PK"};
    case Format::tar_gz:
      return {"a .tar.gz archive", "\x1f\x8b"};
  }
  return {};
}

void must_have_form(const std::filesystem::path& file, Format format) {
  const bool wants_result = format == Format::result;
  nlohmann::ordered_json json;
  try {
    json = parse_json(file_text(file));
  } catch (const nlohmann::json::exception&) {
    // It is no object, then.
  }
  const bool is_result = json.is_object() && json.contains("schema") &&
                         json["schema"].is_string() &&
                         json["schema"].get<std::string>().starts_with("convkit-result-");
  const bool is_gradescope =
      json.is_object() && json.contains("tests") && json.contains("score") && !is_result;
  if (wants_result ? is_result : is_gradescope) return;
  throw UsageError(fmt::format("{} exists and is not {}, so it is not overwritten.", file.string(),
                               wants_result ? "a result of the kit" : "a result for Gradescope"));
}

}  // namespace

void must_be_writable(const std::filesystem::path& file, Format format) {
  if (file.empty()) return;
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw UsageError(fmt::format("{} is a folder; name a file to write.", file.string()));
  }
  const auto [name, begins] = known(format);
  std::array<char, 2> bytes{};
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), bytes.size());
  const std::string_view found(bytes.data(), static_cast<size_t>(in.gcount()));
  if (!found.empty() && !found.starts_with(begins)) {
    throw UsageError(
        fmt::format("{} exists and is not {}, so it is not overwritten.", file.string(), name));
  }
  if (!found.empty() && (format == Format::result || format == Format::gradescope)) {
    must_have_form(file, format);
  }
  try {
    const AtomicFile probe(file);
  } catch (const std::runtime_error& failure) {
    throw UsageError(failure.what());
  }
}

}  // namespace convkit
