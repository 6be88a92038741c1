// SPDX-License-Identifier: MIT
#include "profile/trace_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "profile/card.h"
#include "profile/words.h"

namespace convkit {
namespace {

constexpr size_t kMostRuns = 3;

// Neighbouring lanes, the element of the first, and how far the next one's is from it.
struct Run {
  size_t first = 0, last = 0;
  int64_t element = 0, distance = 0;
  int64_t last_element() const { return element + distance * static_cast<int64_t>(last - first); }
};

std::vector<Run> runs_of(const ProfiledStep& step) {
  std::vector<Run> runs;
  for (size_t lane = 0; lane < step.elements.size(); ++lane) {
    if (!step.elements[lane]) continue;
    const int64_t element = *step.elements[lane];
    if (!runs.empty() && runs.back().last + 1 == lane) {
      Run& run = runs.back();
      if (run.first == run.last) run.distance = element - run.element;
      if (run.last_element() + run.distance == element) {
        run.last = lane;
        continue;
      }
    }
    runs.push_back({lane, lane, element, 0});
  }
  return runs;
}

std::vector<int64_t> coordinates(const std::vector<int64_t>& dims, int64_t element) {
  std::vector<int64_t> result(dims.size());
  for (size_t i = dims.size(); i-- > 0;) {
    result[i] = i == 0 ? element : element % dims[i];
    element /= dims[i];
  }
  return result;
}

std::string element_words(const ProfiledStep& step, int64_t element) {
  if (step.dims.empty()) return fmt::format("{}[{}]", step.place, element);
  return fmt::format("{}[{}]", step.place, fmt::join(coordinates(step.dims, element), ","));
}

std::string run_words(const ProfiledStep& step, const Run& run) {
  const int64_t last = run.last_element();
  const std::string from = element_words(step, run.element);
  if (last == run.element) return from;
  if (run.distance == 1) {
    const auto first_at = coordinates(step.dims, run.element),
               last_at = coordinates(step.dims, last);
    const bool one_row =
        step.dims.empty() || std::equal(first_at.begin(), first_at.end() - 1, last_at.begin());
    if (one_row) {
      return fmt::format("{}..{}]", from.substr(0, from.size() - 1),
                         step.dims.empty() ? last : last_at.back());
    }
    return fmt::format("{} to {}", from, element_words(step, last));
  }
  const std::string to = element_words(step, last);
  return fmt::format("{} to {}, {} apart", from, to, run.distance);
}

std::string lanes_words(const Run& run, size_t lanes) {
  if (run.first == 0 && run.last + 1 == lanes) return fmt::format("all {} lanes", lanes);
  if (run.first == run.last) return fmt::format("lane {}", run.first);
  return fmt::format("lanes {}-{}", run.first, run.last);
}

}  // namespace

std::string elements_words(const ProfiledStep& step) {
  const std::vector<Run> runs = runs_of(step);
  if (runs.empty()) return "an array without a name";
  std::vector<std::string> words;
  for (const Run& run : runs) {
    if (words.size() == kMostRuns) {
      words.push_back(fmt::format("{} more", runs.size() - kMostRuns));
      break;
    }
    words.push_back(
        fmt::format("{} by {}", run_words(step, run), lanes_words(run, step.elements.size())));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

std::string cost_words(const ProfiledStep& step) {
  const auto counted = [&](const char* one, const char* many) {
    return fmt::format("{} {}", step.cost, step.cost == 1 ? one : many);
  };
  if (step.kind.ends_with("atomic")) return counted("lane on one address", "lanes on one address");
  return step.kind.starts_with("shared") ? counted("wavefront", "wavefronts")
                                         : counted("sector", "sectors");
}

std::string warp_words(const ProfiledKernel& kernel) {
  const ProfiledTrace& trace = *kernel.trace;
  const unsigned first = trace.warp * kLanesOfWarp;
  return fmt::format("{}, block {}, warp {} (threads {} to {})", kernel.name, trace.block,
                     trace.warp, first, first + trace.lanes - 1);
}

std::string trace_text(const ProfiledKernel& kernel) {
  std::string text = warp_words(kernel) + "\n";
  std::string file;
  int line = 0, number = 0;
  for (const ProfiledStep& step : kernel.trace->steps) {
    if (step.file != file || step.line != line) {
      file = step.file;
      line = step.line;
      const auto source = source_lines(file, line, line);
      text += file.empty() ? fmt::format("  {}\n", file_words(file))
                           : fmt::format("  {}:{} | {}\n", file_words(file), line,
                                         source.empty() ? "" : source.begin()->second);
    }
    ++number;
    text += step.kind == "barrier"
                ? fmt::format("  {:>5}  barrier: waits for all warps of the block\n", number)
                : fmt::format("  {:>5}  {:<13}  {}: {}\n", number, kind_words(step.kind),
                              elements_words(step), cost_words(step));
  }
  if (kernel.trace->left_out != 0) {
    text += fmt::format("  Further accesses that are not shown: {}.\n",
                        grouped(kernel.trace->left_out));
  }
  return text;
}

}  // namespace convkit
