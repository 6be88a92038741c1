// SPDX-License-Identifier: MIT
// Ctrl-C, seen from every thread that waits for a child.
#pragma once

namespace convkit {

// Readable, for good, once the user has interrupted; -1 while no handler is installed.
int interrupt_fd();

}  // namespace convkit
