// SPDX-License-Identifier: MIT
// The privileges of root that a confined program does without.
#pragma once

namespace convkit {

// Leaves the effective and permitted capabilities empty; with no_new_privs, exec does not bring
// them back. For root, CAP_DAC_OVERRIDE stays, so that it can read a kit or a submission that lies
// in another user's private folder, as the grader itself does; which files those are is for the
// other layers to decide.
void drop_capabilities();

}  // namespace convkit
