// SPDX-License-Identifier: MIT
#include "process/capabilities.h"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace convkit {
namespace {

bool set_capabilities(uint32_t mask) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  data[0] = {mask, mask, mask};
  return syscall(SYS_capset, &header, data) == 0;
}

std::vector<gid_t> groups_of(const std::vector<std::string>& devices) {
  std::vector<gid_t> groups;
  for (const std::string& device : devices) {
    struct stat status {};
    const bool only_for_group = stat(device.c_str(), &status) == 0 && status.st_gid != 0 &&
                                (status.st_mode & S_IRWXG) != 0 && (status.st_mode & S_IRWXO) == 0;
    if (only_for_group) groups.push_back(status.st_gid);
  }
  return groups;
}

}  // namespace

void drop_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  if (syscall(SYS_capget, &header, data) != 0) return;
  constexpr unsigned kKept = 1u << CAP_DAC_OVERRIDE;
  data[0] = {data[0].effective & kKept, data[0].permitted & kKept, 0};
  data[1] = {};
  syscall(SYS_capset, &header, data);
}

bool become_user(uid_t user, gid_t group, Kept kept, const std::vector<std::string>& devices) {
  const unsigned capability = kept == Kept::files ? CAP_DAC_OVERRIDE : CAP_DAC_READ_SEARCH;
  const uint32_t mask = kept == Kept::nothing ? 0 : 1u << capability;
  const std::vector<gid_t> groups = groups_of(devices);
  return setgroups(groups.size(), groups.data()) == 0 && setresgid(group, group, group) == 0 &&
         prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0 && setresuid(user, user, user) == 0 &&
         set_capabilities(mask) &&
         (mask == 0 || prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0) == 0);
}

}  // namespace convkit
