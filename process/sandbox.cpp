// SPDX-License-Identifier: MIT
#include "process/sandbox.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "process/confine_options.h"
#include "process/layers.h"
#include "process/resource_limits.h"
#include "process/sandbox_user.h"
#include "process/spawn.h"
#include "process/system_paths.h"

namespace convkit {
namespace {

// The command line of bubblewrap: namespaces with a minimal, read-only view of the machine.

namespace fs = std::filesystem;

// Builds the arguments; a path that is visible already is not bound again: bubblewrap could not
// put a mount point on a symbolic link, such as /usr/bin/c++, in a tree that is read-only.
class View {
 public:
  explicit View(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {}

  void add_all(const char* option, std::span<const char* const> paths) {
    for (const char* path : paths) add(option, path);
  }
  void add_unless_visible(const char* option, const std::string& path) {
    for (const auto& [bound_by, bound] : bound_) {
      const std::string& seen = bound;  // clang 14 captures no structured binding
      const bool covered = std::ranges::any_of(covered_, [&](const fs::path& place) {
        return lies_in(path, place) && !lies_in(seen, place);
      });
      if (lies_in(path, bound) && !covered && (bound_by == option || bound_by == "--ro-bind-try")) {
        return;
      }
    }
    add(option, path);
  }
  // Puts an empty folder over `hidden` in each folder bound so far that shows it: /usr/lib and /lib
  // are the same.
  void cover(const std::string& hidden) {
    for (const auto& [option, bound] : bound_) {
      std::error_code error;
      const fs::path folder = fs::canonical(bound, error);
      if (!error && lies_in(hidden, folder)) {
        covered_.push_back(bound / fs::path(hidden).lexically_relative(folder));
        append({"--tmpfs", covered_.back().string()});
      }
    }
  }
  void write_protect_covered() {
    for (const fs::path& place : covered_) append({"--remount-ro", place.string()});
  }
  // The folders on the way that bubblewrap makes by itself are open to nobody but root.
  void add(const std::string& option, const std::string& path) {
    for (const fs::path& folder : folders_on_the_way(path)) {
      if (made_.insert(folder.string()).second) append({"--dir", folder.string()});
    }
    arguments_.insert(arguments_.end(), {option, path, path});
    bound_.emplace_back(option, path);
  }
  void append(std::initializer_list<std::string> words) {
    arguments_.insert(arguments_.end(), words);
  }
  std::vector<std::string> take() { return std::move(arguments_); }

 private:
  // From the top, without "/".
  static std::vector<fs::path> folders_on_the_way(const fs::path& path) {
    std::vector<fs::path> folders;
    for (fs::path at = path.parent_path(); at.has_relative_path(); at = at.parent_path()) {
      folders.insert(folders.begin(), at);
    }
    return folders;
  }

  std::vector<std::string> arguments_;
  std::set<std::string> made_;
  std::vector<std::pair<std::string, std::string>> bound_;  // option, path
  std::vector<fs::path> covered_;
};

// Everything before the program: a new process table, network, System V IPC, host name and file
// tree, in which the paths of `options` and `confine` are where they are outside, and the working
// directory is `directory`. Descriptors survive; the program is the namespace's init.
std::vector<std::string> bubblewrap_arguments(const std::string& bwrap,
                                              const ConfineOptions& options,
                                              const std::string& confine,
                                              const std::string& directory) {
  // No --new-session: Process has started a session already, and stops and kills its group.
  // No --die-with-parent: a bubblewrap that dies while it starts leaves a child that waits for it
  // forever. convkit-confine ends everything when the grader is gone.
  View view({bwrap, "--unshare-pid", "--as-pid-1", "--unshare-net", "--unshare-ipc",
             "--unshare-uts", "--unshare-cgroup-try"});
  // Root needs no user namespace; inside one, it could not enter folders of other users.
  if (geteuid() != 0) view.append({"--unshare-user"});

  view.add_all("--ro-bind-try", system_folders());
  if (options.profile == Confinement::Profile::compiler) {
    view.add_all("--ro-bind-try", toolchain_folders());
  }
  if (!options.hidden.empty()) view.cover(options.hidden);
  view.add_all("--ro-bind-try", system_settings());
  view.add_all("--dev-bind-try", harmless_devices());
  view.append({"--proc", "/proc"});
  view.add("--ro-bind-try", "/sys/devices/system");
  for (const auto& path : options.read_only) view.add_unless_visible("--ro-bind", path);
  for (const auto& path : options.read_write) view.add("--bind", path);
  for (const auto& path : options.devices) view.add("--dev-bind", path);
  if (!options.executable.empty()) view.add_unless_visible("--ro-bind", options.executable);
  view.add_unless_visible("--ro-bind", confine);
  // The tree that holds those mounts is a memory file system, writable until here.
  view.write_protect_covered();
  view.append({"--remount-ro", "/", "--chdir", directory, "--"});
  return view.take();
}

std::string absolute_text(const std::filesystem::path& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

std::vector<std::string> absolute_text(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::string> result;
  for (const auto& path : paths) result.push_back(absolute_text(path));
  return result;
}

int free_descriptor(const std::vector<PassedFd>& fds) {
  int highest = 2;
  for (const auto& fd : fds) highest = std::max(highest, fd.child_fd);
  return highest + 1;
}

// Whether the sandbox's user can reach all that it is granted, without a capability.
bool all_in_reach(const ConfineOptions& options, bool by_path) {
  const auto may_read = [&](const std::string& path) { return sandbox_may_read(path, by_path); };
  struct stat status {};
  const bool executable =
      stat(options.executable.c_str(), &status) == 0 && (status.st_mode & S_IXOTH) != 0;
  return executable && may_read(options.executable) &&
         std::ranges::all_of(options.read_only, may_read) &&
         std::ranges::all_of(options.read_write, may_read);
}

ConfineOptions confine_options(const Layers& layers, const Command& command,
                               const Confinement& confinement, const Limits& limits) {
  ConfineOptions options;
  options.profile = confinement.profile;
  options.landlock = layers.landlock;
  options.seccomp = layers.seccomp;
  options.read_only = absolute_text(confinement.read_only);
  options.read_write = absolute_text(confinement.read_write);
  options.devices = absolute_text(confinement.devices);
  if (!confinement.hidden.empty()) options.hidden = absolute_text(confinement.hidden);
  options.argv = command.argv;
  options.argv.at(0) = find_program(command.argv.at(0)).string();
  options.executable =
      confinement.executable.empty() ? options.argv[0] : absolute_text(confinement.executable);
  if (layers.user && sandbox_group()) {
    const auto user = user_for_one_program();
    if (!user) throw std::system_error(EAGAIN, std::generic_category(), "no user number is free");
    options.user = *user;
    options.group = *sandbox_group();
    options.keeps_reading = !all_in_reach(options, !layers.bubblewrap);
  }
  if (layers.limits) {
    options.limits = with_running_threads(
        limits, options.user != 0 ? static_cast<uid_t>(options.user) : geteuid());
  }
  options.report_fd = free_descriptor(command.fds);
  return options;
}

}  // namespace

Layers allowed_layers() {
  const char* variable = std::getenv("CONVKIT_SANDBOX");
  const std::string strongest = variable != nullptr ? variable : "bubblewrap";
  if (strongest == "none") return {};
  if (strongest == "limits") return {true, false, false, false};
  if (strongest == "landlock") return {true, true, false, false, true};
  if (strongest == "seccomp") return {true, true, true, false, true};
  if (strongest == "bubblewrap") return {true, true, true, true, true};
  throw std::invalid_argument(
      "CONVKIT_SANDBOX is 'none', 'limits', 'landlock', 'seccomp' or 'bubblewrap', not '" +
      strongest + "'");
}

Command confined_by(const Layers& layers, const Command& command, const Confinement& confinement,
                    const Limits& limits, const std::filesystem::path& confine) {
  const ConfineOptions options = confine_options(layers, command, confinement, limits);
  const std::string program = absolute_text(confine);
  Command result = command;
  result.confined_program = options.argv[0];
  result.report_fd = options.report_fd;
  if (result.directory.empty()) {
    result.directory = options.read_write.empty() ? "/" : options.read_write[0];
  }
  result.argv = {program};
  if (layers.bubblewrap) {
    result.ends_by_confine = true;
    const std::string bwrap = find_program("bwrap").string();
    result.argv = bubblewrap_arguments(bwrap, options, program, absolute_text(result.directory));
    result.argv.push_back(program);
  }
  const auto arguments = to_arguments(options);
  result.argv.insert(result.argv.end(), arguments.begin(), arguments.end());
  return result;
}

Command confined(const Command& command, const Confinement& confinement, const Limits& limits,
                 const std::filesystem::path& confine) {
  const SandboxProbe& probe = probe_sandbox(confine);
  const Layers layers{probe.limits, probe.landlock_abi > 0, probe.seccomp, probe.bubblewrap,
                      probe.user};
  return confined_by(layers, command, confinement, limits, confine);
}

}  // namespace convkit
