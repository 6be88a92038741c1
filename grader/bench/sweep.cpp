// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <cstdio>

#include "bench/bench.h"
#include "bench/counted_run.h"
#include "bench/json_view.h"
#include "bench/pictures.h"
#include "bench/sweep_cells.h"
#include "bench/table_choice.h"
#include "bench/terminal_view.h"
#include "convkit/atomic_file.h"
#include "convkit/kit_error.h"
#include "process/process.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

std::string heading(const Sweep& sweep, const fs::path& folder, bool counting,
                    const std::string& device) {
  std::string text = fmt::format(
      "{}: {} combinations of {}, {}, {}\n", sweep.title, sweep.combinations(),
      (folder / sweep.file).lexically_normal().string(), sweep.shape.title,
      counting && sweep.shape.count ? counted_shape_text(sweep.shape) + ", " + device : device);
  if (counting) {
    text +=
        "These are counts, not times: how long a kernel takes on the CPU "
        "device says nothing about a GPU.\nFewer loads are often faster there, "
        "and often not: a large tile leaves few blocks.\n";
  }
  return text;
}

}  // namespace

int bench_sweeps(const Kit& kit, const Stage& stage, const BenchOptions& options) {
  const auto sweeps = wanted_tables(stage, stage.sweeps, "sweep", options);
  BenchContestants build(kit, stage, bench_mode(kit, stage));
  const BenchSubject subject = single_subject(kit, stage, options);
  const std::string device = stage.device == "gpu" ? kit.device.name : "one core";
  SweepResults results{kit.version, stage.id, device, build.builder().toolchain().version, {}};
  const auto run = [&](const Sweep& sweep) {
    const bool counting = kit.lacks_gpu(stage);
    fmt::print("{}", heading(sweep, subject.folder, counting, device));
    const SweepJob job{kit,          stage, sweep, subject.folder, options.seconds_of_shape(),
                       options.again};
    const SweepResult result{&sweep, counting, sweep_cells(job, build)};
    fmt::print("{}", table(result));
    results.sweeps.push_back(result);
    if (!result.best()) return false;
    const fs::path picture = picture_path(kit, stage, options, "sweep-" + sweep.name);
    write_whole(picture, draw(picture_of(result, device)));
    fmt::print("Picture: {}\n\n", picture.string());
    return true;
  };
  bool any = false;
  for (const Sweep* sweep : sweeps) {
    if (interrupted()) break;
    try {
      any = run(*sweep) || any;
    } catch (const UsageError& error) {
      // Not every file has its constants yet: the other sweeps may be of use.
      if (sweeps.size() == 1) throw;
      fmt::print("{}\n\n", error.what());
    }
    std::fflush(stdout);
  }
  if (!options.json.empty()) write_whole(options.json, to_json(results));
  return any ? 0 : 1;
}

}  // namespace convkit
