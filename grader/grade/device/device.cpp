// SPDX-License-Identifier: MIT
#include "grade/device/device.h"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "convkit/kit_error.h"
#include "cpu_device/cc/toolchain.h"
#include "process/process.h"

namespace convkit {

namespace fs = std::filesystem;

fs::path find_nvcc() {
  if (const fs::path nvcc = find_on_path("nvcc"); !nvcc.empty()) return nvcc;
  const char* home = std::getenv("CUDA_HOME");
  for (const fs::path& folder : {fs::path(home ? home : ""), fs::path("/usr/local/cuda")}) {
    if (folder.empty()) continue;
    if (const fs::path nvcc = find_on_path((folder / "bin/nvcc").string()); !nvcc.empty()) {
      return nvcc;
    }
  }
  return {};
}

Device find_gpu(const Programs& programs, std::string& why_not) {
  constexpr const char* kProbe = "convkit-gpu-probe";
  Device device;
  if (!programs.has(kProbe)) {
    why_not = "the kit was built without a CUDA toolkit";
    return device;
  }
  const fs::path nvcc = find_nvcc();
  if (nvcc.empty()) {
    why_not = "there is no nvcc";
    return device;
  }
  Limits limits;
  limits.wall = std::chrono::seconds(30);
  Command command;
  try {
    command.argv = {programs.need(kProbe).string()};
  } catch (const KitError& error) {  // it may need tools that this machine lacks
    why_not = error.what();
    if (why_not.ends_with('.')) why_not.pop_back();  // it becomes a part of a sentence
    return device;
  }
  command.environment = handed_on({"PATH", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"});
  const Completed completed = run_process(command, limits);
  // "sm_90 NVIDIA H200", or why there is none.
  std::string line = completed.output.substr(0, completed.output.find('\n'));
  if (completed.ending.kind != Ending::Kind::exited || completed.ending.code != 0) {
    why_not = line.empty() ? "the GPU does not answer" : line;
    return device;
  }
  std::istringstream words(line);
  words >> device.architecture;
  std::getline(words >> std::ws, device.name);
  device.gpu = true;
  device.nvcc = nvcc;
  return device;
}

Device choose_device(const std::string& wanted, const Programs& programs) {
  if (wanted == "cpu") return {};
  std::string why_not;
  Device device = find_gpu(programs, why_not);
  if (!device.gpu && wanted == "gpu") {
    throw UsageError(
        fmt::format("No GPU can be used: {}. --device cpu works without a GPU.", why_not));
  }
  return device;
}

void allow_gpu(SessionOptions& options) {
  std::error_code error;
  for (const char* folder : {"/dev", "/dev/nvidia-caps"}) {
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().filename().string().rfind("nvidia", 0) == 0 && !entry.is_directory(error)) {
        options.devices.push_back(entry.path());
      }
    }
  }
  // The files that the driver reads about the machine and itself.
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
