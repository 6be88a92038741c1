// SPDX-License-Identifier: MIT
#include "profile/annotated_source.h"

#include <fmt/format.h>

#include <map>
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

}  // namespace convkit
