// SPDX-License-Identifier: MIT
#include "profile/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace convkit {

std::string grouped(uint64_t value) {
  std::string text = std::to_string(value);
  for (size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string kind_words(std::string kind) {
  std::ranges::replace(kind, '_', ' ');
  return kind;
}

namespace {

std::string counted(uint64_t count, const char* one, const char* many) {
  return grouped(count) + " " + (count == 1 ? one : many);
}

double per(uint64_t sum, uint64_t count) {
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

std::string cost_words(const ProfiledLine& line) {
  if (line.kind.starts_with("shared") && line.wavefronts != 0) {
    return fmt::format("{} wavefronts ({:.1f} a request), {} bank conflicts",
                       grouped(line.wavefronts), per(line.wavefronts, line.requests),
                       grouped(line.bank_conflicts));
  }
  if (line.kind.ends_with("atomic")) {
    return fmt::format("{:.1f} addresses a request, {:.1f} lanes on one, {} of {} on the most used",
                       per(line.addresses, line.requests), per(line.passes, line.requests),
                       grouped(line.most_on_one_address), grouped(line.lanes));
  }
  return fmt::format("{} sectors ({:.1f} a request), {:.0f} % of the bytes used",
                     grouped(line.sectors), per(line.sectors, line.requests),
                     100 * per(line.bytes_used, line.bytes_moved));
}

}  // namespace

std::string launch_words(const ProfiledKernel& kernel) {
  return fmt::format("{}, {} of {}", counted(kernel.launches, "launch", "launches"),
                     counted(kernel.blocks, "block", "blocks"),
                     counted(kernel.threads_per_block, "thread", "threads"));
}

std::string access_words(const ProfiledLine& line) {
  return fmt::format("{:<13}  {} of {:.1f} lanes, {}", kind_words(line.kind),
                     counted(line.requests, "request", "requests"), per(line.lanes, line.requests),
                     cost_words(line));
}

std::string barrier_words(const ProfiledBarrier& barrier) {
  return fmt::format("{:<13}  {}", "barrier",
                     counted(barrier.times, "time, by a block", "times, by a block"));
}

std::string file_words(const std::string& file) {
  return file.empty() ? "at an unknown line" : std::filesystem::path(file).filename().string();
}

std::map<int, std::string> source_lines(const std::string& file, int first, int last) {
  std::map<int, std::string> lines;
  std::ifstream in(file);
  std::string text;
  for (int number = 1; number <= last && std::getline(in, text); ++number) {
    if (number >= first) lines[number] = text;
  }
  return lines;
}

}  // namespace convkit
