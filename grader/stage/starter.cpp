// SPDX-License-Identifier: MIT
#include "stage/starter.h"

#include <fmt/core.h>

#include <fstream>
#include <sstream>

#include "convkit/file_text.h"
#include "convkit/kit_error.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

std::string_view trimmed(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view() : line.substr(begin);
}

// Without the carriage return of a checkout that has them.
std::string_view without_end(std::string_view line) {
  while (line.ends_with('\r') || line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  return line;
}

std::map<std::string, std::string> files_below(const fs::path& folder) {
  std::map<std::string, std::string> files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (!entry.is_regular_file()) continue;
    files[fs::relative(entry.path(), folder).generic_string()] = kit_file_text(entry.path());
  }
  return files;
}

}  // namespace

std::optional<std::string> starter_text(const std::string& solution, const std::string& file_name) {
  constexpr std::string_view kBegin = "// BEGIN SOLUTION", kEnd = "// END SOLUTION", kKeep = "//>";
  std::istringstream in(solution);
  std::string result, line;
  int number = 0, begun_at = 0;
  while (std::getline(in, line)) {
    ++number;
    const std::string_view text = trimmed(line);
    if (without_end(text) == "// SOLUTION ONLY") {
      if (number <= 2) return std::nullopt;
      // Further down it would be overlooked by a reader, and half a solution handed out.
      throw KitError(
          fmt::format("{}:{}: SOLUTION ONLY belongs in the second line.", file_name, number));
    }
    if (text.starts_with(kBegin)) {
      if (begun_at) {
        throw KitError(fmt::format("{}:{}: BEGIN SOLUTION inside the block that begins in line {}.",
                                   file_name, number, begun_at));
      }
      begun_at = number;
    } else if (text.starts_with(kEnd)) {
      if (!begun_at) {
        throw KitError(fmt::format("{}:{}: END SOLUTION without BEGIN.", file_name, number));
      }
      begun_at = 0;
    } else if (!begun_at) {
      if (text.starts_with(kKeep)) {
        throw KitError(fmt::format("{}:{}: `//>` outside BEGIN SOLUTION.", file_name, number));
      }
      result += line + "\n";
    } else if (text.starts_with(kKeep)) {
      std::string_view kept = text.substr(kKeep.size());
      if (kept.starts_with(' ')) kept.remove_prefix(1);
      if (!kept.empty()) result.append(line, 0, line.size() - text.size()).append(kept);
      result += "\n";
    }
  }
  if (begun_at) {
    throw KitError(fmt::format("{}:{}: BEGIN SOLUTION without END.", file_name, begun_at));
  }
  return result;
}

std::map<std::string, std::string> starter_files(const fs::path& solution) {
  std::map<std::string, std::string> files;
  for (const auto& [name, text] : files_below(solution)) {
    if (auto starter = starter_text(text, name)) files[name] = *starter;
  }
  if (files.empty()) throw KitError(fmt::format("{} holds no solution.", solution.string()));
  return files;
}

std::vector<std::string> starter_drift(const fs::path& solution, const fs::path& starter) {
  std::vector<std::string> drift;
  const auto expected = starter_files(solution);
  const auto present = files_below(starter);
  for (const auto& [name, text] : expected) {
    const auto found = present.find(name);
    if (found == present.end()) {
      drift.push_back(fmt::format("{} is missing.", (starter / name).string()));
    } else if (found->second != text) {
      drift.push_back(
          fmt::format("{} differs from what its solution gives.", (starter / name).string()));
    }
  }
  for (const auto& [name, text] : present) {
    if (!expected.count(name)) {
      drift.push_back(
          fmt::format("{} has no solution that it is made from.", (starter / name).string()));
    }
  }
  for (std::string& sentence : drift) {
    sentence += " ./convkit verify --write-starter makes it again.";
  }
  return drift;
}

void write_starter(const fs::path& solution, const fs::path& starter) {
  const auto expected = starter_files(solution);
  for (const auto& [name, text] : files_below(starter)) {
    if (!expected.count(name)) fs::remove(starter / name);
  }
  for (const auto& [name, text] : expected) {
    fs::create_directories((starter / name).parent_path());
    std::ofstream out(starter / name, std::ios::binary);
    out << text;
    out.close();
    if (!out) throw KitError(fmt::format("{} cannot be written.", (starter / name).string()));
  }
}

}  // namespace convkit
