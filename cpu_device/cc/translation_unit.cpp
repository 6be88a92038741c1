// SPDX-License-Identifier: MIT
#include "cpu_device/cc/translation_unit.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

#include "convkit/kit_error.h"
#include "cpu_device/cc/compiler_log.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using rewrite::Diagnostic;
using rewrite::Source;

// Limits of one translation unit; what is beyond them the compiler reads as it is.
constexpr uintmax_t kLargestFile = 16 << 20;
constexpr uintmax_t kLargestUnit = 64 << 20;
constexpr size_t kMostFiles = 2000;

std::optional<std::string> read(const fs::path& file) {
  std::error_code error;
  // Not a pipe, and not /dev/zero.
  if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > kLargestFile) return {};
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) return {};
  return text.str();
}

std::string line_directive(const std::string& name) {
  std::string quoted;
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return "#line 1 \"" + quoted + "\"\n";
}

bool lies_below(const fs::path& file, const fs::path& root) {
  return std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first == root.end();
}

// The name of a file in the scratch folder; it must be usable in an #include.
std::string copy_name(size_t number, const fs::path& original) {
  std::string name = original.filename().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '"' || c == '\\' || c == '\n'; }, '_');
  return fmt::format("{}_{}", number, name);
}

// Follows includes and keeps what was read.
class Reader {
 public:
  explicit Reader(const TranslationUnitRequest& request) : request_(request) {
    std::error_code error;
    for (const fs::path& folder : request.roots) {
      const fs::path root = fs::canonical(folder, error);
      if (!error) roots_.push_back(root);
    }
  }

  TranslationUnit run() {
    std::optional<std::string> text = read(request_.folder / request_.file);
    if (!text) {
      throw UsageError(fmt::format("{} cannot be read.", request_.file));
    }
    std::error_code error;
    add(fs::canonical(request_.folder / request_.file, error), request_.file, std::move(*text));
    for (size_t i = 0; i < files_.size(); ++i) follow(i);

    rewrite::Names names;
    for (const std::string& macro : request_.macros) names.add_macro(macro);
    for (const File& file : files_) names.add(*file.source);
    names.finish();
    std::unique_ptr<const rewrite::QuietCode> quiet;
    if (request_.thread_loops) quiet = std::make_unique<const rewrite::QuietCode>(names);
    TranslationUnit unit;
    bool concept_words = false;
    for (const File& file : files_) {
      const auto redirect = [&](const rewrite::Include& include) -> std::optional<std::string> {
        const auto target = file.targets.find(include.begin);
        if (target == file.targets.end()) return {};
        return files_[target->second].copy.string();
      };
      rewrite::Rewritten rewritten =
          rewrite::rewrite(*file.source, names, redirect, request_.device_code, quiet.get());
      unit.failed = unit.failed || rewritten.has_errors();
      unit.inline_ptx = unit.inline_ptx || rewritten.inline_ptx != 0;
      unit.wants_concepts = unit.wants_concepts || rewritten.template_launches;
      concept_words = concept_words || rewritten.concept_words;
      unit.files.push_back({file.copy, file.name, file.source->text(),
                            line_directive(file.name) + rewritten.text,
                            std::move(rewritten.columns), std::move(rewritten.diagnostics)});
    }
    unit.wants_concepts = unit.wants_concepts && !concept_words;
    return unit;
  }

 private:
  struct File {
    std::unique_ptr<const Source> source;
    std::string name;
    fs::path copy;
    std::map<uint32_t, size_t> targets;  // where an include stands, and the file it means
  };

  size_t add(const fs::path& identity, const std::string& name, std::string text) {
    bytes_ += text.size();
    const fs::path copy = request_.scratch / copy_name(files_.size(), identity);
    files_.push_back({std::make_unique<const Source>(std::move(text)), name, copy, {}});
    known_.emplace(identity, files_.size() - 1);
    return files_.size() - 1;
  }

  void follow(size_t index) {
    for (const rewrite::Include& include : rewrite::includes(*files_[index].source)) {
      if (const auto target = find(index, include)) {
        files_[index].targets.emplace(include.begin, *target);
      }
    }
  }

  // Searches as the compiler does: next to the file that includes it, then in the folders of -I.
  std::optional<size_t> find(size_t includer, const rewrite::Include& include) {
    std::vector<fs::path> candidates;
    if (!include.angled) {
      candidates.push_back(fs::path(files_[includer].name).parent_path() / include.name);
    }
    for (const fs::path& folder : request_.include_folders) {
      candidates.push_back(folder / include.name);
    }
    for (const fs::path& name : candidates) {
      std::error_code error;
      const fs::path identity = fs::canonical(request_.folder / name, error);
      if (error || !fs::is_regular_file(identity, error)) continue;
      if (const auto known = known_.find(identity); known != known_.end()) return known->second;
      if (!may_be_read(identity)) return {};
      if (files_.size() >= kMostFiles || bytes_ > kLargestUnit) return {};
      std::optional<std::string> text = read(identity);
      if (!text) return {};
      return add(identity, name.string(), std::move(*text));
    }
    return {};
  }

  bool may_be_read(const fs::path& file) const {
    return request_.roots.empty() ||
           std::any_of(roots_.begin(), roots_.end(),
                       [&](const fs::path& root) { return lies_below(file, root); });
  }

  const TranslationUnitRequest& request_;
  std::vector<fs::path> roots_;
  std::vector<File> files_;
  std::map<fs::path, size_t> known_;
  uintmax_t bytes_ = 0;
};

}  // namespace

const RewrittenFile* TranslationUnit::find(const std::string& name) const {
  const auto at = std::find_if(files.begin(), files.end(),
                               [&](const RewrittenFile& file) { return file.name == name; });
  return at == files.end() ? nullptr : &*at;
}

std::string TranslationUnit::messages() const {
  std::string all;
  for (const RewrittenFile& file : files) {
    for (const Diagnostic& each : file.diagnostics) {
      const bool error = each.severity == Diagnostic::Severity::error;
      all += fmt::format("{}:{}:{}: {}: {}\n", file.name, each.line, each.column,
                         error ? "error" : "warning", each.message);
      all += excerpt(file.original, each.line, each.column, each.length);
    }
  }
  return all;
}

TranslationUnit read_translation_unit(const TranslationUnitRequest& request) {
  return Reader(request).run();
}

}  // namespace convkit
