// SPDX-License-Identifier: MIT
#include "process/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "process/file_descriptor.h"

namespace convkit {
namespace {

// The same numbers on all architectures Linux has Landlock on.
constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;

struct RulesetAttributes {
  uint64_t handled_files;
  uint64_t handled_network;  // from ABI 4
  uint64_t scoped;           // from ABI 6
};

struct __attribute__((packed)) PathBeneath {
  uint64_t allowed;
  int32_t parent_fd;
};

constexpr unsigned kQueryVersion = 1;
constexpr int kRulePathBeneath = 1;

enum Files : uint64_t {
  execute = 1u << 0,
  write_file = 1u << 1,
  read_file = 1u << 2,
  read_folder = 1u << 3,
  all_of_abi_1 = (1u << 13) - 1,  // up to creating symbolic links
  make_char = 1u << 6,
  make_block = 1u << 11,
  refer = 1u << 13,      // ABI 2: rename and link between folders
  truncate = 1u << 14,   // ABI 3
  ioctl_dev = 1u << 15,  // ABI 5
};
constexpr uint64_t kTcpBindAndConnect = 3;
constexpr uint64_t kAbstractSocketsAndSignals = 3;

// Rights that are valid for something that is not a folder; the kernel refuses others there.
constexpr uint64_t kOfFiles = execute | write_file | read_file | truncate | ioctl_dev;

uint64_t handled_files(int abi) {
  uint64_t handled = all_of_abi_1;
  if (abi >= 2) handled |= refer;
  if (abi >= 3) handled |= truncate;
  if (abi >= 5) handled |= ioctl_dev;
  return handled;
}

uint64_t rights(unsigned access) {
  uint64_t result = 0;
  if (access & PathRule::read) result |= read_file | read_folder;
  if (access & PathRule::execute) result |= execute;
  if (access & PathRule::list) result |= read_folder;
  if (access & PathRule::device) result |= read_file | write_file | ioctl_dev;
  if (access & PathRule::write) {
    // Everything but running what was written, and devices.
    result |= (all_of_abi_1 | refer | truncate) & ~(execute | make_char | make_block);
  }
  return result;
}

void grant(int ruleset, const PathRule& rule, uint64_t handled) {
  const FileDescriptor place(open(rule.path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status {};
  if (!place || fstat(place.get(), &status) != 0) return;
  PathBeneath beneath{rights(rule.access) & handled, place.get()};
  if (!S_ISDIR(status.st_mode)) beneath.allowed &= kOfFiles;
  syscall(kAddRule, ruleset, kRulePathBeneath, &beneath, 0);
}

}  // namespace

int landlock_abi() {
  const long abi = syscall(kCreateRuleset, nullptr, 0, kQueryVersion);
  return abi > 0 ? static_cast<int>(abi) : 0;
}

bool restrict_by_landlock(const std::vector<PathRule>& rules) {
  const int abi = landlock_abi();
  if (abi < 1) return false;
  RulesetAttributes attributes{handled_files(abi), 0, 0};
  if (abi >= 4) attributes.handled_network = kTcpBindAndConnect;
  if (abi >= 6) attributes.scoped = kAbstractSocketsAndSignals;
  // Fields the kernel does not know yet are zero, which it accepts.
  const FileDescriptor ruleset(
      static_cast<int>(syscall(kCreateRuleset, &attributes, sizeof attributes, 0)));
  if (!ruleset) return false;
  for (const auto& rule : rules) grant(ruleset.get(), rule, attributes.handled_files);
  return syscall(kRestrictSelf, ruleset.get(), 0) == 0;
}

}  // namespace convkit
