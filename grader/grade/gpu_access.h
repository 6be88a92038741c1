// SPDX-License-Identifier: MIT
// What a runner on a real GPU needs beyond what other runners may have.
#pragma once

#include "session/session.h"

namespace convkit {

// Adds the driver's device files and libraries, and loosens the limits that its own bookkeeping
// (address space as large as all memory, shared files, threads) would hit.
void allow_gpu(SessionOptions& options);

}  // namespace convkit
