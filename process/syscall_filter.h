// SPDX-License-Identifier: MIT
// The seccomp filter of convkit-confine, for compilers and runners alike: calls that no compiler
// and no convolution needs, and that reach other processes, the network or the kernel's inside.
// A runner adds a much stricter one itself, when it needs no exec any more (lockdown.h).
#pragma once

namespace convkit {

// Refused calls fail with EPERM, those that programs probe for with ENOSYS. Returns whether the
// filter is in force; needs no_new_privs.
bool install_syscall_filter();

}  // namespace convkit
