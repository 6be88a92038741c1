// SPDX-License-Identifier: MIT
// probe_sandbox(): each layer alone, around a program that tries what the layer must refuse.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <system_error>

#include "process/landlock.h"
#include "process/layers.h"
#include "process/probe_attempts.h"
#include "process/sandbox_user.h"

namespace convkit {
namespace {

constexpr const char* kCapped = " is switched off by CONVKIT_SANDBOX";

// A machine without memory, or a slip of its user, may end a trial; that says nothing about the
// layer.
constexpr int kTries = 3;

// Signals that somebody sends. The others are a program's own fault, such as SIGSYS.
bool is_sent(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP ||
         signal == SIGQUIT;
}

// Why a trial says nothing, or "".
std::string cut_short(const Ending& ending) {
  // bubblewrap tells of a signal by 128 and its number.
  const int signal = ending.kind == Ending::Kind::signalled ? ending.signal
                     : ending.kind == Ending::Kind::exited  ? ending.code - 128
                                                            : 0;
  if (is_sent(signal)) return "was ended by signal " + std::to_string(signal);
  return ending.kind == Ending::Kind::wall_timeout ? "did not end within 5 s" : "";
}

// Empty if a sandbox of only this layer refused `attempt`, else why not.
std::string why_not(const Layers& layer, int attempt, const std::filesystem::path& confine) {
  Command command;
  command.argv = {confine.string(), "--attempt"};
  Limits limits;
  limits.wall = std::chrono::seconds(5);
  std::string unsaid;
  for (int tried = 0; tried < kTries; ++tried) {
    try {
      const auto [ending, output] =
          run_process(confined_by(layer, command, {}, limits, confine), limits);
      if (interrupted()) throw InterruptedWhileProbing();
      unsaid = cut_short(ending);
      if (!unsaid.empty()) continue;
      if (ending.kind != Ending::Kind::exited || (ending.code & kAttempted) == 0) {
        return "the trial program did not end properly";
      }
      return (ending.code & attempt) == 0 ? "" : "a trial showed that it refuses nothing";
    } catch (const std::system_error& error) {
      if (interrupted()) throw InterruptedWhileProbing();
      if (error.code().value() != EINTR) return error.what();
      unsaid = "was killed before it began";
    }
  }
  throw std::runtime_error(
      "The sandbox cannot be measured: its trial program " + unsaid + ", " +
      std::to_string(kTries) +
      " times. Nothing was run in a weaker one. Is the machine out of memory?");
}

int probe_landlock(const std::filesystem::path& confine, std::vector<std::string>& missing) {
  const int abi = landlock_abi();
  if (abi == 0) {
    const int error = errno;
    const char* cause = error == EOPNOTSUPP ? "it is switched off at boot"
                        : error == ENOSYS   ? "the kernel was built without it"
                                            : "the kernel refuses it";
    missing.push_back(std::string("Landlock is not available: ") + cause +
                      " (ABI query failed: " + std::strerror(error) + ").");
    return 0;
  }
  const std::string reason = why_not({false, true, false, false}, kReadOutside, confine);
  if (reason.empty()) return abi;
  missing.push_back("Landlock does not work: " + reason + ".");
  return 0;
}

bool probe_seccomp(const std::filesystem::path& confine, std::vector<std::string>& missing) {
#if CONVKIT_HAVE_SECCOMP
  const std::string reason = why_not({false, false, true, false}, kOpenedSocket, confine);
  if (reason.empty()) return true;
  missing.push_back("seccomp does not work: " + reason + ".");
#else
  (void)confine;
  missing.push_back(
      "seccomp is not available: convkit was built without libseccomp (package libseccomp-dev).");
#endif
  return false;
}

bool probe_bubblewrap(const std::filesystem::path& confine, std::vector<std::string>& missing) {
  const std::string reason =
      why_not({false, false, false, true}, kReadOutside | kSawOthers, confine);
  if (reason.empty()) return true;
  missing.push_back("bubblewrap does not work: " + reason + ".");
  return false;
}

bool probe_user(const std::filesystem::path& confine, std::vector<std::string>& missing) {
  const std::string reason = why_not({false, false, false, false, true}, kIsRoot, confine);
  if (reason.empty() && sandbox_group()) return true;
  missing.push_back("Submissions run as root: " +
                    (reason.empty() ? std::string("no user number is free") : reason) + ".");
  return false;
}

}  // namespace

SandboxProbe try_layers(const std::filesystem::path& confine) {
  const Layers allowed = allowed_layers();
  SandboxProbe result;
  if (allowed.user && geteuid() == 0) result.user = probe_user(confine, result.missing);
  result.limits = allowed.limits;
  if (!allowed.limits)
    result.missing.push_back("Resource limits are switched off by CONVKIT_SANDBOX.");
  if (allowed.landlock) {
    result.landlock_abi = probe_landlock(confine, result.missing);
  } else {
    result.missing.push_back(std::string("Landlock") + kCapped + ".");
  }
  if (allowed.seccomp) {
    result.seccomp = probe_seccomp(confine, result.missing);
  } else {
    result.missing.push_back(std::string("seccomp") + kCapped + ".");
  }
  if (allowed.bubblewrap) {
    result.bubblewrap = probe_bubblewrap(confine, result.missing);
  } else {
    result.missing.push_back(std::string("bubblewrap") + kCapped + ".");
  }
  return result;
}

const SandboxProbe& probe_sandbox(const std::filesystem::path& confine) {
  static const SandboxProbe result = try_layers(confine);
  return result;
}

std::string SandboxProbe::description() const {
  std::string layers;
  const auto add = [&](const std::string& layer) {
    layers += (layers.empty() ? "" : " + ") + layer;
  };
  if (bubblewrap) add("bubblewrap");
  if (landlock_abi > 0) add("Landlock (ABI " + std::to_string(landlock_abi) + ")");
  if (seccomp) add("seccomp");
  if (limits) add("resource limits");
  if (user) add("own user");
  return layers.empty() ? "none" : layers;
}

}  // namespace convkit
