// SPDX-License-Identifier: MIT
// convkit-timing-trials: does the timing of speed points tell what is true? Times two folders
// against each other again and again, as `grade` does, and prints a line of JSON for each trial:
//
//   convkit-timing-trials STAGE SHAPE TRIALS FIRST SECOND
//
// FIRST and SECOND are folders with all sources that the op of the shape needs, such as the
// stage's baseline. "ratio" is the median of the first's time to the second's.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>

#include "convkit/thread_pool.h"
#include "grade/kit.h"
#include "grade/speed/stage_speed.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

fs::path library_of(const Kit& kit, const Stage& stage, const fs::path& folder) {
  ThreadPool pool(2);
  const BuildResult built =
      kit.builder().build(kit.build_request(stage, folder, list_files(folder)), pool);
  if (built.status != BuildResult::Status::ok) {
    throw UsageError(fmt::format("{} does not build: {}", folder.string(), built.message));
  }
  return built.library;
}

int run(const std::string& stage_id, const std::string& shape, int trials, const fs::path& first,
        const fs::path& second) {
  Kit kit = Kit::find();
  kit.use_device("auto");
  for (const Stage& stage : kit.stages) {
    if (!stage.id.starts_with(stage_id)) continue;
    for (const SpeedCase& speed : stage.speed) {
      if (speed.name != shape) continue;
      const fs::path one = library_of(kit, stage, first), other = library_of(kit, stage, second);
      for (int trial = 0; trial < trials; ++trial) {
        SpeedResult result;
        measure_speed(kit, stage, speed, one, other, {}, result);
        fmt::print(
            "{{\"shape\": \"{}\", \"ratio\": {:.5f}, \"quartiles\": [{:.5f}, {:.5f}], "
            "\"pairs\": {}, \"first_ms\": {:.6g}, \"second_ms\": {:.6g}, "
            "\"status\": \"{}\", \"message\": \"{}\"}}\n",
            shape, result.ratio, result.ratio_low, result.ratio_high, result.pairs,
            result.baseline_ms, result.submission_ms, name_of(result.status), result.message);
        std::fflush(stdout);
      }
      return 0;
    }
  }
  throw UsageError(fmt::format("There is no shape {} in stage {}.", shape, stage_id));
}

}  // namespace
}  // namespace convkit

int main(int argc, char** argv) try {
  if (argc != 6) {
    std::fputs("usage: convkit-timing-trials STAGE SHAPE TRIALS FIRST SECOND\n", stderr);
    return 2;
  }
  return convkit::run(argv[1], argv[2], std::stoi(argv[3]), argv[4], argv[5]);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
