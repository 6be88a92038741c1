// SPDX-License-Identifier: MIT
// What a user's environment says to every command.
#pragma once

namespace convkit {

// Makes the folders that variables name absolute, for this process and its children: a compiler
// runs in another folder than this process does. Throws UsageError for a folder of temporary files
// that cannot be used, and for a CONVKIT_SANDBOX that nothing is.
void settle_environment();

}  // namespace convkit
