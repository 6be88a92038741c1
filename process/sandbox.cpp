// SPDX-License-Identifier: MIT
#include "process/sandbox.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

#include "process/bubblewrap.h"
#include "process/confine_options.h"
#include "process/layers.h"
#include "process/resource_limits.h"
#include "process/sandbox_user.h"
#include "process/spawn.h"

namespace convkit {
namespace {

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
