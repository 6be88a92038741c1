// SPDX-License-Identifier: MIT
// How far apart two file names are, for "did you mean".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace convkit {

// `file` (a name without folders) without what downloads, copies and careful editors put around a
// name: "Conv2D (1).cpp.txt" -> "conv2d.cpp". In lower case, with '-' and ' ' as '_'.
std::string plain_name(std::string_view file);

// The distance between a file name found and the one wanted, 0 where only such trimmings differ;
// nothing where they are too far apart to be the same file.
std::optional<size_t> name_distance(std::string_view found, std::string_view wanted);

}  // namespace convkit
