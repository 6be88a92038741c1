// SPDX-License-Identifier: MIT
// Where the variables of a kernel change.
#pragma once

#include "cpu_device/rewrite/kernel_body.h"

namespace convkit::rewrite {

// Fills in `changes`: where they may change, that is, where it is not sure that they do not. False:
// a pointer to one of them may live longer than the statement that makes it.
bool find_changes(KernelBody& kernel);

}  // namespace convkit::rewrite
