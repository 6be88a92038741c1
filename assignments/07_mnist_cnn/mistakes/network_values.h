// SPDX-License-Identifier: MIT
// The small networks of a case as programs: what the passes are given, and what they give.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compare/diagnose.h"
#include "compare/network/passes.h"

namespace convkit::stage_07 {

// A parameter of the case, as a function takes it; 0 where the case has none of that name.
double number(const Evidence& evidence, const char* name);
int64_t whole(const Evidence& evidence, const char* name);

std::vector<double> input(const Evidence& evidence, const std::string& name);

std::optional<Architecture> architecture_of(const Evidence& evidence);

// All parameters of the network, from the inputs.
NetworkParameters given_parameters(NetworkProgram& program, const Architecture& network,
                                   const Evidence& evidence);

// What each parameter of a new network holds.
std::map<std::string, std::vector<double>> first_parameters(const Architecture& network,
                                                            int64_t seed);

// Adds what turns n images, a byte for each pixel, into numbers; these.
int add_pixels(NetworkProgram& program, const Architecture& network, int bytes, int64_t n);

// The value of the output that was got; -1 if there is none.
int value_of_output(const Evidence& evidence, const char* prefix, const NetworkParameters& values);

// The place of each image in an epoch.
std::vector<double> order_of_epoch(uint64_t seed, uint64_t epoch, int64_t count);

}  // namespace convkit::stage_07
