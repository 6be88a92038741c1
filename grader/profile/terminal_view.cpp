// SPDX-License-Identifier: MIT
#include "profile/terminal_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "profile/words.h"

namespace convkit {

std::string annotated_source(const ProfiledKernel& kernel) {
  std::map<std::string, std::map<int, std::vector<std::string>>> files;  // their lines, with words
  for (const ProfiledLine& line : kernel.lines) {
    files[line.file][line.line].push_back(access_words(line));
  }
  for (const ProfiledArithmetic& line : kernel.arithmetic) {
    files[line.file][line.line].push_back(arithmetic_words(line.counts));
  }
  for (const ProfiledBarrier& barrier : kernel.barriers) {
    files[barrier.file][barrier.line].push_back(barrier_words(barrier));
  }
  std::string text = fmt::format("{}: {}\n", kernel.name, launch_words(kernel));
  for (const auto& [file, lines] : files) {
    text += fmt::format("  {}\n", file_words(file));
    const auto source = source_lines(file, lines.begin()->first, lines.rbegin()->first);
    for (const auto& [number, words] : lines) {
      const auto found = source.find(number);
      const std::string code = found == source.end() ? "" : found->second;
      if (!file.empty()) text += fmt::format("  {:>5} | {}\n", number, code);
      for (const std::string& word : words) text += fmt::format("        ^ {}\n", word);
    }
  }
  if (kernel.not_counted != 0) {
    text += fmt::format(
        "  Accesses that were not counted, as they came after so many others without "
        "a barrier: {}.\n",
        kernel.not_counted);
  }
  text += "  " + kernel.sentence + "\n";
  for (const std::string& words : {roofline_words(kernel), occupancy_words(kernel)}) {
    if (!words.empty()) text += "  " + words + "\n";
  }
  return text;
}

namespace {

struct Totals {
  uint64_t launches = 0, blocks = 0, threads = 0, barriers = 0;
  std::map<std::string, ProfiledLine> by_kind;
  OperationCounts operations;
  Traffic traffic;
};

Totals totals_of(const ProfiledCase& profile) {
  Totals totals;
  for (const ProfiledKernel& kernel : profile.kernels) {
    totals.launches += kernel.launches;
    totals.blocks += kernel.blocks;
    totals.threads += kernel.blocks * kernel.threads_per_block;
    totals.operations += operations_of(kernel);
    totals.traffic.least_bytes += traffic_of(kernel).least_bytes;
    for (const ProfiledLine& line : kernel.lines) totals.by_kind[line.kind] += line;
    for (const ProfiledBarrier& barrier : kernel.barriers) totals.barriers += barrier.times;
  }
  return totals;
}

class Table {
 public:
  void row(std::string_view what, std::string_view measure, uint64_t before, uint64_t after) {
    if (before == after) return;
    const std::string ratio =
        before == 0
            ? "new"
            : fmt::format("{:.2f}x", static_cast<double>(after) / static_cast<double>(before));
    add(what, measure, grouped(before), grouped(after), ratio);
  }
  void share(std::string_view what, std::string_view measure, double before, double after) {
    const std::string from = fmt::format("{:.0f} %", 100 * before);
    const std::string to = fmt::format("{:.0f} %", 100 * after);
    if (from != to) add(what, measure, from, to, "");
  }
  std::string take() { return std::move(text_); }

 private:
  void add(std::string_view what, std::string_view measure, const std::string& before,
           const std::string& after, const std::string& ratio) {
    if (text_.empty()) text_ = fmt::format("{:30}{:>16}{:>16}\n", "", "before", "after");
    const std::string_view named = what == last_ ? std::string_view() : what;
    last_ = what;
    text_ += fmt::format("  {:14}{:14}{:>16}{:>16}{:>9}", named, measure, before, after, ratio);
    text_.erase(text_.find_last_not_of(' ') + 1);
    text_ += '\n';
  }

  std::string text_, last_;
};

double part(uint64_t some, uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
}

std::string counts(const Totals& before, const Totals& after) {
  Table table;
  table.row("launches", "", before.launches, after.launches);
  table.row("blocks", "", before.blocks, after.blocks);
  table.row("threads", "", before.threads, after.threads);
  std::map<std::string, std::pair<ProfiledLine, ProfiledLine>> kinds;
  for (const auto& [kind, line] : before.by_kind) kinds[kind].first = line;
  for (const auto& [kind, line] : after.by_kind) kinds[kind].second = line;
  for (const auto& [kind, lines] : kinds) {
    const auto& [from, to] = lines;
    const std::string what = kind_words(kind);
    table.row(what, "requests", from.requests, to.requests);
    table.share(what, "lanes active", part(from.lanes, from.possible_lanes),
                part(to.lanes, to.possible_lanes));
    table.row(what, "sectors", from.sectors, to.sectors);
    table.share(what, "bytes used", part(from.bytes_used, from.bytes_moved),
                part(to.bytes_used, to.bytes_moved));
    table.row(what, "wavefronts", from.wavefronts, to.wavefronts);
    table.row(what, "bank conflicts", from.bank_conflicts, to.bank_conflicts);
    table.row(what, "words", from.words, to.words);
    table.row(what, "on one address", from.most_on_one_address, to.most_on_one_address);
  }
  const auto row = [&](const char* measure, uint64_t OperationCounts::*member) {
    table.row("arithmetic", measure, before.operations.*member, after.operations.*member);
  };
  row("float fma", &OperationCounts::float_fma);
  row("float mul", &OperationCounts::float_mul);
  row("float add", &OperationCounts::float_add);
  row("double fma", &OperationCounts::double_fma);
  row("double mul", &OperationCounts::double_mul);
  row("double add", &OperationCounts::double_add);
  row("special", &OperationCounts::special);
  table.row("memory", "least bytes", before.traffic.least_bytes, after.traffic.least_bytes);
  table.row("barriers", "", before.barriers, after.barriers);
  const std::string text = table.take();
  return text.empty() ? "  Every count is the same.\n" : text;
}

std::vector<std::string> sentences(const ProfiledCase& profile) {
  std::vector<std::string> result;
  for (const ProfiledKernel& kernel : profile.kernels) {
    result.push_back(fmt::format("{}: {}", kernel.name, kernel.sentence));
  }
  return result;
}

}  // namespace

std::string comparison(const ProfiledCase& before, const ProfiledCase& after) {
  std::string text = case_line(after) + '\n';
  const auto& unknown = !before.problem.empty() ? before : after;
  if (!unknown.problem.empty()) {
    return text +
           fmt::format("  {}: {}\n", &unknown == &before ? "Before" : "After", unknown.problem);
  }
  text += counts(totals_of(before), totals_of(after));
  const auto was = sentences(before), is = sentences(after);
  for (const std::string& sentence : was) {
    if (std::ranges::find(is, sentence) == is.end()) text += "  Before, " + sentence + "\n";
  }
  for (const std::string& sentence : is) {
    const bool same = std::ranges::find(was, sentence) != was.end();
    text += fmt::format("  {}, {}\n", same ? "As before" : "After", sentence);
  }
  return text;
}

}  // namespace convkit
