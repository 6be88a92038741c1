// SPDX-License-Identifier: MIT
#include "cpu_device/cc/arguments.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "convkit/kit_error.h"
#include "cpu_device/cc/cuda_libraries.h"
#include "cpu_device/cc/nvcc_options.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using Item = CcArguments::Item;
using Meaning = NvccOption::Meaning;
using Mode = CcArguments::Mode;
using Value = NvccOption::Value;

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& arguments)
      : waiting_(arguments.rbegin(), arguments.rend()) {}

  CcArguments run() {
    while (!waiting_.empty()) {
      const std::string argument = next();
      if (argument.size() < 2 || argument[0] != '-') {
        input(argument);
      } else if (const NvccOption* option = find_nvcc_option(argument)) {
        take(*option, argument);
      } else {
        host(argument);
      }
    }
    finish();
    return std::move(cc_);
  }

 private:
  std::string next() {
    std::string argument = std::move(waiting_.back());
    waiting_.pop_back();
    return argument;
  }

  // The value in `argument` or after it.
  std::string value_of(const NvccOption& option, const std::string& argument) {
    const bool two_dashes = argument.starts_with("--");
    const std::string name = argument.substr(two_dashes ? 2 : 1);
    for (const std::string_view spelled : {option.name, option.other}) {
      if (spelled.empty() || !name.starts_with(spelled)) continue;
      const std::string rest = name.substr(spelled.size());
      if (rest.starts_with("=")) return rest.substr(1);
      if (!rest.empty() && option.value == Value::prefixed && spelled == option.other) return rest;
      if (rest.empty()) break;
    }
    if (waiting_.empty()) throw UsageError(fmt::format("{} needs a value.", argument));
    return next();
  }

  void take(const NvccOption& option, const std::string& argument) {
    std::string value;
    // -O alone is a level.
    const bool alone = option.meaning == Meaning::optimise && argument == "-O";
    if (option.value != Value::none && !alone) value = value_of(option, argument);
    switch (option.meaning) {
      case Meaning::ignored:
        if (option.name == "default-stream" && value == "per-thread") {
          throw UsageError(
              "--default-stream per-thread is not supported by the CPU device; "
              "create streams with cudaStreamCreate.");
        }
        break;
      case Meaning::refused:
        throw UsageError(
            fmt::format("{} is not for the CPU device: {}.", argument, option.spelling));
      case Meaning::compiler:
        flag(std::string(option.spelling));
        if (option.value != Value::none) flag(value);
        break;
      case Meaning::list_compiler:
        for (const std::string& each : split(value)) host(each);
        break;
      case Meaning::list_linker:
        for (const std::string& each : split(value)) {
          link("-Xlinker");
          link(each);
        }
        break;
      case Meaning::include:
        for (const std::string& folder : split_folders(value)) include(folder);
        break;
      case Meaning::system_include:
        for (const std::string& folder : split_folders(value)) {
          if (is_cuda_toolkit(folder)) continue;
          flag("-isystem");
          flag(folder);
        }
        break;
      case Meaning::macro:
        cc_.macros.push_back(value.substr(0, value.find_first_of("=(")));
        flag("-D" + value);
        break;
      case Meaning::undefine:
        flag("-U" + value);
        break;
      case Meaning::library:
        if (is_refused_library(value)) throw UsageError(about_refused_library(value));
        if (const std::string ours = stand_in_library(value); !ours.empty()) {
          cc_.libraries.push_back(ours);
        } else if (!is_cuda_runtime_library(value)) {
          link("-l" + value);
        }
        break;
      case Meaning::library_folder:
        link("-L" + value);
        break;
      case Meaning::output:
        cc_.output = value;
        break;
      case Meaning::standard:
        cc_.standard = standard_flag(value);
        break;
      case Meaning::optimise:
        cc_.optimisation = "-O" + value;
        break;
      case Meaning::language:
        language_ = value;
        break;
      case Meaning::host_compiler:
        cc_.compiler = value;
        break;
      case Meaning::debug_device:
        cc_.device_debug = true;
        flag("-g");
        break;
      case Meaning::relocatable:
        cc_.relocatable = value == "true";
        break;
      case Meaning::mode_relocatable_objects:
        cc_.relocatable = true;
        [[fallthrough]];
      case Meaning::mode_objects:
        cc_.mode = Mode::objects;
        break;
      case Meaning::mode_preprocess:
        cc_.mode = Mode::preprocessed;
        break;
      case Meaning::mode_dependencies:
        cc_.mode = Mode::dependencies;
        flag(option.other == "MM" ? "-MM" : "-M");
        break;
      case Meaning::mode_device_link:
        cc_.mode = Mode::device_link;
        break;
      case Meaning::mode_version:
        cc_.mode = Mode::version;
        break;
      case Meaning::dependency_file:
        cc_.dependency_file = value;
        break;
      case Meaning::writes_dependencies:
        cc_.writes_dependencies = true;
        flag(std::string(option.spelling));
        break;
      case Meaning::shared:
        cc_.shared = true;
        flag("-fPIC");
        break;
      case Meaning::warnings_off:
        flag("-w");
        break;
      case Meaning::errors:
        errors();
        break;
      case Meaning::check:
        cc_.check = true;
        break;
      case Meaning::profile:
        cc_.profile = true;
        break;
      case Meaning::dry_run:
        cc_.dry_run = true;
        break;
      case Meaning::verbose:
        cc_.verbose = true;
        break;
      case Meaning::keep:
        cc_.keep = true;
        break;
      case Meaning::keep_folder:
        cc_.keep_folder = value;
        break;
      case Meaning::options_file:
        for (const std::string& file : split(value)) read_options(file);
        break;
    }
  }

  void include(const std::string& folder) {
    if (is_cuda_toolkit(folder)) return;
    cc_.include_folders.emplace_back(folder);
    flag("-I" + folder);
  }

  // nvcc's -Werror names kinds of warnings, g++'s does not.
  void errors() {
    static const std::vector<std::string> kKinds = {
        "all-warnings",           "cross-execution-space-call", "reorder",
        "default-stream-launch",  "missing-launch-bounds",      "ext-lambda-captures-this",
        "deprecated-declarations"};
    if (!waiting_.empty()) {
      const std::vector<std::string> kinds = split(waiting_.back());
      if (std::any_of(kinds.begin(), kinds.end(), [](const std::string& kind) {
            return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
          })) {
        next();
        if (std::find(kinds.begin(), kinds.end(), "all-warnings") == kinds.end()) return;
      }
    }
    flag("-Werror");
  }

  void read_options(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw UsageError(fmt::format("The options file {} cannot be read.", file));
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    if (++options_files_ > 20) throw UsageError("Options files include each other in a loop.");
    waiting_.insert(waiting_.end(), words.rbegin(), words.rend());
  }

  // An option of the compiler's own.
  void host(const std::string& argument) {
    if (argument.starts_with("-Wl,")) {
      link(argument);
    } else if (argument.starts_with("--Werror=") || argument.starts_with("-Werror=all-warnings")) {
      waiting_.push_back(argument.substr(argument.find('=') + 1));
      errors();
    } else if (argument.starts_with("-fdiagnostics-") ||
               argument == "-fno-diagnostics-show-caret") {
      return;  // messages are read here
    } else if (argument.starts_with("--")) {
      throw UsageError(fmt::format("There is no option {}. See ./convkit cc --help.", argument));
    } else {
      flag(argument);
      cc_.link_flags.push_back(argument);
    }
  }

  void flag(const std::string& text) { cc_.flags.push_back(text); }
  void link(const std::string& text) { cc_.items.push_back({Item::Kind::link, text, ""}); }

  void input(const std::string& file) {
    const std::string extension = fs::path(file).extension().string();
    const std::string language = language_.empty() ? extension : "." + language_;
    if (language == ".cu") {
      cc_.items.push_back({Item::Kind::cuda, file, ""});
    } else if (language == ".c") {
      cc_.items.push_back({Item::Kind::source, file, "c"});
    } else if (language == ".c++" || language == ".cpp" || language == ".cc" ||
               language == ".cxx" || language == ".C") {
      cc_.items.push_back({Item::Kind::source, file, "c++"});
    } else if (language == ".ptx" || language == ".cubin" || language == ".fatbin") {
      throw UsageError(fmt::format("{} holds GPU code; the CPU device compiles source.", file));
    } else if (language == ".cuh" || language == ".h" || language == ".hpp") {
      throw UsageError(fmt::format("{} is a header; name the .cu file that includes it.", file));
    } else {
      link(file);  // objects, archives, shared libraries
    }
  }

  void finish() {
    if (cc_.mode == Mode::version) return;
    const bool sources = std::any_of(cc_.items.begin(), cc_.items.end(), [](const Item& item) {
      return item.kind != Item::Kind::link;
    });
    if (cc_.items.empty() ||
        (!sources && cc_.mode != Mode::program && cc_.mode != Mode::device_link)) {
      throw UsageError("No input file. Name at least one .cu file. See ./convkit cc --help.");
    }
    if (cc_.check && cc_.profile) {
      throw UsageError("--check and --profile are two programs: compile once with each.");
    }
    const auto count = std::count_if(cc_.items.begin(), cc_.items.end(), [](const Item& item) {
      return item.kind != Item::Kind::link;
    });
    const bool one_each = cc_.mode == Mode::objects || cc_.mode == Mode::preprocessed;
    if (one_each && count > 1 && !cc_.output.empty()) {
      throw UsageError("-o names one file, but several files are compiled with -c or -E.");
    }
    for (const Item& item : cc_.items) {
      std::error_code error;
      if (!cc_.output.empty() && std::filesystem::equivalent(item.text, cc_.output, error)) {
        throw UsageError(fmt::format("-o {} is an input file, too.", cc_.output));
      }
    }
  }

  std::vector<std::string> waiting_;  // the next one is the last
  std::string language_;
  CcArguments cc_;
  unsigned options_files_ = 0;
};

}  // namespace

CcArguments read_cc_arguments(const std::vector<std::string>& arguments) {
  return Reader(arguments).run();
}

}  // namespace convkit
