// SPDX-License-Identifier: MIT
// One call on the CPU device in check mode, for what the kernels do and not for how long.
#pragma once

#include <string>

#include "bench/results.h"
#include "session/session.h"
#include "stage/stage.h"

namespace convkit {

// The shape that is counted for a timed one: its `count`, if given; for a batch of images, one
// image; otherwise the shape itself.
CountedShape counted_shape(const SpeedCase& speed);
// "one image", "here cols = 256, rows = 256" or "".
std::string counted_shape_text(const SpeedCase& speed);

// Why all counts are zero, or "" if some are not.
std::string no_kernel(const Counted& counted, const std::string& op);

// Calls `op` once on zeros. `session`: of a runner in check mode.
Counted count_run(const Stage& stage, SessionOptions session, const std::string& op,
                  const CountedShape& shape);

}  // namespace convkit
