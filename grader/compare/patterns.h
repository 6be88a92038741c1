// SPDX-License-Identifier: MIT
// Sentences about the wrong elements: where they are, or how their values relate to the expected
// ones.
#pragma once

#include <optional>
#include <string>

#include "compare/field.h"

namespace convkit {

struct Pattern {
  std::string id;              // "only_first_image"; empty when the place alone names no mistake
  std::string sentence;        // "All differences are in the last output row."
  std::string hint;            // may be empty
  bool needs_support = false;  // by other cases: too few elements follow it here
};

std::optional<Pattern> where_wrong(const Field& field);

// What to look at where the wrong outputs are those whose windows reach beyond an edge of the
// input; else "".
std::string beyond_edges(const Field& field);

// "Every output is 2 times the expected value", "The output is shifted", ... Nothing where no
// relation holds for every element.
std::optional<Pattern> value_relation(const Field& field);

// Parts of value_relation(): rules about outputs made of the input's element at their place, about
// what single values are, and about how they are arranged.
std::optional<Pattern> elementwise_values(const Field& field);
std::optional<Pattern> uniform_values(const Field& field);
std::optional<Pattern> moved_values(const Field& field);

}  // namespace convkit
