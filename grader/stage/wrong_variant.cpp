// SPDX-License-Identifier: MIT
#include "stage/wrong_variant.h"

#include <algorithm>
#include <fstream>
#include <memory>

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

// Variants as they are written: what a file or a folder states about them.
struct Statement {
  fs::path file;
  fs::path folder;  // of the whole files; "" where there are none
  // A part of the file's table: a copy would not know its lines.
  std::shared_ptr<const toml::table> table;
};
using Statements = std::map<std::string, Statement>;  // by id

// A file of `[[variant]]` tables.
void read_file(const fs::path& file, Statements& statements) {
  const auto table = std::make_shared<const toml::table>(parse_toml(kit_file_text(file), file));
  const TomlReader in(*table, file.string(), "");
  in.only({"variant"});
  if (!in.has("variant")) in.fail(nullptr, "the file has no [[variant]].");
  for (const TomlReader& variant : in.tables("variant")) {
    const auto id = variant.get<std::string>("name");
    if (id.empty()) variant.fail_at("name", "`name` is empty.");
    const auto [other, is_new] = statements.insert({id, {file, "", {table, &variant.table()}}});
    if (!is_new) {
      variant.fail_at(
          "name", fmt::format("the variant {} is in {}, too.", id, other->second.file.string()));
    }
  }
}

Statements read_statements(const fs::path& wrong) {
  std::error_code error;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(wrong, error)) paths.push_back(entry.path());
  std::ranges::sort(paths);  // so that of two the same one is named on every machine
  Statements statements;
  for (const fs::path& path : paths) {
    if (fs::is_directory(path)) {
      const fs::path file = path / "expect.toml";
      const auto [other, is_new] = statements.insert(
          {path.filename().string(),
           {file, path,
            std::make_shared<const toml::table>(parse_toml(kit_file_text(file), file))}});
      if (!is_new) {
        throw KitError(fmt::format("The wrong variant {} exists twice: it is in {}, too.",
                                   path.string(), other->second.file.string()));
      }
    } else if (path.extension() == ".toml") {
      read_file(path, statements);
    } else {
      throw KitError(fmt::format(
          "{} holds no wrong variants: they are in .toml files and in folders.", path.string()));
    }
  }
  return statements;
}

WrongVariant variant_of(const std::string& id, const Statement& statement,
                        const fs::path& solution) {
  const fs::path& folder = statement.folder;
  const TomlReader in(*statement.table, statement.file.string(),
                      folder.empty() ? "[[variant]] " : "");
  in.only({"name", "status", "op", "mistake", "says", "needs", "about", "edit"});
  if (!folder.empty() && in.has("name")) in.fail_at("name", "the folder's name is the variant's.");
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
  if (!folder.empty()) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file() || entry.path() == statement.file) continue;
      variant.files[entry.path().lexically_relative(folder).generic_string()] =
          kit_file_text(entry.path());
    }
  }
  for (const TomlReader& edit : in.tables("edit")) apply_edit(edit, solution, variant);
  if (variant.files.empty()) {
    in.fail(nullptr, "the variant is the solution itself: it has no edits and no files.");
  }
  return variant;
}

}  // namespace

std::set<std::string> wrong_variant_ids(const fs::path& wrong) {
  std::set<std::string> ids;
  for (const auto& [id, statement] : read_statements(wrong)) ids.insert(id);
  return ids;
}

WrongVariant load_wrong_variant(const fs::path& wrong, const std::string& id,
                                const fs::path& solution) {
  const Statements statements = read_statements(wrong);
  const auto found = statements.find(id);
  if (found == statements.end()) {
    throw KitError(fmt::format("{} has no wrong variant {}.", wrong.string(), id));
  }
  return variant_of(id, found->second, solution);
}

std::vector<WrongVariant> load_wrong_variants(const fs::path& wrong, const fs::path& solution) {
  std::vector<WrongVariant> variants;
  for (const auto& [id, statement] : read_statements(wrong)) {
    variants.push_back(variant_of(id, statement, solution));
  }
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
