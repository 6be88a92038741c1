// SPDX-License-Identifier: MIT
// The values of options.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convkit {

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
