// SPDX-License-Identifier: MIT
// One operation of a program, computed in double.
#pragma once

#include <cstdint>
#include <vector>

#include "compare/network/program.h"

namespace convkit {

// The outputs, in the operation's order. `inputs` are those of the operation; where one is too
// short, what lies behind its end is predicted_anything(). With `image` not negative, `outputs`
// holds what the images that are not computed have; else it is empty before.
void compute_op(const NetworkOp& op, const std::vector<const std::vector<double>*>& inputs,
                int64_t image, std::vector<std::vector<double>>& outputs);

// Products and the like, about.
int64_t work_of(const NetworkOp& op);

// Which elements dropout keeps: 1 or 0.
std::vector<double> kept_by_dropout(const NetworkOp& op);

}  // namespace convkit
