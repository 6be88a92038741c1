// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace convkit {

// `text` as a terminal may show it. Much of a result was chosen by whoever wrote the submission
// (what it printed, file names, compiler output that quotes it): nothing of that may move the
// cursor, recolour a verdict or reverse its reading order. Line feeds, tabs and valid UTF-8 stay;
// every other control character, bidirectional override and malformed byte becomes U+FFFD.
std::string plain_text(std::string_view text);

}  // namespace convkit
