// SPDX-License-Identifier: MIT
#include "process/capabilities.h"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace convkit {

void drop_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  if (syscall(SYS_capget, &header, data) != 0) return;
  constexpr unsigned kKept = 1u << CAP_DAC_OVERRIDE;
  data[0] = {data[0].effective & kKept, data[0].permitted & kKept, 0};
  data[1] = {};
  syscall(SYS_capset, &header, data);
}

}  // namespace convkit
