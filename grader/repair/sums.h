// SPDX-License-Identifier: MIT
// Changes of sums and products: a term or a factor left out or put in, a group made or dissolved,
// a division that rounds up.
#pragma once

#include "repair/draft.h"

namespace convkit::repair {

void change_sums(Draft& draft, Part part);

}  // namespace convkit::repair
