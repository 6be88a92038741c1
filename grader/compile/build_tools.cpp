// SPDX-License-Identifier: MIT
#include "compile/build_tools.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <mutex>

#include "compile/diagnostics.h"
#include "convkit/temporary_folder.h"
#include "process/process.h"
#include "process/resource_limits.h"
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

constexpr std::chrono::seconds kEmptyProgram{20};

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
    case Ending::Kind::own_timeout:
    case Ending::Kind::wall_timeout:
    case Ending::Kind::cpu_timeout:
      return BuildResult::Status::timed_out;
    case Ending::Kind::starved:
      return BuildResult::Status::no_compiler;
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
  limits.own = request.limits.build;
  limits.memory_bytes = kMostToolMemory;                       // of each process ...
  limits.resident_bytes = memory_of_machine(kMostToolMemory);  // ... and of all together
  limits.file_bytes = kMostToolFile;
  limits.processes = 64;
  limits.open_files = 256;
  limits.output_bytes = 256 << 10;
  limits.cut_output = true;  // thousands of warnings are no reason to lose the object
  return limits;
}

// By itself: a limit that was reached is a reason.
bool gave_no_reason(const Completed& completed) {
  const Ending& ending = completed.ending;
  const bool failed = (ending.kind == Ending::Kind::exited && ending.code != 0) ||
                      (ending.kind == Ending::Kind::signalled && ending.signal != SIGXFSZ);
  return failed && !was_killed(completed) && names_no_error(completed.output);
}

}  // namespace

BuildStep BuildTools::run(const BuildRequest& request, const std::vector<std::string>& argv,
                          const fs::path& scratch, const std::vector<fs::path>& readable) const {
  double used_s = 0;
  const auto try_once = [&] {
    BuildStep tried = run_once(request, argv, scratch, readable);
    tried.used_s = used_s += tried.used_s;
    return tried;
  };
  {
    const std::shared_lock lock(running_);
    BuildStep result = try_once();
    if (result.status != BuildResult::Status::no_compiler || result.starved) return result;
  }
  const std::lock_guard alone(running_);
  BuildStep result = try_once();
  if (result.no_reason) {
    std::string fault = why_nothing_compiles(request);
    if (fault.empty()) {
      result = try_once();
      if (result.no_reason) result.status = BuildResult::Status::failed;
    }
    result.fault = std::move(fault);
  }
  return result;
}

std::string BuildTools::why_nothing_compiles(const BuildRequest& request) const {
  const TemporaryFolder folder("build", scratch_place());
  const bool cuda = request.target == BuildTarget::gpu;
  const fs::path source = folder.path() / (cuda ? "empty.cu" : "empty.cpp");
  const fs::path object = folder.path() / "empty.o";
  std::ofstream(source) << "\n";
  BuildRequest own = request;
  own.folder = folder.path();
  own.limits.build = std::max(own.limits.build, kEmptyProgram);
  const fs::path compiler = cuda ? request.nvcc : toolchain.compiler;
  std::vector<fs::path> readable;
  if (cuda) readable.push_back(fs::canonical(compiler).parent_path().parent_path());
  const std::vector<std::string> argv = {compiler.string(), "-c", source.string(), "-o",
                                         object.string()};
  BuildStep step = run_once(own, argv, folder.path(), readable);
  if (step.status == BuildResult::Status::no_compiler && !step.starved) {
    step = run_once(own, argv, folder.path(), readable);
  }
  std::error_code error;
  if (step.status == BuildResult::Status::interrupted) return "";
  if (step.status == BuildResult::Status::ok && fs::exists(object, error)) return "";
  if (step.starved) {
    return fmt::format(
        "{} did not get to compile an empty program. The machine is too busy. The code was not "
        "judged.",
        compiler.string());
  }
  const std::string said = first_error(step.log);
  return fmt::format(
      "{} cannot compile an empty program{}{}. The code was not judged. Set CXX to a "
      "compiler that works.",
      compiler.string(), said.empty() ? "" : ": ", said);
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
  result.used_s = completed.ending.own_s;
  result.starved = completed.ending.kind == Ending::Kind::starved;
  result.no_reason = gave_no_reason(completed);
  result.status = result.no_reason ? BuildResult::Status::no_compiler : status_after(completed);
  return result;
}

}  // namespace convkit
