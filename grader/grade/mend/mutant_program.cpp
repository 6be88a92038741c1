// SPDX-License-Identifier: MIT
#include "grade/mend/mutant_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <regex>
#include <span>

#include "convkit/atomic_file.h"
#include "convkit/file_text.h"
#include "convkit/timing.h"
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

// Each line with this before it, without what all of them are indented by.
std::string marked(const std::string& text, const std::string& mark, size_t indent) {
  std::string lines;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const size_t first = std::min(line.find_first_not_of(' '), line.size());
    lines += mark + line.substr(std::min(first, indent)) + '\n';
    begin = end + 1;
  }
  return lines;
}

// "in line 12 of a.cpp:\n- q < kh;\n+ q < kw;\n", for edits that share a line or follow each other.
std::string change_text(const Source& source, const std::string& file,
                        std::span<const Mutant::Edit> edits) {
  const std::string& text = source.text();
  const size_t before = text.rfind('\n', edits[0].begin);
  const size_t begin = before == text.npos ? 0 : before + 1;
  const size_t end = std::min(text.find('\n', edits.back().end), text.size());
  const std::string was = text.substr(begin, end - begin);
  std::string now = was;
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
    now.replace(edit->begin - begin, edit->end - edit->begin, edit->text);
  }
  const size_t indent = std::min(was.find_first_not_of(' '), was.size());
  const bool is_left_out = now.find_first_not_of(" ;\r") == now.npos;
  return fmt::format("in line {} of {}:\n{}{}", source.place(edits[0].begin).line, file,
                     marked(was, "- ", indent), is_left_out ? "" : marked(now, "+ ", indent));
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

MutantProgram::MutantProgram(const ChangeRequest& request, std::vector<FileMutant> mutants)
    : request_(request), scratch_("mutants"), mutants_(std::move(mutants)) {
  for (const std::string& file : request.files) {
    fs::create_directories((scratch_.path() / file).parent_path());
    fs::copy_file(request.folder / file, scratch_.path() / file);
  }
  for (const FileMutant& one : mutants_) {
    if (sources_.contains(one.file)) continue;
    sources_.emplace(one.file, Source(file_text(request.folder / one.file)));
  }
}

bool MutantProgram::build(Builder& builder, ThreadPool& pool, double limit_s) {
  const Stopwatch watch;
  for (int tries = 0; tries < kMostBuilds && !mutants_.empty(); ++tries) {
    const auto left = std::chrono::seconds(static_cast<int64_t>(limit_s - watch.elapsed_s()));
    if (left.count() < 1) return false;
    write();
    BuildRequest request =
        request_.kit.build_request(request_.stage, scratch_.path(), files(), request_.mode);
    request.forbidden_symbols.clear();
    request.limits.build = std::min(request.limits.build, left);
    request.limits.all_builds = left * static_cast<int64_t>(pool.size() + 1);
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
    while (last < edits.size() &&
           text.place(edits[last].begin).line <= text.place(edits[last - 1].end).line + 1) {
      ++last;
    }
    if (!words.empty()) words += "and ";
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
