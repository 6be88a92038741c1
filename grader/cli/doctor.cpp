// SPDX-License-Identifier: MIT
// `doctor`: what this machine can do, and what is lost where something is missing.
#include <dlfcn.h>
#include <fmt/core.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/commands.h"
#include "cli/device_choice.h"
#include "convkit/datasets.h"
#include "convkit/kit_error.h"
#include "cpu_device/cc/toolchain.h"
#include "grade/depends.h"
#include "grade/stage_grader.h"
#include "json_text.h"
#include "machine/console.h"
#include "machine/python.h"
#include "process/sandbox.h"
#include "stage/cases.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

void line(const char* what, const std::string& state) {
  fmt::print("{:<12} {}\n", what, state);
}

// What <folder>/include or a library search finds, without building anything.
bool header_exists(const char* header) {
  for (const char* folder : {"/usr/include", "/usr/local/include"}) {
    if (fs::exists(fs::path(folder) / header)) return true;
  }
  return false;
}

// The library that multiplies for cuBLAS on the CPU device.
std::string cublas_state() {
  const std::string own = "on the CPU device with the kit's own loops, several times slower";
#ifdef CONVKIT_OPENBLAS_LIBRARY
  // A package knows only its name: the loader finds it, as it does for a program.
  if (dlopen(CONVKIT_OPENBLAS_LIBRARY, RTLD_LAZY | RTLD_LOCAL)) {
    return fmt::format("on the CPU device with OpenBLAS ({}), on one thread",
                       CONVKIT_OPENBLAS_LIBRARY);
  }
  return fmt::format(
      "{}: the kit was built with the OpenBLAS {}, which is no "
      "longer there (apt-get install libopenblas0)",
      own, CONVKIT_OPENBLAS_LIBRARY);
#else
  return own + " than with OpenBLAS (apt-get install libopenblas0, then build again)";
#endif
}

// The library that convolves for cuDNN on the CPU device.
std::string cudnn_state() {
  const std::string own = "on the CPU device with the kit's own loops, several times slower";
#ifdef CONVKIT_DNNL_LIBRARY
  if (fs::exists(CONVKIT_DNNL_LIBRARY)) {
    return fmt::format("on the CPU device with oneDNN ({}), on one thread", CONVKIT_DNNL_LIBRARY);
  }
  return fmt::format(
      "{}: the kit was built with the oneDNN {}, which is no "
      "longer there (apt-get install libdnnl-dev)",
      own, CONVKIT_DNNL_LIBRARY);
#else
  return own + " than with oneDNN (apt-get install libdnnl-dev, then build again)";
#endif
}

// Each returns how many problems it found.
int tell_toolchain(const Kit& kit) {
  int problems = 0;
  const Toolchain toolchain = Toolchain::find();
  if (toolchain.compiler.empty()) {
    line("compiler", "MISSING: nothing can be checked or graded. apt-get install g++");
    ++problems;
  } else {
    line("compiler", fmt::format("{} ({})", toolchain.version, toolchain.compiler.string()));
    try {
      const std::string linker = kit.builder().working_linker();
      line("linker", linker.empty()
                         ? "the compiler's own (mold or lld would make checks a little faster)"
                         : linker);
    } catch (const KitError& error) {
      line("linker", error.what());
      ++problems;
    }
  }
  return problems;
}

int tell_stages(const Kit& kit) {
  int problems = 0;
  for (const Stage& stage : kit.stages) {
    try {
      kit.runner(stage);
      load_cases(kit.visible_cases(stage), stage);  // throws what is wrong with the files
      StageOptions visible;
      visible.hidden = false;
      const StageGrader grader(kit, stage, {}, {}, visible);
      line(stage.id.c_str(),
           fmt::format("{} visible cases, {} points{}", grader.all_cases().size(),
                       stage.max_points(),
                       fs::exists(kit.hidden_cases(stage)) ? ", and hidden cases" : ""));
    } catch (const KitError& error) {
      line(stage.id.c_str(), error.what());
      ++problems;
    }
  }
  for (const BrokenStage& stage : kit.broken) {
    line(stage.id.c_str(), stage.fault);
    ++problems;
  }
  return problems;
}

int run_doctor(const Kit& kit) {
  int problems = 0;
  utsname system{};
  uname(&system);
  line("convkit", fmt::format("{} in {}", kit.version, kit.root.string()));
  line("system", fmt::format("{} {} on {}, {} CPUs", system.sysname, system.release, system.machine,
                             std::thread::hardware_concurrency()));

  problems += tell_toolchain(kit);
  const SandboxProbe& sandbox = probe_sandbox(kit.confine());
  line("sandbox", sandbox.description());
  for (const std::string& missing : sandbox.missing) line("", missing);
#ifdef CONVKIT_HAVE_LIBARCHIVE
  line("archives", "zip, tar, tar.gz, tar.xz");
#else
  line("archives", "only folders: built without libarchive (apt-get install libarchive-dev)");
#endif

  try {
    line("python",
         fmt::format("{} with NumPy: references can be generated", find_python().string()));
  } catch (const UsageError& error) {
    line("python", fmt::format("{} Checking and grading work without it.", error.what()));
  }
  line("oneDNN", header_exists("oneapi/dnnl/dnnl.hpp")
                     ? "found: `bench` compares with it"
                     : "not found: `bench` leaves it out (apt-get install libdnnl-dev)");
  try {
    line("digits", load_images(Dataset::mnist, Split::test, kit.root, 10).source);
  } catch (const std::exception& error) {
    line("digits", error.what());
    ++problems;
  }
  std::string why_not;
  const Device gpu = find_gpu(kit.programs, why_not);
  line("GPU", gpu.gpu ? fmt::format("{} ({}), {}", gpu.name, gpu.architecture, gpu.nvcc.string())
                      : fmt::format("no GPU can be used: {}", why_not));
  line("CPU device",
       "runs GPU stages without a GPU: has the limits of compute capability 9.0, gives no times");
  line("cuBLAS", cublas_state());
  line("cuDNN", cudnn_state());
  problems += tell_stages(kit);
  fmt::print("{}\n", problems == 0 ? "Everything the kit needs is here."
                                   : "Something the kit needs is missing; see above.");
  return problems == 0 ? 0 : 3;
}

// For programs that ask whether a grading would be the same today.
int tell_what_verdicts_depend_on(const Kit& kit, const std::vector<std::string>& names) {
  std::vector<const Stage*> stages;
  for (const std::string& name : names) stages.push_back(&kit.stage(name));
  const nlohmann::ordered_json depends = depends_of(kit, stages, true);
  std::fputs(json_text(depends).c_str(), stdout);
  return 0;
}

class DoctorCommand final : public CliCommand {
 public:
  DoctorCommand() : CliCommand("doctor", "what this machine can do", "./convkit doctor") {}

  void declare(const Options& options) override {
    device_.declare(options);
    options.flag("--depends", depends_,
                 "print, as JSON, what verdicts depend on: the `depends` of results");
    options.value("--stage", stages_, "with --depends: of this stage, too (may be repeated)");
  }
  int run(Kit& kit) override {
    if (!depends_) return run_doctor(kit);
    device_.apply(kit, stages_);
    return tell_what_verdicts_depend_on(kit, stages_);
  }

 private:
  DeviceChoice device_;
  std::vector<std::string> stages_;
  bool depends_ = false;
};

}  // namespace

std::unique_ptr<CliCommand> doctor_command() {
  return std::make_unique<DoctorCommand>();
}

}  // namespace convkit
