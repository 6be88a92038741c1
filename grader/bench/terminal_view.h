// SPDX-License-Identifier: MIT
// The results of `bench` for people. Each text ends with a new line; a table is shown as soon as it
// is found, so headings are apart from tables.
#pragma once

#include <string>

#include "bench/results.h"

namespace convkit {

std::string heading(const BenchTimes& result);
std::string table(const TimedShape& shape, double fma_peak_flops);
std::string summary(const BenchTimes& result);

// For shapes that were not measured, as the time was over; "" if there are none.
std::string sentence_on_left_out(const std::vector<std::string>& shapes);

std::string heading(const BenchCounts& result);
std::string table(const CountedShapeRows& shape);

std::string heading(const LadderResult& result);
std::string table(const LadderResult& result);

std::string table(const SweepResult& result);

std::string table(const Chart& chart, const ChartFigures& figures);

}  // namespace convkit
