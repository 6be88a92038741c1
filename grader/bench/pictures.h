// SPDX-License-Identifier: MIT
// The results of `bench` as pictures.
#pragma once

#include <string>

#include "bench/results.h"
#include "drawing/charts.h"

namespace convkit {

// `device`: where the figures were found, "one core".
BarChart picture_of(const LadderResult& result, const std::string& device);
HeatMap picture_of(const SweepResult& result, const std::string& device);
GroupedBars picture_of(const ChartResult& result, const std::string& device);

}  // namespace convkit
