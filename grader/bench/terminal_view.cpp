// SPDX-License-Identifier: MIT
#include "bench/terminal_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "bench/bench_options.h"

namespace convkit {
namespace {

std::string row(const TimedShape& shape, const TimedCode& code, double peak) {
  if (!code.problem.empty()) return fmt::format("  {:<10} {}\n", code.name, code.problem);
  const double flops = shape.flop / code.time.median, share = shape.share_of_peak(code, peak);
  return fmt::format(
      "  {:<10} {:>9.3f} ms  +-{:>4.1f} %  {:>7.1f} GFLOP/s  {}{:>6.2f}x "
      "({:.2f} to {:.2f}, {} round{}){}\n",
      code.name, code.time.median * 1e3, code.time.relative() * 100, flops * 1e-9,
      share > 0 ? fmt::format("{:>5.1f} % of peak  ", 100 * share) : "", code.ratio.median,
      code.ratio.lower_quartile, code.ratio.upper_quartile, code.rounds,
      code.rounds == 1 ? "" : "s",
      code.points ? fmt::format("  {:.1f} of {:g} points", *code.points, shape.points) : "");
}

std::string row(const CountedCode& code) {
  const Counted& counted = code.counted;
  if (!counted.problem.empty()) return fmt::format("  {:<16} {}\n", code.name, counted.problem);
  if (code.library_only) {
    return fmt::format("  {:<16} launches no kernel itself; the work of a library is not counted\n",
                       code.name);
  }
  return fmt::format(
      "  {:<16} {:>3.0f} launches  {:>10.0f} threads  "
      "{:>7.2f} barriers per thread  {:>8.2f} loads per output\n",
      code.name, counted.of("launches"), counted.of("threads"),
      counted.of("barriers") / std::max(1.0, counted.of("threads")),
      counted.per_output("global_loads"));
}

// `before`: the step before this one that has figures, or nullptr.
std::string counted_row(const LadderResult& result, const LadderRung& rung,
                        const LadderRung* before, size_t width) {
  const Counted& counted = rung.counted;
  const std::string change =
      before ? fmt::format("  {:.2f}x the accesses",
                           counted.global_accesses() / before->counted.global_accesses())
             : "";
  return fmt::format("  {:<{}}  {:>12.2f}  {:>7.2f}  {:>7.2f}  {:>12.2f}  {:>8.3f}  {:>13.0f}{}\n",
                     rung.step->title, width, counted.per_output("global_loads"),
                     counted.per_output("global_stores"), counted.per_output("global_atomics"),
                     counted.per_output("shared_loads"), counted.per_output("barriers"),
                     result.multiply_adds() / counted.outputs, change);
}

std::string timed_row(const LadderResult& result, const LadderRung& rung, const LadderRung* before,
                      size_t width) {
  if (rung.seconds == 0) return "";  // interrupted
  const double share = result.share_of_peer(rung);
  return fmt::format("  {:<{}}  {:>9.3f} ms  +-{:>4.1f} %  {:>9.1f} GFLOP/s{}{}\n",
                     rung.step->title, width, rung.seconds * 1e3, rung.spread * 100,
                     result.gflops(rung),
                     share > 0 ? fmt::format("  {:>6.1f} % of the peer", share * 100) : "",
                     before && before->seconds > 0
                         ? fmt::format("  {:.2f}x as fast", before->seconds / rung.seconds)
                         : "");
}

// How many letters all names share, up to a "_": no table is wide enough for them again and again.
size_t common_prefix(const std::vector<SweepMacro>& macros) {
  std::string prefix = macros.front().name;
  for (const SweepMacro& macro : macros) {
    const auto differ = std::ranges::mismatch(prefix, macro.name).in1;
    prefix.erase(differ, prefix.end());
  }
  return macros.size() == 1 ? 0 : prefix.rfind('_') + 1;  // npos + 1: none
}

// What a row shows after the values of a combination.
std::string figures(const SweepResult& result, const SweepCell& cell, bool best) {
  const auto value = result.value(cell);
  if (!value) return fmt::format("  {:>12}\n", "-");
  if (!result.counting) {
    return fmt::format("  {:>8.3f} ms  +-{:>3.0f} %  {:>12.1f}{}\n", cell.seconds * 1e3,
                       cell.spread * 100, *value, best ? "  <- best" : "");
  }
  const auto count = [&](const char* name) {
    const auto found = cell.counts.find(name);
    return found == cell.counts.end() ? 0 : found->second;
  };
  return fmt::format("  {:>12.2f}  {:>13.2f}  {:>8.2f}{}\n", *value, count("shared_loads"),
                     count("barriers"), best ? "  <- fewest loads" : "");
}

}  // namespace

std::string heading(const BenchTimes& result) {
  return fmt::format(
      "{}, {}. Times are medians of rounds in turn;\n"
      "x is the baseline's time divided by this one's (median and quartiles of the rounds).\n",
      result.stage,
      result.gpu.empty()
          ? fmt::format("one core, measured FMA peak {:.1f} GFLOP/s", result.fma_peak_flops * 1e-9)
          : result.gpu);
}

std::string table(const TimedShape& shape, double fma_peak_flops) {
  std::string text = fmt::format(
      "\n{}  ({}){}\n", shape.title, shape.name,
      shape.points > 0 ? fmt::format(", counts: {:g} points, all at {:g}x, none at {:g}x",
                                     shape.points, shape.full, shape.none)
                       : "");
  for (const TimedCode& code : shape.rows) text += row(shape, code, fma_peak_flops);
  if (fma_peak_flops > 0 && shape.most_flops() > fma_peak_flops) {
    text += fmt::format(
        "  (No shares of the peak: {:.1f} GFLOP/s were reached, more than the {:.1f} measured for "
        "it.)\n",
        shape.most_flops() * 1e-9, fma_peak_flops * 1e-9);
  }
  return text;
}

std::string summary(const BenchTimes& result) {
  std::string text = "\nGeometric mean over the shapes, against the baseline:";
  for (const auto& [name, mean] : result.geomean_ratios()) {
    text += fmt::format("  {} {:.2f}x", name, mean);
  }
  text += "\n";
  std::map<std::string, std::pair<double, double>> earned;  // by name: points, of how many
  for (const TimedShape& shape : result.shapes) {
    for (const TimedCode& code : shape.rows) {
      if (!code.points) continue;
      earned[code.name].first += *code.points;
      earned[code.name].second += shape.points;
    }
  }
  for (const auto& [name, points] : earned) {
    text += fmt::format("For these ratios {} would earn {:.1f} of {:g} points for speed.\n",
                        name == "yours" ? "your work" : name, points.first, points.second);
  }
  return text;
}

std::string sentence_on_left_out(const std::vector<std::string>& shapes) {
  if (shapes.empty()) return "";
  return fmt::format(
      "{} {} not measured: a plain bench ends after {} s.\n"
      "--shape NAME measures one, --seconds N all of them, N seconds each.\n",
      fmt::join(shapes, ", "), shapes.size() == 1 ? "was" : "were", BenchOptions::kSecondsOfAll);
}

std::string heading(const BenchCounts& result) {
  return fmt::format(
      "{} on the CPU device: no times, because how long a kernel takes here does not predict how\n"
      "long it takes on a GPU. The counts are the same on both; a load is one access to global\n"
      "memory by one thread, whatever its width.\n",
      result.stage);
}

std::string table(const CountedShapeRows& shape) {
  std::string text = fmt::format(
      "\n{}  ({}){}{}{}\n", shape.title, shape.name, shape.note.empty() ? "" : ", ", shape.note,
      shape.points > 0 ? fmt::format(", counts: {:g} points on a GPU", shape.points) : "");
  for (const CountedCode& code : shape.rows) text += row(code);
  return text;
}

std::string heading(const LadderResult& result) {
  const Ladder& ladder = *result.ladder;
  std::string text = fmt::format("{}: {}{}\n", ladder.title, ladder.shape.title,
                                 result.note.empty() ? "" : ", " + result.note);
  if (result.counting) {
    text +=
        "Counts on the CPU device, the same on a GPU; "
        "an access is one by one thread, whatever its\n"
        "width. Multiply-adds are those of the operation.\n";
  }
  return text;
}

std::string table(const LadderResult& result) {
  size_t width = 0;
  for (const LadderRung& rung : result.rungs) width = std::max(width, rung.step->title.size());
  std::string text;
  if (result.counting) {
    text = fmt::format("  {:<{}}  {:>12}  {:>7}  {:>7}  {:>12}  {:>8}  {:>13}\n", "for each output",
                       width, "global loads", "stores", "atomics", "shared loads", "barriers",
                       "multiply-adds");
  }
  const LadderRung* before = nullptr;
  for (const LadderRung& rung : result.rungs) {
    if (!rung.found()) {
      text += fmt::format("  {:<{}}  {}\n", rung.step->title, width, rung.problem);
      continue;
    }
    text += result.counting ? counted_row(result, rung, before, width)
                            : timed_row(result, rung, before, width);
    before = &rung;
  }
  return text;
}

std::string table(const SweepResult& result) {
  const std::vector<SweepMacro>& macros = result.sweep->macros;
  const size_t prefix = common_prefix(macros);
  std::string text;
  if (prefix > 0) text = fmt::format("  {}...\n", macros.front().name.substr(0, prefix));
  for (const SweepMacro& macro : macros) text += "  " + macro.name.substr(prefix);
  text += result.counting ? "  global loads   shared loads  barriers, all per output\n"
                          : "         time  spread       GFLOP/s\n";
  const auto best = result.best();
  size_t left_out = 0;
  for (size_t i = 0; i < result.cells.size(); ++i) {
    const SweepCell& cell = result.cells[i];
    for (size_t m = 0; m < macros.size(); ++m) {
      text += fmt::format("  {:>{}}", cell.values[m], macros[m].name.size() - prefix);
    }
    text += figures(result, cell, best == i);
    left_out += !result.value(cell);
  }
  if (left_out > 0) {
    text += fmt::format(
        "  - : {} of {} do not compile, do not launch, or are wrong; --json says why.\n", left_out,
        result.cells.size());
  }
  return text;
}

std::string table(const Chart& chart, const ChartFigures& figures) {
  std::string text = fmt::format("\n{}\n", figures.shape->title);
  if (!figures.problem.empty()) return text + fmt::format("  {}\n", figures.problem);
  size_t width = 0;
  for (const std::string& name : chart.rows) width = std::max(width, name.size());
  text += fmt::format("  {:<{}}", "", width);
  for (const std::string& column : chart.columns) text += fmt::format("  {:>14}", column);
  text += "\n";
  for (size_t r = 0; r < chart.rows.size(); ++r) {
    text += fmt::format("  {:<{}}", chart.rows[r], width);
    for (const auto& cell : figures.cells[r]) {
      text += fmt::format("  {:>14}", cell ? fmt::format("{:.4g}", *cell) : "-");
    }
    text += "\n";
  }
  return text;
}

}  // namespace convkit
