// SPDX-License-Identifier: MIT
// Where the wrong elements lie, when one sentence can say it.
#pragma once

#include <optional>
#include <string>

#include "compare/field.h"

namespace convkit {

struct Pattern {
  std::string id;        // "only_first_image"; empty when the place alone names no mistake
  std::string sentence;  // "All differences are in the last output row."
  std::string hint;      // may be empty
};

std::optional<Pattern> where_wrong(const Field& field);

}  // namespace convkit
