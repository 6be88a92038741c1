// SPDX-License-Identifier: MIT
// What students read of a network's operations.
#pragma once

#include <string>

#include "compare/network/program.h"

namespace convkit {

std::string kind_name(OpKind kind);  // "convolution", the same in all networks
std::string every_of(OpKind kind);   // "every convolution", "all parameters"
std::string capital(std::string text);

// "In conv1", "In the gradient of conv1's weights": where operations of this kind are.
std::string where_in(const NetworkOp& op, const std::string& place);

std::string left_out_sentence(const NetworkOp& op, const std::string& place);

}  // namespace convkit
