// SPDX-License-Identifier: MIT
// What the tests of processes share: folders, a descriptor that tells who is still alive, and the
// sandbox's layers, one by one.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "process/file_descriptor.h"
#include "process/layers.h"
#include "process/process.h"
#include "process/sandbox.h"
#include "process/sandbox_user.h"

namespace convkit::testing {

inline const std::string kHostile = CONVKIT_HOSTILE_PROGRAM;
inline const std::string kConfine = CONVKIT_CONFINE_PROGRAM;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "convkit-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
    open_to_sandbox(path_, true);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name, const std::string& content = "secret") const {
    std::ofstream(path_ / name) << content;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

// A pipe whose writing end is passed to processes: closed when the last of them is gone, in
// whatever process table that was.
class SignOfLife {
 public:
  SignOfLife() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) std::abort();
    reading_ = FileDescriptor(ends[0]);
    writing_ = FileDescriptor(ends[1]);
  }
  PassedFd passed() const { return {writing_.get(), 3}; }
  // Waits for the end of all holders; false if they live on.
  bool all_gone() {
    writing_.reset();
    pollfd fd{reading_.get(), POLLIN, 0};
    constexpr int kPatienceMs = 10'000;
    return poll(&fd, 1, kPatienceMs) == 1 && (fd.revents & POLLHUP) != 0;
  }

 private:
  FileDescriptor reading_, writing_;
};

// The signal that ended the parent program, which passes `life` on. Its child is not ours to end,
// as it would be if a Process ran the parent.
inline int signal_of_parent(const SignOfLife& life, const char* deed,
                            const char* confine = nullptr) {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const pid_t parent = fork();
  if (parent == 0) {
    dup2(life.passed().fd, life.passed().child_fd);
    execl(CONVKIT_PARENT_PROGRAM, CONVKIT_PARENT_PROGRAM, deed, CONVKIT_HOSTILE_PROGRAM, confine,
          nullptr);
    _exit(1);
  }
  int status = 0;
  waitpid(parent, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

// Waits for the end of what signal_of_parent() has left; false if some of it lives on.
inline bool orphans_end() {
  constexpr int kPatienceMs = 10'000;
  for (int waited = 0; waited < kPatienceMs; ++waited) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    if (waitpid(-1, nullptr, WNOHANG) < 0) return true;  // there is no child
    usleep(1000);
  }
  return false;
}

struct NamedLayers {
  const char* name;
  Layers layers;
};

// What this machine has of: each layer on top of the weaker ones, and each alone. With root's own
// user where the grader would have it.
inline std::vector<NamedLayers> available_layers() {
  const SandboxProbe& probe = probe_sandbox(kConfine);
  std::vector<NamedLayers> result;
  for (const NamedLayers& each : {NamedLayers{"no layer", {}},
                                  {"limits", {true, false, false, false}},
                                  {"limits and Landlock", {true, true, false, false}},
                                  {"limits, Landlock and seccomp", {true, true, true, false}},
                                  {"all layers", {true, true, true, true}},
                                  {"only seccomp", {false, false, true, false}},
                                  {"only bubblewrap", {false, false, false, true}}}) {
    const Layers& layers = each.layers;
    if (layers.landlock && probe.landlock_abi == 0) continue;
    if (layers.seccomp && !probe.seccomp) continue;
    if (layers.bubblewrap && !probe.bubblewrap) continue;
    result.push_back(each);
    result.back().layers.user = probe.user && layers.limits && layers.landlock;
  }
  return result;
}

inline Command hostile(std::vector<std::string> deed) {
  Command command;
  command.argv = std::move(deed);
  command.argv.insert(command.argv.begin(), kHostile);
  return command;
}

// Runs the hostile program in a sandbox of these layers.
inline Completed attempt(const Layers& layers, std::vector<std::string> deed,
                         const Confinement& confinement = {}, const Limits& limits = {},
                         std::vector<PassedFd> fds = {}) {
  Command command = hostile(std::move(deed));
  command.fds = std::move(fds);
  Limits bounded = limits;
  if (bounded.wall.count() == 0) bounded.wall = std::chrono::seconds(60);
  return run_process(confined_by(layers, command, confinement, bounded, kConfine), bounded);
}

}  // namespace convkit::testing
