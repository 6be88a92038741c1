// SPDX-License-Identifier: MIT
#include "process/bubblewrap.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <set>
#include <span>
#include <utility>

#include "process/system_paths.h"

namespace convkit {
namespace {

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

}  // namespace

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

}  // namespace convkit
