// SPDX-License-Identifier: MIT
// The privileges of root that a confined program does without.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace convkit {

// Leaves the effective and permitted capabilities empty; with no_new_privs, exec does not bring
// them back. For root, CAP_DAC_OVERRIDE stays, so that it can read a kit or a submission that lies
// in another user's private folder, as the grader itself does; which files those are is for the
// other layers to decide.
void drop_capabilities();

// What a user other than root may keep, through exec as well.
enum class Kept {
  nothing,
  reading,  // of every file that the other layers let it see: CAP_DAC_READ_SEARCH
  files,    // CAP_DAC_OVERRIDE, for a program that gives it up by itself (lockdown.h)
};

// From root to this user and group for good. `devices`: files that their group may use; the
// program joins these groups. False, with errno, where this process may not change its user.
bool become_user(uid_t user, gid_t group, Kept kept, const std::vector<std::string>& devices);

}  // namespace convkit
