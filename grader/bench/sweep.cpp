// SPDX-License-Identifier: MIT
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "bench/bench.h"
#include "bench/contestants.h"
#include "bench/counted_run.h"
#include "bench/json_view.h"
#include "bench/pictures.h"
#include "bench/results.h"
#include "bench/table_choice.h"
#include "bench/terminal_view.h"
#include "compile/object_key.h"
#include "convkit/atomic_file.h"
#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "convkit/temporary_folder.h"
#include "grade/speed/speed_runner.h"
#include "grade/verdict.h"
#include "machine/console.h"
#include "process/process.h"

namespace convkit {
namespace {

// The combinations of a [[sweep]]: built, and timed on a GPU or counted on the CPU device.

struct SweepJob {
  const Kit& kit;
  const Stage& stage;
  const Sweep& sweep;
  std::filesystem::path folder;  // what is built
  double seconds_each;           // time spent on a handful of combinations
  bool again;                    // whatever was found before
};

namespace fs = std::filesystem;

constexpr size_t kTimedTogether = 12;  // in turn with the baseline, each a process with its tensors

std::string describe_shape(const Params& params, const std::vector<TensorShape>& inputs,
                           const TensorShape& output) {
  std::string text;
  for (const auto& [name, param] : params) text += fmt::format("{}={:a} ", name, param.value);
  for (const TensorShape& tensor : inputs) {
    text += fmt::format("{}[{}] ", tensor.name, fmt::join(tensor.dims, ","));
  }
  return text + fmt::format("{}[{}]", output.name, fmt::join(output.dims, ","));
}

class Sweeping {
 public:
  Sweeping(const SweepJob& job, BenchContestants& build)
      : job_(job),
        build_(build),
        counting_(job.kit.lacks_gpu(job.stage)),
        cache_(ObjectCache::default_folder()),
        request_(job.kit.build_request(job.stage, job.folder, list_files(job.folder),
                                       bench_mode(job.kit, job.stage))),
        cells_(job.sweep.combinations()),
        libraries_(cells_.size()) {
    must_be_settable();
    common_key_ = common_key();
  }

  std::vector<SweepCell> run() {
    std::vector<size_t> missing;
    for (size_t i = 0; i < cells_.size(); ++i) {
      cells_[i].values = job_.sweep.values(i);
      if (job_.again || !recall(i)) missing.push_back(i);
    }
    StatusLine status;
    std::atomic<size_t> done{0};
    const auto count = static_cast<int64_t>(missing.size());
    build_.pool().parallel_for(count, 1, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end && !interrupted(); ++k) {
        status.doing(fmt::format("{} {} of {} combinations", counting_ ? "counting" : "compiling",
                                 ++done, missing.size()));
        build_cell(missing[static_cast<size_t>(k)]);
      }
    });
    if (!counting_) time_all(missing, status);
    for (const size_t i : missing) {
      if (!interrupted()) remember(i);
    }
    return std::move(cells_);
  }

 private:
  // A macro that no file mentions would give the same program again and again.
  void must_be_settable() const {
    for (const SweepMacro& macro : job_.sweep.macros) {
      const bool mentioned = std::ranges::any_of(request_.files, [&](const std::string& file) {
        return file_text(job_.folder / file).find(macro.name) != std::string::npos;
      });
      if (mentioned) continue;
      throw UsageError(
          fmt::format("{0} does not use {1}. Let the compiler's options set it: "
                      "`#ifndef {1}`, `#define {1} {2}`, `#endif`, and {1} in the code.",
                      (job_.folder / job_.sweep.file).string(), macro.name, macro.values.front()));
    }
  }

  std::string common_key() const {
    Sha256 key;
    const SpeedCase& shape = job_.sweep.shape;
    const CountedShape counted = counted_shape(shape);
    for (const std::string& part :
         {std::string("sweep 1"), job_.kit.version, job_.kit.device.name, job_.stage.id, shape.op,
          describe_shape(shape.params, shape.inputs, shape.output),
          describe_shape(counted.params, counted.inputs, counted.output),
          key_of_everything_shared(request_, build_.builder().toolchain()), job_.sweep.file}) {
      add_to_key(key, part);
    }
    const auto add_files = [&](const fs::path& folder, const std::vector<std::string>& files) {
      for (const std::string& file : files) {
        add_to_key(key, file);
        add_file_to_key(key, folder / file);
      }
    };
    add_files(job_.folder, request_.files);
    if (!counting_) {
      add_files(job_.stage.directory / "baseline", list_files(job_.stage.directory / "baseline"));
    }
    for (const fs::path& library : request_.device_libraries) add_file_to_key(key, library);
    return sha256_hex(key.finish());
  }

  std::vector<std::string> flags_of(size_t index) const {
    std::vector<std::string> flags;
    for (size_t i = 0; i < job_.sweep.macros.size(); ++i) {
      flags.push_back(fmt::format("-D{}={}", job_.sweep.macros[i].name, cells_[index].values[i]));
    }
    return flags;
  }

  std::string key_of(size_t index) const {
    return sha256_hex(fmt::format("{} {}", common_key_, fmt::join(flags_of(index), " ")));
  }

  bool recall(size_t index) {
    const auto entry = cache_.find(key_of(index), ".sweep");
    return entry && from_json(file_text(entry->file), cells_[index]);
  }

  void remember(size_t index) {
    const TemporaryFolder scratch("sweep");
    const fs::path file = scratch.path() / "cell.json";
    write_whole(file, to_json(cells_[index]));
    cache_.store(key_of(index), ".sweep", file, "");
  }

  void build_cell(size_t index) {
    BuildRequest request = request_;
    request.file_flags[job_.sweep.file] = flags_of(index);
    const BuildResult built = build_.builder().build(request, build_.pool());
    if (built.status != BuildResult::Status::ok) {
      cells_[index].problem = built.message;
      return;
    }
    libraries_[index] = built.library;
    if (counting_) count(index);
  }

  void count(size_t index) {
    const SpeedCase& shape = job_.sweep.shape;
    const Counted counted = count_run(job_.stage, build_.session({"", libraries_[index], false}),
                                      shape.op, counted_shape(shape));
    cells_[index].problem =
        counted.problem.empty() ? no_kernel(counted, shape.op) : counted.problem;
    for (const auto& [name, value] : counted.counts) {
      cells_[index].counts[name] = value / counted.outputs;
    }
  }

  void time_all(const std::vector<size_t>& missing, StatusLine& status) {
    std::vector<size_t> built;
    std::ranges::copy_if(missing, std::back_inserter(built),
                         [&](size_t i) { return !libraries_[i].empty(); });
    if (built.empty()) return;
    const BenchContestant baseline =
        build_.submission("baseline", job_.stage.directory / "baseline");
    TimingPlan plan;
    plan.budget_s = job_.seconds_each;
    plan.max_rounds = 21;
    for (size_t begin = 0; begin < built.size() && !interrupted(); begin += kTimedTogether) {
      const size_t end = std::min(begin + kTimedTogether, built.size());
      status.doing(fmt::format("timing {} to {} of {} combinations", begin + 1, end, built.size()));
      std::vector<Contestant> contestants = {{"baseline", build_.timed_session(baseline), "", {}}};
      for (size_t k = begin; k < end; ++k) {
        contestants.push_back(
            {"", build_.timed_session({"", libraries_[built[k]], false}), "", {}});
      }
      const std::vector<Timing> timings =
          time_in_turn(job_.stage, job_.sweep.shape, contestants, plan);
      for (size_t k = begin; k < end && !timings.empty(); ++k) {
        take_timing(timings[k - begin + 1], job_.stage, job_.sweep.shape.op, cells_[built[k]]);
      }
    }
  }

  const SweepJob& job_;
  BenchContestants& build_;
  bool counting_;
  ObjectCache cache_;
  BuildRequest request_;
  std::string common_key_;
  std::vector<SweepCell> cells_;
  std::vector<fs::path> libraries_;
};

// All of them, in the sweep's order. What was found before on this device with these files is not
// measured again. Throws UsageError where the file does not let a macro be set.
std::vector<SweepCell> sweep_cells(const SweepJob& job, BenchContestants& build) {
  return Sweeping(job, build).run();
}

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
