// SPDX-License-Identifier: MIT
// The seeds of cases that are drawn during grading. The same seed gives the same case on every
// machine.
#pragma once

#include <filesystem>
#include <random>
#include <string>

namespace convkit {

// The seed of the visible cases, which everybody may know.
inline constexpr const char* kVisibleSeed = "visible";
// The seed of a hidden set's cases. Only somebody who has the set can know it; the checksum of the
// set is not secret. Throws KitError where the manifest cannot be read.
std::string hidden_seed(const std::filesystem::path& manifest);
// A generator for one purpose: `seed` and `purpose` decide all that it yields.
std::mt19937_64 random_of(const std::string& seed, const std::string& purpose);

}  // namespace convkit
