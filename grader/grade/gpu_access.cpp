// SPDX-License-Identifier: MIT
#include "grade/gpu_access.h"

#include <cstdlib>
#include <sstream>

#include "process/process.h"

namespace convkit {

namespace fs = std::filesystem;

void allow_gpu(SessionOptions& options) {
  std::error_code error;
  for (const char* folder : {"/dev", "/dev/nvidia-caps"}) {
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().filename().string().rfind("nvidia", 0) == 0 && !entry.is_directory(error)) {
        options.devices.push_back(entry.path());
      }
    }
  }
  // What the driver reads about the machine and itself.
  for (const char* facts : {"/proc", "/sys", "/etc", "/run/nvidia-persistenced"}) {
    if (fs::exists(facts, error)) options.libraries.emplace_back(facts);
  }
  options.writable.emplace_back("/proc/self");  // its threads' names
  const char* path = std::getenv("LD_LIBRARY_PATH");
  std::istringstream folders(path ? path : "");
  std::string folder;
  while (std::getline(folders, folder, ':')) {
    if (folder.rfind('/', 0) == 0 && fs::is_directory(folder, error)) {
      options.libraries.push_back(fs::canonical(folder, error));
    }
  }
  for (std::string& variable : handed_on({"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"})) {
    options.environment.push_back(std::move(variable));
  }
  options.environment.emplace_back("CUDA_CACHE_DISABLE=1");  // it would write to the home folder
  options.limits.memory_bytes = 0;
  options.limits.file_bytes = 0;
  options.limits.open_files = 1024;
  options.limits.processes = 0;
}

}  // namespace convkit
