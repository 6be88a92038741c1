// SPDX-License-Identifier: MIT
// Whether one mutant of a program is another program: a measurement of find_mutants() by mistakes
// whose repair is known (tests/mistakes/reach.py).
//   repair_reach MISTAKEN RIGHT HEADER...
// prints how many mutants there are, and the rank and the cause of the first one that is RIGHT, or
// "outside". Brackets around what needs none, and conditions that are always true, count for
// nothing.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "repair/cause_words.h"
#include "repair/mutants.h"

namespace convkit::repair {
namespace {

using rewrite::Source;
using Spelling = std::vector<std::string>;

std::string whole(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// `all` without each place where these stand.
void remove(Spelling& all, const Spelling& what) {
  for (auto at = all.begin(); at != all.end();) {
    at = std::search(all.begin(), all.end(), what.begin(), what.end());
    if (at != all.end()) all.erase(at, at + std::ssize(what));
  }
}

Spelling spelling(const std::string& text) {
  const Source source(text);
  Spelling all;
  for (const rewrite::Token& token : source.code()) {
    if (token.is("(") || token.is(")")) continue;
    if (token.is(";") && !all.empty() && (all.back() == ";" || all.back() == "{")) continue;
    all.emplace_back(token.text);
  }
  remove(all, {"true", "&&"});
  remove(all, {"&&", "true"});
  remove(all, {"false", "||"});
  remove(all, {"||", "false"});
  remove(all, {"if", "true"});
  return all;
}

std::string changed(std::string text, const Mutant& mutant) {
  for (auto edit = mutant.edits.rbegin(); edit != mutant.edits.rend(); ++edit) {
    text.replace(edit->begin, edit->end - edit->begin, edit->text);
  }
  return text;
}

// From where to where the tokens of `a` differ from those of `b`, in the text of `a`.
std::pair<size_t, size_t> difference(const Source& a, const Source& b) {
  const auto same = [](const rewrite::Token& one, const rewrite::Token& other) {
    return one.text == other.text;
  };
  const auto& mine = a.code();
  const auto& other = b.code();
  const auto first = std::mismatch(mine.begin(), mine.end(), other.begin(), other.end(), same);
  const auto last = std::mismatch(mine.rbegin(), mine.rend(), other.rbegin(), other.rend(), same);
  return {first.first == mine.end() ? a.text().size() : first.first->end,
          last.first == mine.rend() ? 0 : last.first->begin};
}

int reach(std::span<char* const> files) {
  const std::string mistaken = whole(files[0]), right = whole(files[1]);
  std::vector<Source> headers;
  for (const char* file : files.subspan(2)) headers.emplace_back(whole(file));
  const Source source(mistaken), wanted(right);
  rewrite::Names names;
  names.add(source);
  names.finish();
  const std::vector<Mutant> mutants = find_mutants(source, names, headers);
  fmt::print("{} ", mutants.size());
  const auto [begin, end] = difference(source, wanted);
  const Spelling goal = spelling(right);
  for (const Mutant& mutant : mutants) {
    if (mutant.edits.front().begin > begin || mutant.edits.back().end < end) continue;
    if (spelling(changed(mistaken, mutant)) != goal) continue;
    fmt::print("{} {}\n", mutant.rank, words_of(mutant.cause));
    return 0;
  }
  fmt::print("outside\n");
  return 0;
}

}  // namespace
}  // namespace convkit::repair

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  return convkit::repair::reach(std::span<char* const>(argv + 1, static_cast<size_t>(argc - 1)));
}
