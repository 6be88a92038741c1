// SPDX-License-Identifier: MIT
// Changes in several places at once: what is wrong for rows is often wrong for columns, too, and a
// wrong name stands wherever it is used.
#pragma once

#include <cstddef>
#include <vector>

#include "repair/mutants.h"

namespace convkit::repair {

// Adds to the mutants from `first` on, which are those of one function, the ones that join some of
// them.
void change_together(const rewrite::Source& source, std::vector<Mutant>& found, size_t first);

}  // namespace convkit::repair
