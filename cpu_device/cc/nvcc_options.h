// SPDX-License-Identifier: MIT
// nvcc's options and what they mean for the CPU device.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace convkit {

struct NvccOption {
  enum class Value {
    none,
    separate,  // -name value, -name=value
    prefixed,  // also -namevalue, as in -Ifolder
  };
  enum class Meaning {
    ignored,         // about a GPU's machine code, or about nvcc itself
    refused,         // `advice` says why
    compiler,        // for the compiler under the long name's host spelling, `spelling`
    list_compiler,   // -Xcompiler a,b
    list_linker,     // -Xlinker a,b
    include,         // -I
    system_include,  // -isystem
    macro,           // -D
    undefine,        // -U
    library,         // -l
    library_folder,  // -L
    output,
    standard,
    optimise,
    language,  // -x
    host_compiler,
    debug_device,
    relocatable,  // -rdc
    mode_objects,
    mode_relocatable_objects,
    mode_preprocess,
    mode_dependencies,
    mode_device_link,
    mode_version,
    dependency_file,
    writes_dependencies,
    shared,
    warnings_off,
    errors,  // -Werror [kinds]
    check,
    profile,
    dry_run,
    verbose,
    keep,
    keep_folder,
    options_file,
  };
  std::string_view name;   // without dashes
  std::string_view other;  // a second name, or ""
  Value value;
  Meaning meaning;
  std::string_view spelling = "";  // see `compiler`; for `refused`, the advice
};

// The option that `argument` names, such as "--generate-code=..." or "-Ifolder"; nullptr: none of
// nvcc's.
const NvccOption* find_nvcc_option(std::string_view argument);

// "a,b" and "a b": nvcc hands both to a shell.
std::vector<std::string> split(const std::string& list);

// "a,b", where a name may hold spaces.
std::vector<std::string> split_folders(const std::string& list);

// The dialect for "c++17" and the like: the kit's headers are written for the GNU ones from C++17
// on. Throws UsageError.
std::string standard_flag(const std::string& wanted);

// The toolkit's own headers would be found before those of the CPU device.
bool is_cuda_toolkit(const std::filesystem::path& folder);

}  // namespace convkit
