// SPDX-License-Identifier: MIT
// How wrong values relate to the expected ones, when one sentence can say it.
#pragma once

#include <optional>

#include "compare/field.h"
#include "compare/where.h"

namespace convkit {

// "Every output is 2 times the expected value", "The output is shifted", ... Nothing where no
// relation holds for every element.
std::optional<Pattern> value_relation(const Field& field);

// Parts of value_relation(): rules about what single values are, and about how they are arranged.
std::optional<Pattern> uniform_values(const Field& field);
std::optional<Pattern> moved_values(const Field& field);

}  // namespace convkit
