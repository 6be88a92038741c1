// SPDX-License-Identifier: MIT
// The results of `bench` for programs: what --json writes.
#pragma once

#include <filesystem>
#include <string>

#include "bench/results.h"

namespace convkit {

std::string to_json(const BenchTimes& result);
std::string to_json(const BenchCounts& result);
std::string to_json(const LadderResults& results);
std::string to_json(const SweepResults& results);
std::string to_json(const ChartResults& results);

// The figures of one combination, kept in the cache. from_json() leaves the cell as it is and
// returns false where the text is not what to_json() wrote.
std::string to_json(const SweepCell& cell);
bool from_json(const std::string& text, SweepCell& cell);

}  // namespace convkit
