// SPDX-License-Identifier: MIT
#include "profile/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <vector>

#include "profile/card.h"

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
  if (line.kind.starts_with("constant")) {
    return fmt::format("{} ({:.1f} a request)", counted(line.words, "word", "words"),
                       per(line.words, line.requests));
  }
  return fmt::format("{} sectors ({:.1f} a request), {:.0f} % of the bytes used",
                     grouped(line.sectors), per(line.sectors, line.requests),
                     100 * per(line.bytes_used, line.bytes_moved));
}

std::string limit_words(const std::string& limit) {
  if (limit == "warps") return ", and no further block fits";
  return ", limited by " + (limit == "blocks" ? "the number of blocks" : limit);
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

std::string arithmetic_words(const OperationCounts& counts) {
  std::vector<std::string> parts;
  const auto add = [&](uint64_t count, const char* what) {
    if (count != 0) parts.push_back(grouped(count) + " " + what);
  };
  add(counts.float_fma, "float fma");
  add(counts.float_mul, "float mul");
  add(counts.float_add, "float add");
  add(counts.double_fma, "double fma");
  add(counts.double_mul, "double mul");
  add(counts.double_add, "double add");
  add(counts.special, "special");
  return fmt::format("{:<13}  {}", "arithmetic", fmt::join(parts, ", "));
}

std::string barrier_words(const ProfiledBarrier& barrier) {
  return fmt::format("{:<13}  {}", "barrier",
                     counted(barrier.times, "time, by a block", "times, by a block"));
}

std::string occupancy_words(const ProfiledKernel& kernel) {
  if (!kernel.occupancy) return "";
  const auto& [card, needs, local, spilled, of_one] = *kernel.occupancy;
  if (of_one.blocks == 0) {
    return fmt::format(
        "On {}, no block of this kernel fits on a multiprocessor: there is not enough of the {} it "
        "needs.",
        card->name, of_one.limited_by);
  }
  std::string text =
      fmt::format("On {}, {} of {} {} on a multiprocessor at a time: ", card->name,
                  counted(of_one.blocks, "block", "blocks"),
                  counted(needs.threads, "thread", "threads"), of_one.blocks == 1 ? "is" : "are");
  text += of_one.warps == card->warps ? fmt::format("all of its {} warps.", card->warps)
                                      : fmt::format("{} of its {} warps{}.", of_one.warps,
                                                    card->warps, limit_words(of_one.limited_by));
  text +=
      needs.registers != 0
          ? fmt::format(" A thread has {} registers, a block {} bytes of shared memory.",
                        needs.registers, grouped(needs.shared_bytes))
          : " At most: its registers and static shared memory are not known, as nvcc is not here "
            "or did not compile it.";
  if (spilled != 0) {
    text += fmt::format(" {} bytes of a thread's registers are spilled to local memory.",
                        grouped(spilled));
  } else if (local != 0) {
    text += fmt::format(
        " {} bytes of a thread's variables are in local memory, as slow as global memory: arrays "
        "whose indices are not known when it is compiled, or variables whose address is taken.",
        grouped(local));
  }
  const uint64_t blocks = kernel.blocks / kernel.launches;  // of a launch
  if (blocks < card->multiprocessors) {
    const uint64_t idle = card->multiprocessors - blocks;
    return text + fmt::format(" {} of its {} multiprocessors {} no block.", idle,
                              card->multiprocessors, idle == 1 ? "gets" : "get");
  }
  const uint64_t wave = uint64_t{of_one.blocks} * card->multiprocessors;
  return text + fmt::format(" The {} blocks of a launch are {:.1f} waves of {}.", grouped(blocks),
                            per(blocks, wave), grouped(wave));
}

namespace {

std::string gflops(double value) {
  return value < 10 ? fmt::format("{:.2g}", value)
                    : grouped(static_cast<uint64_t>(std::llround(value)));
}

// Where an operation that is not fused, or of another type, leaves a part of the peak unused.
std::string mix_words(const Roofline& roof) {
  if (roof.ceiling > 0.95 * roof.peak) return "";
  return fmt::format(" Its mix of operations alone allows {}, as not all are fused multiply-adds.",
                     gflops(roof.ceiling));
}

}  // namespace

std::string roofline_words(const ProfiledKernel& kernel) {
  if (!kernel.occupancy) return "";
  if (!kernel.arithmetic_unknown.empty()) {
    return "Its arithmetic is not known: " + kernel.arithmetic_unknown;
  }
  if (!kernel.roofline) return "It executes no floating-point operations.";
  const Roofline& roof = *kernel.roofline;
  const std::string at_most =
      fmt::format("On {} at most {} of {} GFLOP/s (estimate): ", roof.card->name,
                  gflops(roof.attainable), gflops(roof.peak));
  if (roof.traffic.least_bytes == 0) {
    return fmt::format("{} FLOP, and no byte of global memory moves. {}compute-bound.{}",
                       grouped(roof.flop), at_most, mix_words(roof));
  }
  return fmt::format(
      "{} FLOP: {:.3g} for each byte that moves in L1, {:.3g} for each that must move from or to "
      "memory at least (every sector once, an estimate). {}{}, as its ridge is at {:.3g}.{}",
      grouped(roof.flop), roof.l1_intensity(), roof.intensity(), at_most,
      roof.memory_bound ? "memory-bound" : "compute-bound", roof.ridge(), mix_words(roof));
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
  if (step.kind.starts_with("constant")) return counted("word", "words");
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
