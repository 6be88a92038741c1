// SPDX-License-Identifier: MIT
// Checks that the kit can compute with a shape from a spec, a file or a command line.
#pragma once

#include <string>

#include "convkit/conv2d_shape.h"

namespace convkit {

// Empty, or one sentence naming the field and its value: sizes, strides, dilations and groups are
// at least 1, pads at least 0; groups divides c and m; the dilated kernel fits the padded input;
// oh() and ow() can be computed in int; every tensor's size in bytes (float32 and float64) fits 64
// bits. When it is empty, all members of the shape are safe to call.
std::string check_shape(const Conv2dShape& shape);

// The same for pooling, where moreover each pad is less than the kernel, so that every window
// holds at least one element of the input.
std::string check_shape(const Pool2dShape& shape);

}  // namespace convkit
