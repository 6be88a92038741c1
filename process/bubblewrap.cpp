// SPDX-License-Identifier: MIT
#include "process/bubblewrap.h"

#include <unistd.h>

#include <initializer_list>
#include <span>
#include <utility>

#include "process/system_paths.h"

namespace convkit {
namespace {

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
      const bool below = path == bound || path.rfind(bound + "/", 0) == 0;
      if (below && (bound_by == option || bound_by == "--ro-bind-try")) return;
    }
    add(option, path);
  }
  void add(const std::string& option, const std::string& path) {
    arguments_.insert(arguments_.end(), {option, path, path});
    bound_.emplace_back(option, path);
  }
  void append(std::initializer_list<std::string> words) {
    arguments_.insert(arguments_.end(), words);
  }
  std::vector<std::string> take() { return std::move(arguments_); }

 private:
  std::vector<std::string> arguments_;
  std::vector<std::pair<std::string, std::string>> bound_;  // option, path
};

}  // namespace

std::vector<std::string> bubblewrap_arguments(const std::string& bwrap,
                                              const ConfineOptions& options,
                                              const std::string& confine,
                                              const std::string& directory) {
  // No --new-session: Process has started a session already, and stops and kills its group.
  View view({bwrap, "--unshare-pid", "--as-pid-1", "--unshare-net", "--unshare-ipc",
             "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent"});
  // Root needs no user namespace; inside one, it could not enter folders of other users.
  if (geteuid() != 0) view.append({"--unshare-user"});

  view.add_all("--ro-bind-try", system_folders());
  if (options.profile == Confinement::Profile::compiler) {
    view.add_all("--ro-bind-try", toolchain_folders());
  }
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
  view.append({"--remount-ro", "/", "--chdir", directory, "--"});
  return view.take();
}

}  // namespace convkit
