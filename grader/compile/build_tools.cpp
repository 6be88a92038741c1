// SPDX-License-Identifier: MIT
#include "compile/build_tools.h"

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

BuildStep BuildTools::run(const BuildRequest& request, std::vector<std::string> argv,
                          const fs::path& scratch, const std::vector<fs::path>& readable) const {
  if (request.limits.build.count() <= 0) {  // the other files have used it up
    BuildStep ended;
    ended.status = BuildResult::Status::timed_out;
    return ended;
  }
  Limits limits;
  limits.wall = request.limits.build;
  limits.memory_bytes = 4ull << 30;    // of each process ...
  limits.resident_bytes = 4ull << 30;  // ... and of all together
  limits.file_bytes = 256ull << 20;
  limits.processes = 64;
  limits.open_files = 256;
  limits.output_bytes = 256 << 10;
  Command command;
  command.argv = std::move(argv);
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
  switch (completed.ending.kind) {
    case Ending::Kind::exited:
      if (completed.ending.code != 0) {
        result.status =
            out_of_resources(result.log) ? BuildResult::Status::limit : BuildResult::Status::failed;
      }
      break;
    case Ending::Kind::wall_timeout:
    case Ending::Kind::cpu_timeout:
      result.status = BuildResult::Status::timed_out;
      break;
    case Ending::Kind::interrupted:
      result.status = BuildResult::Status::interrupted;
      break;
    case Ending::Kind::signalled:
    case Ending::Kind::output_limit:
    case Ending::Kind::memory_limit:
      result.status = BuildResult::Status::limit;
      break;
  }
  return result;
}

}  // namespace convkit
