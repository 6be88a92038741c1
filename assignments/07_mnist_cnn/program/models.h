// SPDX-License-Identifier: MIT
// The networks that can be trained by name.
#pragma once

#include <string>

namespace convkit::train {

// The text of "mlp", "lenet" or "cnn", or of the file of that name. Throws UsageError.
std::string model_text(const std::string& model);

}  // namespace convkit::train
