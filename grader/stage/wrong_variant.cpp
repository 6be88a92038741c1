// SPDX-License-Identifier: MIT
#include "stage/wrong_variant.h"

#include <fstream>
#include <set>

#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "convkit/temporary_folder.h"
#include "stage/toml_reader.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

size_t count_of(const std::string& wanted, const std::string& text) {
  size_t count = 0;
  for (size_t at = text.find(wanted); at != text.npos; at = text.find(wanted, at + 1)) ++count;
  return count;
}

void apply_edit(const TomlReader& edit, const fs::path& solution, WrongVariant& variant) {
  edit.only({"file", "find", "replace"});
  const auto file = edit.get<std::string>("file"), find = edit.get<std::string>("find");
  const auto replace = edit.get<std::string>("replace");
  if (find.empty()) edit.fail_at("find", "`find` is empty.");
  if (find == replace) edit.fail_at("replace", "`replace` is the same text as `find`.");
  if (!variant.files.contains(file)) {
    if (!fs::is_regular_file(solution / file)) {
      edit.fail_at("file",
                   fmt::format("`file` is {}, which {} does not have.", file, solution.string()));
    }
    variant.files[file] = kit_file_text(solution / file);
  }
  std::string& text = variant.files[file];
  if (const size_t count = count_of(find, text); count != 1) {
    edit.fail_at("find", fmt::format("`find` must occur exactly once in {}; it occurs {} times.",
                                     (solution / file).string(), count));
  }
  text.replace(text.find(find), find.size(), replace);
}

}  // namespace

WrongVariant load_wrong_variant(const fs::path& wrong, const std::string& id,
                                const fs::path& solution) {
  const fs::path folder = wrong / id;
  const bool has_folder = fs::is_directory(folder);
  const fs::path file = has_folder ? folder / "expect.toml" : wrong / (id + ".toml");
  const toml::table table = parse_toml(kit_file_text(file), file);
  const TomlReader in(table, file.string(), "");
  in.only({"status", "op", "mistake", "says", "needs", "about", "edit"});
  WrongVariant variant;
  variant.id = id;
  variant.status = in.get<std::string>("status");
  variant.op = in.get_or<std::string>("op", "");
  variant.mistake = in.get_or<std::string>("mistake", "");
  variant.says = in.get_or<std::string>("says", "");
  variant.needs = in.get_or<std::string>("needs", "");
  variant.about = in.get_or<std::string>("about", "");
  if (in.has("needs") && variant.needs != "check" && variant.needs != "cpu" &&
      variant.needs != "gpu") {
    in.fail_at("needs", "`needs` is \"check\", \"cpu\", \"gpu\" or left out.");
  }
  if (has_folder) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file() || entry.path() == file) continue;
      variant.files[entry.path().lexically_relative(folder).generic_string()] =
          kit_file_text(entry.path());
    }
  }
  for (const TomlReader& edit : in.tables("edit")) apply_edit(edit, solution, variant);
  if (variant.files.empty()) {
    in.fail(nullptr, "the variant is the solution itself: it has no [[edit]] and no files.");
  }
  return variant;
}

std::vector<WrongVariant> load_wrong_variants(const fs::path& wrong, const fs::path& solution) {
  std::set<std::string> ids;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(wrong, error)) {
    const fs::path& path = entry.path();
    if (!entry.is_directory() && path.extension() != ".toml") {
      throw KitError(
          fmt::format("{} is not a wrong variant: a wrong variant is a folder or a .toml file.",
                      path.string()));
    }
    const std::string id = (entry.is_directory() ? path.filename() : path.stem()).string();
    if (!ids.insert(id).second) {
      throw KitError(fmt::format("The wrong variant {} exists twice: as a folder and as a file.",
                                 (wrong / id).string()));
    }
  }
  std::vector<WrongVariant> variants;
  for (const std::string& id : ids) variants.push_back(load_wrong_variant(wrong, id, solution));
  return variants;
}

void write_wrong_variant(const WrongVariant& variant, const fs::path& solution,
                         const fs::path& folder) {
  copy_folder(solution, folder);
  for (const auto& [name, text] : variant.files) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream out(folder / name, std::ios::binary);
    if (!(out << text).flush()) {
      throw KitError(fmt::format("{} cannot be written.", (folder / name).string()));
    }
  }
}

}  // namespace convkit
