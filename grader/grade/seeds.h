// SPDX-License-Identifier: MIT
// What cases that are drawn on the spot are drawn from. The same seed gives the same on every
// machine.
#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace convkit {

// Of the visible cases: everybody may know it.
inline constexpr const char* kVisibleSeed = "visible";
// What a hidden set's cases are drawn from: nobody has it who has not the set, whose checksum is
// no secret. Throws KitError where the manifest cannot be read.
std::string hidden_seed(const std::filesystem::path& manifest);
// Decided by what was handed in: the same files are given the same images every time, and a list
// of answers that is put into a source changes what is asked.
std::string seed_of_files(const std::filesystem::path& folder,
                          const std::vector<std::string>& files);

// A generator for one purpose: `seed` and `purpose` decide all that it yields.
std::mt19937_64 random_of(const std::string& seed, const std::string& purpose);

}  // namespace convkit
