// SPDX-License-Identifier: MIT
// What a runner can and cannot do after lock_down().
#include <csignal>

#include "arena.h"
#include "catch.h"
#include "process/lockdown.h"

using namespace convkit;
using namespace convkit::testing;

namespace {

Completed locked(std::vector<std::string> deed, const std::string& how = "--locked") {
  deed.insert(deed.begin(), how);
  Limits limits;
  limits.wall = std::chrono::seconds(60);
  return run_process(hostile(std::move(deed)), limits);
}

bool filter_works() {
  if (probe_sandbox(kConfine).seccomp) return true;
  WARN("skipped: no system-call filter here");
  return false;
}

std::string own_pid() {
  return std::to_string(getpid());
}

}  // namespace

TEST_CASE("honest work goes on in a locked-down runner") {
  if (!filter_works()) return;
  for (const std::string how : {"--locked", "--locked-gpu", "--locked-sanitizer"}) {
    const auto [ending, output] = locked({"honest"}, how);
    CHECK(ending.kind == Ending::Kind::exited);
    CHECK(output == "caught 2097152 of 4");
  }
}

TEST_CASE("a locked-down runner reads files and abort still aborts") {
  if (!filter_works()) return;
  CHECK(locked({"read", "/etc/passwd"}).ending.code == 0);
  CHECK(locked({"abort"}).ending.signal == SIGABRT);
  CHECK(locked({"raise", "11"}).ending.signal == SIGSEGV);
  CHECK(locked({"overflow"}).ending.signal == SIGSEGV);
  CHECK(locked({"exit", "5"}).ending.code == 5);
}

TEST_CASE("attacks of a locked-down runner are trapped and named") {
  if (!filter_works()) return;
  for (const std::string how : {"--locked", "--locked-gpu"}) {
    CHECK(locked({"socket"}, how).output == "trapped socket");
    CHECK(locked({"fork"}, how).output == "trapped clone");
    CHECK(locked({"clone"}, how).output == "trapped clone");
    CHECK(locked({"fork-bomb", "60"}, how).output == "trapped clone");
    CHECK(locked({"exec", "/bin/true"}, how).output == "trapped execve");
    CHECK(locked({"trace", own_pid()}, how).output == "trapped ptrace");
    CHECK(locked({"kill-parent"}, how).output == "trapped kill");
    CHECK(locked({"signal", "-1", "0"}, how).output == "trapped kill");
    CHECK(locked({"namespace"}, how).output == "trapped unshare");
  }
}

TEST_CASE("writing, pinning and limits are refused to a locked-down runner") {
  if (!filter_works()) return;
  const TemporaryFolder folder;
  CHECK(locked({"write", folder.path() / "new"}).ending.code == EPERM);
  CHECK(locked({"remove", folder.file("victim")}).ending.code == EPERM);
  CHECK(locked({"pin"}).ending.code == EPERM);
  CHECK(locked({"raise-limit"}).ending.code == EPERM);
  CHECK(locked({"session"}).ending.code == EPERM);
}

TEST_CASE("an unlisted system call looks like one of a newer kernel") {
  if (!filter_works()) return;
  constexpr const char* kLandlockRestrictSelf = "446";
  CHECK(locked({"call", kLandlockRestrictSelf}).ending.code == ENOSYS);
}

TEST_CASE("a sanitizer may start its symbolizer but reaches no network") {
  if (!filter_works()) return;
  CHECK(locked({"fork"}, "--locked-sanitizer").ending.code == 0);
  CHECK(locked({"exec", "/bin/true"}, "--locked-sanitizer").ending.code == 0);
  CHECK(locked({"socket"}, "--locked-sanitizer").output == "trapped socket");
}

TEST_CASE("lockdown works inside every layer of the sandbox") {
  if (!filter_works()) return;
  for (const auto& [name, layers] : available_layers()) {
    INFO("under " << name);
    CHECK(attempt(layers, {"--locked", "honest"}).output == "caught 2097152 of 4");
    CHECK(attempt(layers, {"--locked", "exec", "/bin/true"}).output == "trapped execve");
    CHECK(attempt(layers, {"--locked", "abort"}).ending.signal == SIGABRT);
  }
}
