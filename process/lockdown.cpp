// SPDX-License-Identifier: MIT
// An allow-list, not a deny-list: a convolution needs little (memory, threads, time, reading), and
// these needs are easier to know than everything that an attack could use. A newer kernel adds
// nothing to the list. A call that is not listed fails with ENOSYS, which C libraries can handle; a
// call that only an attack or a misunderstanding makes traps, so that the report can name it. A
// GPU's driver and sanitizers make calls nobody documents: for them everything but the traps is
// allowed.
#include "process/lockdown.h"

#if CONVKIT_HAVE_SECCOMP
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>

#include "process/lockdown_calls.h"

namespace convkit {
namespace {

// Conditions on argument number `index`, from 0. (The macros of seccomp.h are C, not C++.)
scmp_arg_cmp equal(unsigned index, uint64_t value) {
  return {index, SCMP_CMP_EQ, value, 0};
}
scmp_arg_cmp unequal(unsigned index, uint64_t value) {
  return {index, SCMP_CMP_NE, value, 0};
}
scmp_arg_cmp masked(unsigned index, uint64_t mask, uint64_t value) {
  return {index, SCMP_CMP_MASKED_EQ, mask, value};
}

class Filter {
 public:
  explicit Filter(uint32_t by_default)
      : by_default_(by_default), context_(seccomp_init(by_default), seccomp_release) {}

  void add(uint32_t action, int call, std::initializer_list<scmp_arg_cmp> arguments = {}) {
    if (error_ != 0 || action == by_default_)
      return;  // libseccomp refuses a rule that says nothing
    error_ = seccomp_rule_add_array(context_.get(), action, call,
                                    static_cast<unsigned>(arguments.size()), arguments.begin());
  }
  void allow(int call, std::initializer_list<scmp_arg_cmp> arguments = {}) {
    add(SCMP_ACT_ALLOW, call, arguments);
  }

  // Zero or an errno.
  int load() {
    if (!context_) return ENOMEM;
    if (error_ == 0) error_ = seccomp_load(context_.get());
    return -error_;
  }

 private:
  uint32_t by_default_;
  std::unique_ptr<void, decltype(&seccomp_release)> context_;
  int error_ = 0;
};

// System calls take these arguments as 32-bit values; the upper half may hold anything.
constexpr uint64_t kInt = 0xffffffffu;

// A signal may go to this process and no other.
void add_signals(Filter& filter) {
  const auto self = static_cast<uint64_t>(getpid());
  for (const int call :
       {SCMP_SYS(kill), SCMP_SYS(tgkill), SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo)}) {
    filter.allow(call, {equal(0, self)});
    filter.add(SCMP_ACT_TRAP, call, {unequal(0, self)});
  }
}

// The handler that names a refused call stays: with another one a submission would survive the call
// and hide it. (Blocking SIGSYS hides nothing: the kernel then ends the process by it.)
void add_handlers(Filter& filter) {
  const int call = SCMP_SYS(rt_sigaction);
  static_assert(SIGSYS == 31);  // all of the lower five bits, and no other: 1 to 64 are signals
  for (const uint64_t bit : {1, 2, 4, 8, 16}) filter.allow(call, {masked(0, bit, 0)});
  for (const uint64_t bit : {32, 64}) filter.allow(call, {masked(0, bit, bit)});
  filter.allow(call, {masked(0, kInt, SIGSYS), equal(1, 0)});  // it may be asked for
  filter.add(SCMP_ACT_ERRNO(EPERM), call, {masked(0, kInt, SIGSYS), unequal(1, 0)});
}

// clone() may make a thread, not a process. clone3() has its flags in memory, where a filter cannot
// look: refused in a way that makes the C library use clone().
void add_threads(Filter& filter) {
  filter.add(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
  filter.allow(SCMP_SYS(clone), {masked(0, CLONE_THREAD, CLONE_THREAD)});
  filter.add(SCMP_ACT_TRAP, SCMP_SYS(clone), {masked(0, CLONE_THREAD, 0)});
  for (const int call : {SCMP_SYS(fork), SCMP_SYS(vfork)}) filter.add(SCMP_ACT_TRAP, call);
}

// Files may be opened for reading. (openat2 has its flags in memory: unknown, as on old kernels.)
void add_opening(Filter& filter) {
  constexpr uint64_t kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  filter.allow(SCMP_SYS(open), {masked(1, kWriting, 0)});
  filter.allow(SCMP_SYS(openat), {masked(2, kWriting, 0)});
  for (const uint64_t flag : {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC}) {
    const auto bit = static_cast<uint64_t>(flag);
    filter.add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(open), {masked(1, bit, bit)});
    filter.add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(openat), {masked(2, bit, bit)});
  }
}

// Calls that are many in one: only what a C library does with them.
void add_multiplexed(Filter& filter) {
  for (const uint64_t command : kAllowedFcntl) {
    filter.allow(SCMP_SYS(fcntl), {masked(1, kInt, command)});
  }
  for (const uint64_t request : kAllowedIoctl) {
    filter.allow(SCMP_SYS(ioctl), {masked(1, kInt, request)});
  }
  for (const uint64_t option : kAllowedPrctl) {
    filter.allow(SCMP_SYS(prctl), {masked(0, kInt, option)});
  }
  // Limits may be read, not set; messages go to the other end of what is open, not to an address.
  filter.allow(SCMP_SYS(prlimit64), {equal(2, 0)});
  filter.add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), {unequal(2, 0)});
  filter.allow(SCMP_SYS(sendto), {equal(4, 0)});
}

// convkit-confine leaves some to a runner that needs them to read its own files.
void give_up_capabilities() {
  if (getuid() == 0) return;  // unconfined, as root is on its own machine
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
  syscall(SYS_capset, &header, none);
}

}  // namespace

std::string lock_down(const LockdownOptions& options) {
  give_up_capabilities();
  const bool open_ended = options.gpu || options.sanitizer;
  Filter filter(open_ended ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(ENOSYS));
  for (const int call : kTrapped) filter.add(SCMP_ACT_TRAP, call);
  if (!options.sanitizer) {
    for (const int call : kTrappedUnlessSanitizer) filter.add(SCMP_ACT_TRAP, call);
    add_threads(filter);
    add_signals(filter);
    add_handlers(filter);
  }
  if (!open_ended) {
    for (const int call : kAllowed) filter.allow(call);
    for (const int call : kHarmless) filter.add(SCMP_ACT_ERRNO(EPERM), call);
    add_opening(filter);
    add_multiplexed(filter);
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return std::string("The system-call filter needs no_new_privs: ") + std::strerror(errno) + ".";
  }
  const int error = filter.load();
  if (error == 0) return {};
  return std::string("The system-call filter could not be installed: ") + std::strerror(error) +
         ".";
}

std::string system_call_name(int number) {
  const std::unique_ptr<char, decltype(&std::free)> name(
      seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number), std::free);
  return name ? name.get() : "number " + std::to_string(number);
}

}  // namespace convkit

#else

namespace convkit {

std::string lock_down(const LockdownOptions&) {
  return "The system-call filter is not available: convkit was built without libseccomp.";
}

std::string system_call_name(int number) {
  return "number " + std::to_string(number);
}

}  // namespace convkit

#endif
