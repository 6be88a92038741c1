// SPDX-License-Identifier: MIT
// A working folder with sources, and a small stand-in for the CPU device: its launch runs the
// kernel at once, thread after thread.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cpu_device/cc/driver.h"
#include "process/process.h"
#include "runtime/tests/test_files.h"

namespace convkit::test {

class CcScene {
 public:
  CcScene() : before_(std::filesystem::current_path()) {
    file("kit/include/cuda_runtime.h", kHeader);
    file("kit/include/simt/unsupported.h", "void cudaOnlyToRefuse();\n");
    file("work/.keep", "");
    std::filesystem::current_path(work());
  }
  ~CcScene() { std::filesystem::current_path(before_); }

  std::filesystem::path root() const { return temporary_.path(); }
  std::filesystem::path work() const { return root() / "work"; }
  SimtKit kit() const { return {root() / "kit/include", Programs(library())}; }

  // Writes a file; names are relative to the scene, sources lie in work/.
  CcScene& file(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((root() / name).parent_path());
    std::ofstream(root() / name, std::ios::binary) << text;
    return *this;
  }
  CcScene& source(const std::string& name, const std::string& text) {
    return file("work/" + name, text);
  }

  CcResult cc(const std::vector<std::string>& arguments) const {
    CcDriver driver(kit(), Toolchain::find(), root() / "cache", "1.2.3");
    return driver.run(read_cc_arguments(arguments));
  }

  // What a program that was made prints.
  std::string run(const std::string& program) const {
    Command command;
    command.argv = {(work() / program).string()};
    Limits limits;
    limits.wall = std::chrono::seconds(10);
    return run_process(command, limits).output;
  }

  std::string read(const std::string& name) const {
    std::ifstream in(work() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(work() / name); }

 private:
  static constexpr const char* kHeader = R"(#pragma once
#include <stddef.h>
#define __global__
#define __device__
#define __host__
#define __shared__ static __thread
struct uint3 { unsigned x, y, z; };
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
extern thread_local uint3 threadIdx;
int cudaDeviceSynchronize();
int cudaMemcpy(void* to, const void* from, size_t bytes, int kind);
extern "C" __thread unsigned char convkit_simt_dynamic_shared[];
namespace convkit::simt {
struct DynamicShared {
  template <class T>
  using Array = T[];
  template <class T>
  operator Array<T>&() const {
    return *reinterpret_cast<T(*)[]>(convkit_simt_dynamic_shared);
  }
};
static constexpr DynamicShared dynamic_shared{};
struct LaunchConfig {
  dim3 grid, block;
  LaunchConfig(dim3 g, dim3 b = {}, size_t = 0, void* = nullptr) : grid(g), block(b) {}
};
template <class... P>
struct Launcher {
  LaunchConfig config;
  void (*kernel)(P...);
  void operator()(P... arguments) const {
    for (threadIdx.x = 0; threadIdx.x < config.block.x; ++threadIdx.x) kernel(arguments...);
  }
};
template <class...>
struct Parameters {};
template <class P>
using OfParameter = P;
template <class... P>
Launcher<P...> launcher(const LaunchConfig& config, void (*kernel)(P...)) {
  return {config, kernel};
}
}
#define CONVKIT_SIMT_UNPAREN(...) __VA_ARGS__
#define CONVKIT_SIMT_LAUNCH(kernel, config) \
  ::convkit::simt::launcher(::convkit::simt::LaunchConfig config, CONVKIT_SIMT_UNPAREN kernel)
#define CONVKIT_SIMT_TEMPLATE_LAUNCH(kernel, config) CONVKIT_SIMT_LAUNCH(kernel, config)
#define CONVKIT_SIMT_KNOWN_TEMPLATE_LAUNCH(kernel, config, bound, ask) \
  CONVKIT_SIMT_LAUNCH(kernel, config)
// Every thread is called by itself here.
#define CONVKIT_SIMT_THREADS
#define CONVKIT_SIMT_END_THREADS
)";

  // Made once: the library with what the header declares.
  static const std::filesystem::path& library() {
    static const TemporaryFolder folder;
    static const bool made = [] {
      const auto source = folder.path() / "simt.cpp";
      std::ofstream(source)
          << "struct uint3 { unsigned x, y, z; };\n"
             "thread_local uint3 threadIdx;\n"
             "__thread char dynamic[1024] __asm__(\"convkit_simt_dynamic_shared\");\n"
             "int cudaDeviceSynchronize() { return 0; }\n";
      Command command;
      command.argv = {Toolchain::find().compiler.string(),
                      "-shared",
                      "-fPIC",
                      source.string(),
                      "-o",
                      (folder.path() / "libconvkit_simt.so").string()};
      command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin"};
      return run_process(command, {}).ending.code == 0;
    }();
    if (!made) throw std::runtime_error("the stand-in for the CPU device cannot be built");
    return folder.path();
  }

  TemporaryFolder temporary_;
  std::filesystem::path before_;
};

}  // namespace convkit::test
