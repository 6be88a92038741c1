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

// "conv2d_forward (task 01.1) is not started." `todo`: the stub that ran (Answer::todo); where it
// did not say, the function is `op`.
std::string not_started_sentence(const std::string& todo, const std::string& op);

// Why all counts are zero, or "" if some are not.
std::string no_kernel(const Counted& counted, const std::string& op);

// Calls `op` once on zeros. `session`: of a runner in check mode.
Counted count_run(const Stage& stage, SessionOptions session, const std::string& op,
                  const CountedShape& shape);

}  // namespace convkit
