// SPDX-License-Identifier: MIT
// stage.toml, and what is computed from it before anything runs.
#include "stage/stage.h"

#include <algorithm>
#include <cmath>

#include "convkit/checked_size.h"
#include "convkit/kit_error.h"
#include "fuzz.h"
#include "grade/adjoint/draw.h"

namespace convkit {
namespace {

// Shapes and sums of a table of gradients, as a grading draws them.
void draw(const AdjointTable& table) {
  for (unsigned trial = 0; trial < std::min(table.trials(), 1u); ++trial) {
    try {
      const AdjointDraw drawn = draw_adjoint(table, "seed", trial);
      fuzz::require(table.forward.terms.value(drawn.params) >= 0, "a sum has no overflow");
      for (const auto& [name, shape] : drawn.shapes) {
        fuzz::require(checked_product(shape.dims).value_or(0) > 0, "a tensor has elements");
      }
    } catch (const KitError&) {  // no shape fits, a size is too large
    }
  }
}

void check(const Stage& stage) {
  fuzz::require(!stage.files.empty(), "a stage has files");
  fuzz::require(std::isfinite(stage.max_points()), "the points are a number");
  for (const SpeedCase& speed : stage.speed) {
    for (const auto& [name, param] : speed.params) {
      fuzz::require(!param.integer || std::abs(param.value) <= 0x1p53, "an integer is exact");
    }
  }
  for (const AdjointTable& table : stage.adjoint) draw(table);
  for (const Sweep& sweep : stage.sweeps) {
    const size_t count = sweep.combinations();
    fuzz::require(count >= 1 && count <= 400, "a sweep has 1 to 400 combinations");
    for (size_t i = 0; i < count; ++i) sweep.values(i);
  }
}

}  // namespace
}  // namespace convkit

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace convkit;
  try {
    check(parse_stage(fuzz::text_of(data, size), "01_a/stage.toml"));
  } catch (const KitError& error) {
    fuzz::require(std::string(error.what()).starts_with("01_a/stage.toml:"),
                  "a mistake is named with the file");
  }
  return 0;
}
