// SPDX-License-Identifier: MIT
#include "machine/output_file.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <string_view>

#include "convkit/atomic_file.h"
#include "convkit/kit_error.h"

namespace convkit {
namespace {

using namespace std::string_view_literals;

struct Known {
  std::string_view name, begins;  // what every file of the format begins with
};

Known known(Format format) {
  switch (format) {
    case Format::json:
      return {"a JSON file", "{"};
    case Format::svg:
      return {"an SVG picture", "<"};
    case Format::zip:
      return {"a ZIP archive", "PK"};
    case Format::tar_gz:
      return {"a .tar.gz archive", "\x1f\x8b"};
  }
  return {};
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
  try {
    const AtomicFile probe(file);
  } catch (const std::runtime_error& failure) {
    throw UsageError(failure.what());
  }
}

}  // namespace convkit
