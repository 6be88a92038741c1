// SPDX-License-Identifier: MIT
// Activations of one number.
#pragma once

#include "cpu_device/dnn/descriptors.h"

namespace convkit::simt::dnn {

float activated(const cudnnActivationStruct& activation, float x);

// The derivative of the activation where its value is y.
float slope_at_value(const cudnnActivationStruct& activation, float y);

}  // namespace convkit::simt::dnn
