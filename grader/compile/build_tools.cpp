// SPDX-License-Identifier: MIT
#include "compile/build_tools.h"

#include <signal.h>

#include "compile/diagnostics.h"
#include "process/process.h"
#include "process/sandbox.h"
#include "process/sandbox_user.h"

namespace convkit {

namespace fs = std::filesystem;

std::string BuildTools::sandbox(const BuildRequest& request) const {
  return request.confined ? probe_sandbox(confine).description() : "unconfined";
}

fs::path BuildTools::scratch_place() const {
  return temporary_place_for_sandbox(!probe_sandbox(confine).bubblewrap);
}

fs::path BuildTools::within_reach(const BuildRequest& request, const fs::path& file,
                                  const fs::path& scratch) const {
  const SandboxProbe& sandbox = probe_sandbox(confine);
  if (!request.confined || !sandbox.user || sandbox_may_read(file, !sandbox.bubblewrap))
    return file;
  fs::copy_file(file, scratch / file.filename(), fs::copy_options::skip_existing);
  return scratch / file.filename();
}

namespace {

// A shell that wraps a compiler, and bubblewrap, tell of a signal by 128 and its number.
constexpr int kExitOfKilled = 128 + SIGKILL;

bool was_killed(const Completed& completed) {
  const Ending& ending = completed.ending;
  if (ending.kind == Ending::Kind::signalled) return ending.signal == SIGKILL;
  if (ending.kind != Ending::Kind::exited || ending.code == 0) return false;
  return ending.code == kExitOfKilled || tells_of_a_kill(completed.output);
}

BuildResult::Status status_after(const Completed& completed) {
  if (was_killed(completed)) return BuildResult::Status::no_compiler;
  switch (completed.ending.kind) {
    case Ending::Kind::exited:
      if (completed.ending.code == 0) return BuildResult::Status::ok;
      return why_compiler_gave_up(completed.output).value_or(BuildResult::Status::failed);
    case Ending::Kind::wall_timeout:
    case Ending::Kind::cpu_timeout:
      return BuildResult::Status::timed_out;
    case Ending::Kind::interrupted:
      return BuildResult::Status::interrupted;
    case Ending::Kind::signalled:
      return completed.ending.signal == SIGXFSZ ? BuildResult::Status::file_too_large
                                                : BuildResult::Status::compiler_crashed;
    case Ending::Kind::output_limit:
    case Ending::Kind::memory_limit:
      break;
  }
  return BuildResult::Status::out_of_memory;
}

Limits limits_of(const BuildRequest& request) {
  Limits limits;
  limits.wall = request.limits.build;
  limits.memory_bytes = kMostToolMemory;    // of each process ...
  limits.resident_bytes = kMostToolMemory;  // ... and of all together
  limits.file_bytes = kMostToolFile;
  limits.processes = 64;
  limits.open_files = 256;
  limits.output_bytes = 256 << 10;
  limits.cut_output = true;  // thousands of warnings are no reason to lose the object
  return limits;
}

}  // namespace

BuildStep BuildTools::run(const BuildRequest& request, const std::vector<std::string>& argv,
                          const fs::path& scratch, const std::vector<fs::path>& readable) const {
  BuildStep result = run_once(request, argv, scratch, readable);
  if (result.status != BuildResult::Status::no_compiler) return result;
  return run_once(request, argv, scratch, readable);
}

BuildStep BuildTools::run_once(const BuildRequest& request, const std::vector<std::string>& argv,
                               const fs::path& scratch,
                               const std::vector<fs::path>& readable) const {
  if (request.limits.build.count() <= 0) {  // the other files have used it up
    BuildStep ended;
    ended.status = BuildResult::Status::timed_out;
    return ended;
  }
  const Limits limits = limits_of(request);
  Command command;
  command.argv = argv;
  command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8",
                         "TMPDIR=" + scratch.string()};
  command.directory = request.folder;
  if (request.confined) {
    open_to_sandbox(scratch, true);
    Confinement confinement;
    confinement.profile = Confinement::Profile::compiler;
    confinement.executable = toolchain.compiler;
    confinement.read_only = readable;
    confinement.read_write = {scratch};
    confinement.hidden = request.kit;
    command = confined(command, confinement, limits, confine);
  }
  const Completed completed = run_process(command, limits);
  BuildStep result;
  result.log = completed.output;
  result.status = status_after(completed);
  return result;
}

}  // namespace convkit
