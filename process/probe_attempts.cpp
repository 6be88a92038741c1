// SPDX-License-Identifier: MIT
#include "process/probe_attempts.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace convkit {

int attempt_what_is_refused() {
  int outcome = kAttempted;
  if (open(kFileOutside, O_RDONLY | O_CLOEXEC) >= 0) outcome |= kReadOutside;
  if (socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) >= 0) outcome |= kOpenedSocket;
  if (getppid() != 1) outcome |= kSawOthers;  // in its own pid namespace, convkit-confine is init
  if (geteuid() == 0) outcome |= kIsRoot;
  return outcome;
}

}  // namespace convkit
