// SPDX-License-Identifier: MIT
// What is done for rows is often done for columns, too: `s.pad_h` and `s.pad_w`, `row` and `col`.
#pragma once

#include <string>
#include <string_view>

namespace convkit::repair {

// The same text for both axes; and for which of them each of its words stood ('r', 'c').
struct Neutral {
  std::string text, axes;
};
Neutral without_axis(std::string_view code);

// The code of the other axis; the code itself, where no word of it belongs to one.
std::string other_axis(std::string_view code);

}  // namespace convkit::repair
