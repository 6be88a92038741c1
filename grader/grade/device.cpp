// SPDX-License-Identifier: MIT
#include "grade/device.h"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "convkit/kit_error.h"
#include "cpu_device/cc/toolchain.h"
#include "process/process.h"

namespace convkit {
namespace {

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

}  // namespace

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
  command.argv = {programs.need(kProbe).string()};
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
    throw UsageError(fmt::format("There is no GPU to use: {}. --device cpu needs none.", why_not));
  }
  return device;
}

}  // namespace convkit
