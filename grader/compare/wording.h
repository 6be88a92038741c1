// SPDX-License-Identifier: MIT
// Numbers, counts and positions as a reader wants them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace convkit {

// "1 output", "3 outputs".
std::string counted(int64_t count, std::string_view noun);

// "expected 0.41270, got 0.00000": both in the same form, with the digits that tell them apart.
std::string expected_and_got(double expected, double got);

// "41x the allowed error"; a ratio of infinity is "infinite".
std::string times_allowed(double ratio);

// "y[0,0,61,0]": an element by its index in memory, C order.
std::string element_name(const std::string& tensor, const std::vector<int64_t>& dims,
                         int64_t index);

// "0", "1 and 2", "0, 3 and 4"; more than a few are cut to "0, 1, 2 and 5 more".
std::string listed(const std::vector<int64_t>& numbers);

}  // namespace convkit
