// SPDX-License-Identifier: MIT
#include "grade/mend/mutant_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <span>

#include "convkit/atomic_file.h"
#include "convkit/file_text.h"
#include "cpu_device/rewrite/names.h"
#include "grade/stage_build.h"
#include "repair/schema.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using repair::Mutant;
using rewrite::Source;

constexpr int kMostBuilds = 8;

std::string line_of(const std::string& text, size_t line) {
  size_t begin = 0;
  while (--line > 0 && begin != text.npos) begin = text.find('\n', begin) + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::string shortened(std::string words) {
  std::replace(words.begin(), words.end(), '\n', ' ');
  constexpr size_t kMost = 80;
  if (words.size() > kMost) words = words.substr(0, kMost - 3) + "...";
  return words;
}

std::string trimmed(const std::string& line) {
  const size_t begin = line.find_first_not_of(" \t");
  return begin == line.npos ? "" : line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
}

// "with `q < kw;` in the place of `q < kh;` in line 12 of a.cpp", for the edits of one line.
std::string change_text(const Source& source, const std::string& file,
                        std::span<const Mutant::Edit> edits) {
  const std::string& text = source.text();
  const size_t before = text.rfind('\n', edits[0].begin);
  const size_t begin = before == text.npos ? 0 : before + 1;
  const std::string was = text.substr(begin, text.find('\n', begin) - begin);
  const std::string place =
      fmt::format("in line {} of {}", source.place(edits[0].begin).line, file);
  const bool spans_lines = edits.back().end > begin + was.size();
  std::string now = was;
  for (auto edit = edits.rbegin(); edit != edits.rend() && !spans_lines; ++edit) {
    now.replace(edit->begin - begin, edit->end - edit->begin, edit->text);
  }
  constexpr size_t kMost = 80;
  const bool is_left_out = trimmed(now) == ";";
  if (is_left_out) return fmt::format("without `{}` {}", shortened(trimmed(was)), place);
  if (!spans_lines && trimmed(was).size() <= kMost) {
    return fmt::format("with `{}` in the place of `{}` {}", trimmed(now), trimmed(was), place);
  }
  std::string words;
  for (const Mutant::Edit& edit : edits) {
    const std::string own = shortened(text.substr(edit.begin, edit.end - edit.begin));
    if (!words.empty()) words += " and ";
    if (edit.text == ";") {
      words += fmt::format("without `{}`", own);
    } else if (own.empty()) {
      words += fmt::format("with `{}` put in", trimmed(edit.text));
    } else {
      words += fmt::format("with `{}` in the place of `{}`", edit.text, own);
    }
  }
  return fmt::format("{} {} (`{}`)", words, place, shortened(trimmed(was)));
}

}  // namespace

bool is_header(const std::string& file) {
  return file.ends_with(".h") || file.ends_with(".cuh") || file.ends_with(".hpp");
}

std::vector<FileMutant> mutants_of(const ChangeRequest& request) {
  std::vector<Source> headers;
  for (const fs::path& folder :
       {request.kit.root / "runtime" / "include" / "convkit", request.stage.directory}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (is_header(entry.path().filename())) headers.emplace_back(file_text(entry.path()));
    }
  }
  for (const std::string& file : request.files) {
    if (is_header(file)) headers.emplace_back(file_text(request.folder / file));
  }
  std::vector<FileMutant> mutants;
  for (const std::string& file : request.files) {
    const Source source(file_text(request.folder / file));
    rewrite::Names names;
    names.add(source);
    names.finish();
    for (Mutant& mutant : repair::find_mutants(source, names, headers)) {
      mutants.push_back({file, std::move(mutant)});
    }
  }
  return mutants;
}

std::vector<FileMutant> one_for_each_function(std::span<const FileMutant> mutants) {
  std::vector<FileMutant> functions;
  std::set<std::pair<std::string, size_t>> seen;
  for (const FileMutant& one : mutants) {
    if (!seen.insert(one.function()).second) continue;
    functions.push_back({one.file, {}});
    functions.back().mutant.body = one.mutant.body;
  }
  return functions;
}

MutantProgram::MutantProgram(const ChangeRequest& request, SimtMode mode,
                             std::vector<FileMutant> mutants)
    : request_(request), mode_(mode), scratch_("mutants"), mutants_(std::move(mutants)) {
  for (const std::string& file : request.files) {
    fs::create_directories((scratch_.path() / file).parent_path());
    fs::copy_file(request.folder / file, scratch_.path() / file);
  }
  for (const FileMutant& one : mutants_) {
    if (sources_.contains(one.file)) continue;
    sources_.emplace(one.file, Source(file_text(request.folder / one.file)));
  }
}

bool MutantProgram::build(Builder& builder, ThreadPool& pool) {
  for (int tries = 0; tries < kMostBuilds && !mutants_.empty(); ++tries) {
    write();
    BuildRequest request =
        request_.kit.build_request(request_.stage, scratch_.path(), files(), mode_);
    request.flags.insert(request.flags.end(), {"-O1", "-w"});
    request.forbidden_symbols.clear();
    const BuildResult built = build_or_explain(builder, request, pool);
    if (built.status == BuildResult::Status::ok) {
      library_ = built.library;
      return true;
    }
    if (built.status != BuildResult::Status::failed) return false;
    if (!leave_out_what_fails(built.log)) return false;
  }
  return false;
}

std::vector<std::string> MutantProgram::files() const {
  std::vector<std::string> files = request_.files;
  files.push_back(repair::kSchemaHeader);
  files.push_back(repair::kSchemaSource);
  return files;
}

void MutantProgram::write() {
  write_whole(scratch_.path() / repair::kSchemaHeader, repair::kSchemaHeaderText);
  write_whole(scratch_.path() / repair::kSchemaSource, repair::kSchemaSourceText);
  texts_.clear();
  for (const auto& [file, source] : sources_) {
    const auto is_here = [&](const FileMutant& m) { return m.file == file; };
    const auto begin = std::ranges::find_if(mutants_, is_here);
    const auto end = std::find_if_not(begin, mutants_.end(), is_here);
    std::vector<Mutant> here;
    for (auto m = begin; m != end; ++m) here.push_back(m->mutant);
    rewrite::ColumnMap columns;
    std::string text = repair::schema_of(source.text(), here,
                                         static_cast<int>(begin - mutants_.begin()) + 1, columns);
    write_whole(scratch_.path() / file, text);
    texts_.emplace(file, std::move(text));
  }
}

// The mutant whose version begins last before each place with an error.
bool MutantProgram::leave_out_what_fails(const std::string& log) {
  static const std::regex kError(
      "(?:^|\n)([^:\n]+):([0-9]+)(?::([0-9]+))?:(?: error:|   required from here)");
  std::set<int> failing;
  std::set<std::pair<std::string, size_t>> failing_lines;
  for (std::sregex_iterator at(log.begin(), log.end(), kError), end; at != end; ++at) {
    const auto text = texts_.find(at->str(1));
    if (text == texts_.end()) continue;
    const size_t number = std::stoul(at->str(2));
    const std::string line = line_of(text->second, number);
    // One that goes on to fail loses all of its mutants.
    const bool all = !(*at)[3].matched || failed_lines_.contains({at->str(1), number});
    failing_lines.insert({at->str(1), number});
    const size_t column = all ? line.size() : std::stoul(at->str(3));
    static const std::regex kNumber(
        "convkit_mutant\\(\\)==([0-9]+)|convkit_op\\{(-?[0-9]+),(-?[0-9]+)");
    std::set<int> last;
    for (std::sregex_iterator mark(line.begin(), line.end(), kNumber); mark != end; ++mark) {
      if (static_cast<size_t>(mark->position()) >= column) break;
      last.clear();
      for (const int group : {1, 2, 3}) {
        if ((*mark)[group].matched) last.insert(std::stoi(mark->str(group)));
      }
      if (all) failing.insert(last.begin(), last.end());
    }
    failing.insert(last.begin(), last.end());
  }
  failed_lines_.merge(failing_lines);
  if (failing.empty()) return false;
  std::vector<FileMutant> kept;
  for (size_t i = 0; i < mutants_.size(); ++i) {
    if (!failing.contains(static_cast<int>(i) + 1)) kept.push_back(std::move(mutants_[i]));
  }
  mutants_ = std::move(kept);
  return true;
}

std::string MutantProgram::change_text(int number) const {
  const FileMutant& one = numbered(number);
  const Source& text = source(one.file);
  const std::span<const Mutant::Edit> edits = one.mutant.edits;
  std::string words;
  for (size_t first = 0; first < edits.size();) {
    size_t last = first + 1;
    const auto line = text.place(edits[first].begin).line;
    while (last < edits.size() && text.place(edits[last].begin).line == line) ++last;
    if (!words.empty()) words += ", and ";
    words += convkit::change_text(text, one.file, edits.subspan(first, last - first));
    first = last;
  }
  return words;
}

std::string MutantProgram::changed_text(int number) const {
  const FileMutant& one = numbered(number);
  std::string text = source(one.file).text();
  for (auto edit = one.mutant.edits.rbegin(); edit != one.mutant.edits.rend(); ++edit) {
    text.replace(edit->begin, edit->end - edit->begin, edit->text);
  }
  return text;
}

}  // namespace convkit
