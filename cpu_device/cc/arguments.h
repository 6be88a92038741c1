// SPDX-License-Identifier: MIT
// The command line of `convkit cc`: nvcc's, as far as it means something without a GPU.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convkit {

struct CcArguments {
  enum class Mode {
    program,       // compile and link; a shared library with -shared
    objects,       // -c, -dc, -dw
    preprocessed,  // -E
    dependencies,  // -M, -MM
    device_link,   // -dlink: there is nothing left to do, so the object is empty
    version,       // --version
  };
  struct Item {
    enum class Kind { cuda, source, link };  // a .cu file, other source, something for the linker
    Kind kind;
    std::string text;
    std::string language;  // of other source, for -x
  };

  Mode mode = Mode::program;
  std::vector<Item> items;  // in order
  std::string output;
  std::string compiler;  // -ccbin
  std::string standard = "-std=gnu++17";
  std::string optimisation;        // "": the default
  std::vector<std::string> flags;  // of the compiler: -I, -D, -g, -Wall, ...
  std::vector<std::string> link_flags;
  std::vector<std::string> libraries;                  // of the kit, for CUDA's of -l
  std::vector<std::filesystem::path> include_folders;  // of -I, also among the flags
  std::vector<std::string> macros;                     // names from -D, also among the flags
  std::string dependency_file;                         // -MF
  bool writes_dependencies = false;                    // -MD, -MMD
  bool shared = false;
  bool device_debug = false;  // -G
  bool relocatable = false;   // -rdc=true, -dc: sources share variables in device memory
  bool check = false;
  bool profile = false;
  bool dry_run = false, verbose = false, keep = false;
  std::filesystem::path keep_folder = ".";
};

// Throws UsageError with one sentence: an option that needs a value and has none, no input, an
// option that only means something for a GPU's machine code.
CcArguments read_cc_arguments(const std::vector<std::string>& arguments);

}  // namespace convkit
