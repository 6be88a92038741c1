// SPDX-License-Identifier: MIT
// course.toml, for two stages.
#include "stage/course.h"

#include "convkit/kit_error.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace convkit;
  static const std::vector<Stage> stages = [] {
    std::vector<Stage> two(2);
    two[0].id = "01_a";
    two[1].id = "02_b";
    for (Stage& stage : two) stage.groups = {{"all", "All", 50}};
    return two;
  }();
  try {
    const Course course = parse_course(fuzz::text_of(data, size), "course.toml", stages);
    double all = 0;
    for (const Stage& stage : stages) {
      const double share = course.share(stage, stages);
      fuzz::require(share >= 0 && share <= 1, "a share is between 0 and 1");
      all += share;
    }
    fuzz::require(all == 0 || (all > 0.999 && all < 1.001), "the shares make one course");
  } catch (const KitError& error) {
    fuzz::require(std::string(error.what()).starts_with("course.toml:"),
                  "a mistake is named with the file");
  }
  return 0;
}
