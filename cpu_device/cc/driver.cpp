// SPDX-License-Identifier: MIT
#include "cpu_device/cc/driver.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "convkit/temporary_folder.h"
#include "cpu_device/cc/precompiled_header.h"
#include "cpu_device/cc/toolchain.h"
#include "process/process.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using Item = CcArguments::Item;
using Mode = CcArguments::Mode;

}  // namespace

struct CcDriver::Job {
  const CcDriver& driver;
  const CcArguments& cc;
  const TemporaryFolder scratch{"cc"};
  SimtOptions options;
  CcResult result;
  unsigned count = 0;

  Job(const CcDriver& of, const CcArguments& arguments) : driver(of), cc(arguments) {
    if (cc.check) options.mode = SimtMode::check;
    if (cc.profile) options.mode = SimtMode::profile;
    options.clang = driver.toolchain_.is_clang();
  }

  bool failed() const { return result.exit_code != 0; }

  // Runs a command and returns what it said; its exit code becomes the result's.
  std::string run(const std::vector<std::string>& argv) {
    if (cc.dry_run || cc.verbose) {
      (cc.dry_run ? result.output : result.messages) += shell_line(argv);
      if (cc.dry_run) return {};
    }
    const Completed completed = run_tool(argv);
    if (completed.ending.kind == Ending::Kind::interrupted) {
      result.exit_code = 130;
    } else if (completed.ending.kind != Ending::Kind::exited) {
      result.exit_code = 1;
      result.messages +=
          fmt::format("{} was ended by signal {}.\n", argv.front(), completed.ending.signal);
    } else if (completed.ending.code != 0) {
      result.exit_code = completed.ending.code;
    }
    return completed.output;
  }

  static Completed run_tool(const std::vector<std::string>& argv) {
    Command command;
    command.argv = argv;
    command.environment = compiler_environment();
    Limits limits;
    limits.output_bytes = 64 << 20;
    return run_process(command, limits);
  }

  // A separate folder for one source.
  fs::path next_folder() {
    const fs::path folder = scratch.path() / std::to_string(count++);
    fs::create_directories(folder);
    return folder;
  }

  std::vector<std::string> common_flags() const {
    std::vector<std::string> flags = {cc.standard};
    // These two set their own optimisation level: above it, accesses move to other lines.
    if (!cc.check && !cc.profile) {
      const std::string usual = cc.device_debug ? "-O0" : "-O2";
      flags.push_back(cc.optimisation.empty() ? usual : cc.optimisation);
    }
    flags.insert(flags.end(), cc.flags.begin(), cc.flags.end());
    return flags;
  }

  // -c, -E or -M for one source that is to become `output`.
  std::vector<std::string> action(const fs::path& output) const {
    std::vector<std::string> flags;
    if (cc.mode == Mode::preprocessed) flags.push_back("-E");
    if (cc.mode == Mode::objects || cc.mode == Mode::program) flags.push_back("-c");
    flags.insert(flags.end(), {"-o", output.string()});
    return flags;
  }

  void compile_cuda(const Item& item, const fs::path& output) {
    TranslationUnitRequest request;
    request.folder = fs::current_path();
    request.file = item.text;
    request.include_folders = cc.include_folders;
    request.macros = cc.macros;
    if (cc.relocatable) request.device_code = rewrite::DeviceCode::relocatable;
    request.scratch = next_folder();
    const SimtCompile compile = prepare_simt_compile(driver.kit_, request, options);
    keep(compile);
    result.messages += compile.messages();
    if (compile.failed()) {
      result.exit_code = 1;
      return;
    }
    compile.write();
    std::vector<std::string> flags = simt_flags(options);
    std::vector<std::string> own = common_flags();
    if (compile.unit.wants_concepts && !options.clang) own.push_back("-fconcepts");
    flags.insert(flags.end(), own.begin(), own.end());
    use_precompiled_header(flags, compile);

    std::vector<std::string> argv = {driver.toolchain_.compiler.string()};
    argv.insert(argv.end(), compile.arguments.begin(), compile.arguments.end());
    argv.insert(argv.end(), own.begin(), own.end());
    const fs::path rule = request.scratch / "rule.d";
    if (cc.writes_dependencies) {
      argv.insert(argv.end(), {"-MF", rule.string()});
      if (!names_target()) argv.insert(argv.end(), {"-MQ", output.string()});
    }
    if (cc.mode == Mode::dependencies && !names_target()) {
      argv.insert(argv.end(), {"-MQ", fs::path(item.text).stem().string() + ".o"});
    }
    const std::vector<std::string> last = action(output);
    argv.push_back(compile.source().string());
    argv.insert(argv.end(), last.begin(), last.end());
    result.messages += compile.mend(run(argv));
    if (failed() || cc.dry_run) return;
    if (cc.writes_dependencies) write_dependencies(compile, rule, output);
    if (cc.mode == Mode::dependencies) {
      const std::string text = compile.mend_rule(file_text(output));
      std::ofstream(output) << text;
    }
  }

  bool names_target() const {
    return std::find(cc.flags.begin(), cc.flags.end(), "-MT") != cc.flags.end();
  }

  void write_dependencies(const SimtCompile& compile, const fs::path& rule,
                          const fs::path& output) const {
    fs::path file = cc.dependency_file;
    if (file.empty()) file = fs::path(output).replace_extension(".d");
    std::ofstream(file) << compile.mend_rule(file_text(rule));
  }

  void use_precompiled_header(const std::vector<std::string>& flags, const SimtCompile& compile) {
    // Rules would name it, and preprocessed text would lack it.
    if (cc.dry_run || cc.writes_dependencies || cc.mode == Mode::dependencies ||
        cc.mode == Mode::preprocessed) {
      return;
    }
    PrecompiledHeaderRequest request;
    request.compiler = driver.toolchain_.compiler;
    request.version = driver.toolchain_.version;
    request.clang = options.clang;
    request.flags = flags;
    request.headers = driver.kit_.headers;
    request.cache = driver.cache_;
    request.scratch = compile.scratch;
    const auto header = precompiled_header(request, [](const std::vector<std::string>& argv) {
      const Completed completed = run_tool(argv);
      return completed.ending.kind == Ending::Kind::exited && completed.ending.code == 0;
    });
    if (header) convkit::use_precompiled_header(*header, compile.prefix);
  }

  void keep(const SimtCompile& compile) const {
    if (!cc.keep) return;
    for (const RewrittenFile& file : compile.unit.files) {
      const fs::path kept =
          cc.keep_folder / (fs::path(file.name).filename().string() + ".convkit.cpp");
      std::ofstream out(kept, std::ios::binary);
      out << file.text;
      if (!out) throw UsageError(fmt::format("{} cannot be written.", kept.string()));
    }
  }

  // Host code: the kit's headers are there for it, and nothing is rewritten.
  void compile_source(const Item& item, const fs::path& output) {
    std::vector<std::string> argv = {driver.toolchain_.compiler.string(), "-x", item.language,
                                     "-isystem", driver.kit_.headers.string()};
    for (std::string& flag : common_flags()) {
      if (item.language == "c" && flag == cc.standard) continue;
      argv.push_back(std::move(flag));
    }
    if (cc.writes_dependencies && !cc.dependency_file.empty()) {
      argv.insert(argv.end(), {"-MF", cc.dependency_file});
    }
    argv.push_back(item.text);
    const std::vector<std::string> last = action(output);
    argv.insert(argv.end(), last.begin(), last.end());
    result.messages += run(argv);
  }

  // The output of each source.
  fs::path output_of(const Item& item) {
    if (cc.mode == Mode::program) {
      return next_folder() / (fs::path(item.text).stem().string() + ".o");
    }
    if (!cc.output.empty()) return cc.output;
    if (cc.mode == Mode::objects) return fs::path(item.text).stem().string() + ".o";
    return next_folder() / "text";
  }

  void compile_all() {
    std::vector<std::string> linked;
    for (const Item& item : cc.items) {
      if (item.kind == Item::Kind::link) {
        linked.push_back(item.text);
        continue;
      }
      const fs::path output = output_of(item);
      if (item.kind == Item::Kind::cuda) {
        compile_cuda(item, output);
      } else {
        compile_source(item, output);
      }
      if (result.exit_code == 130) return;
      linked.push_back(output.string());
      const bool printed = cc.mode == Mode::preprocessed || cc.mode == Mode::dependencies;
      if (printed && cc.output.empty()) result.output += file_text(output);
    }
    if (cc.mode == Mode::program && !failed()) link(linked);
  }

  void link(const std::vector<std::string>& files) {
    std::vector<std::string> argv = {driver.toolchain_.compiler.string()};
    if (cc.shared) argv.push_back("-shared");
    argv.insert(argv.end(), files.begin(), files.end());
    argv.insert(argv.end(), cc.link_flags.begin(), cc.link_flags.end());
    const std::vector<std::string> kit = driver.kit_.link_flags(options, cc.libraries);
    argv.insert(argv.end(), kit.begin(), kit.end());
    argv.insert(argv.end(), {"-o", cc.output.empty() ? "a.out" : cc.output});
    // Objects made for this run are in a scratch folder; the linker's messages name them.
    result.messages += replaced(run(argv), scratch.path().string() + "/", "");
  }

  // With one compilation for all, device code is linked like other code.
  void device_link() {
    const fs::path source = next_folder() / "empty.cpp";
    std::ofstream(source) << "";
    result.messages += run({driver.toolchain_.compiler.string(), "-c", source.string(), "-o",
                            cc.output.empty() ? "a_dlink.o" : cc.output});
  }
};

int print(const CcResult& result) {
  std::fputs(result.messages.c_str(), stderr);
  std::fwrite(result.output.data(), 1, result.output.size(), stdout);
  return result.exit_code;
}

CcDriver::CcDriver(SimtKit kit, Toolchain toolchain, fs::path cache, std::string version)
    : kit_(std::move(kit)),
      toolchain_(std::move(toolchain)),
      cache_(std::move(cache)),
      version_(std::move(version)) {}

CcResult CcDriver::run(const CcArguments& arguments) {
  if (!arguments.compiler.empty()) {
    const std::string compiler = cxx_compiler(arguments.compiler);
    if (find_on_path(compiler).empty()) {
      throw UsageError(
          fmt::format("-ccbin {}: there is no compiler {}.", arguments.compiler, compiler));
    }
    setenv("CXX", compiler.c_str(), 1);
    toolchain_ = Toolchain::find();
  }
  if (toolchain_.compiler.empty()) {
    throw UsageError(
        "No C++ compiler was found on PATH. On Debian and Ubuntu: apt-get install g++.");
  }
  Job job(*this, arguments);
  switch (arguments.mode) {
    case Mode::version:
      job.result.output = fmt::format("convkit cc {}: CUDA C++ for the CPU, with {}\n", version_,
                                      toolchain_.version);
      break;
    case Mode::device_link:
      job.device_link();
      break;
    default:
      job.compile_all();
  }
  return std::move(job.result);
}

}  // namespace convkit
