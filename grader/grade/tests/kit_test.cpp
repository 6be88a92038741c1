// SPDX-License-Identifier: MIT
#include "grade/kit.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "catch.h"
#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "runtime/tests/test_files.h"

namespace convkit {
namespace {

struct BuiltPrograms {
  explicit BuiltPrograms(const std::vector<std::string>& names) {
    kit.programs = convkit::Programs(folder.path());
    stage.id = "06_cudnn_port";
    stage.device = "gpu";
    stage.libraries = {"cublas", "cudnn"};
    for (const std::string& name : names) std::ofstream(folder / name);
  }
  std::string program(const std::string& suffix) const {
    return kit.program(stage, suffix).filename().string();
  }

  test::TemporaryFolder folder;
  Kit kit;
  Stage stage;
};

TEST_CASE("a stage's programs are those for the GPU where there is one") {
  BuiltPrograms scene(
      {"06_cudnn_port.runner", "06_cudnn_port.runner_gpu", "06_cudnn_port.runner_check"});
  CHECK(scene.program(".runner") == "06_cudnn_port.runner");
  scene.kit.device.gpu = true;
  CHECK(scene.program(".runner") == "06_cudnn_port.runner_gpu");
  CHECK(scene.kit.runner(scene.stage, SimtMode::check).filename() == "06_cudnn_port.runner_gpu");
  CHECK(scene.kit.without_gpu().runner(scene.stage, SimtMode::check).filename() ==
        "06_cudnn_port.runner_check");
  scene.stage.device = "cpu";
  CHECK(scene.program(".runner") == "06_cudnn_port.runner");
}

TEST_CASE("a CUDA toolkit without cuDNN is named where a stage needs it") {
  BuiltPrograms scene({"06_cudnn_port.runner", "06_cudnn_port.train"});
  scene.kit.device.gpu = true;
  for (const std::string suffix : {".runner", ".train"}) {
    CHECK_THROWS_WITH(scene.program(suffix),
                      "06_cudnn_port was not built for the GPU: it needs cublas and cudnn, and the "
                      "CUDA toolkit lacked some of that when the kit was configured. Install it "
                      "and build again, or use --device cpu.");
  }
  scene.kit.device.gpu = false;
  CHECK(scene.program(".runner") == "06_cudnn_port.runner");
}

TEST_CASE("one build makes a stage's runner and its libraries where they are first used") {
  BuiltPrograms scene({});
  const std::string runner = "06_cudnn_port.runner_check";
  {
    std::ofstream parts(scene.folder / "parts.txt"), launcher(scene.folder / "launcher");
    parts << runner << ' ' << runner << '\n';
    launcher << "#!/bin/sh\ncd " << scene.folder.path() << "\necho $2 >>calls\ntouch " << runner;
    for (const std::string part : {"simt", "simt_check", "simt_cublas", "simt_cudnn"}) {
      parts << "libconvkit_" << part << ".so convkit_" << part << '\n';
      launcher << " libconvkit_" << part << ".so";
    }
  }
  std::filesystem::permissions(scene.folder / "launcher", std::filesystem::perms::owner_all);
  setenv("CONVKIT_LAUNCHER", (scene.folder / "launcher").c_str(), 1);
  const BuildRequest request =
      scene.kit.build_request(scene.stage, scene.folder.path(), {}, SimtMode::check);
  unsetenv("CONVKIT_LAUNCHER");
  CHECK(request.device_libraries.size() == 4);
  CHECK(file_text(scene.folder / "calls") == runner + "\n");
}

TEST_CASE("only a timing on a GPU needs the process that owns the memory") {
  BuiltPrograms scene({"06_cudnn_port.runner_gpu", "07_mnist_cnn.runner"});
  scene.kit.device.gpu = true;
  CHECK(scene.kit.session_options(scene.stage, "a.so").memory_owner.empty());
  CHECK_THROWS_WITH(scene.kit.timed_session_options(scene.stage, "a.so"),
                    Catch::EndsWith("convkit-gpu-memory was not built."));
  std::ofstream(scene.folder / "convkit-gpu-memory") << "";
  CHECK(scene.kit.timed_session_options(scene.stage, "a.so").memory_owner ==
        scene.folder / "convkit-gpu-memory");
  scene.stage.id = "07_mnist_cnn";
  scene.stage.device = "cpu";
  CHECK(scene.kit.timed_session_options(scene.stage, "a.so").memory_owner.empty());
}

TEST_CASE("the kit's programs are those of its list, built or not, and else those that are there") {
  using Names = std::vector<std::string>;
  const BuiltPrograms scene({"convkit", "convkit-confine", "a_test"});
  CHECK(scene.kit.programs.all() == Names{"a_test", "convkit", "convkit-confine"});
  std::ofstream(scene.folder / "parts.txt") << "01_cpu_conv.runner 01_cpu_conv.runner\n";
  CHECK(scene.kit.programs.all() == Names{"01_cpu_conv.runner", "convkit", "convkit-confine"});
}

TEST_CASE("only a kit with solutions and wrong variants is one for instructors") {
  BuiltPrograms scene({});
  scene.kit.root = scene.folder.path();
  scene.stage.directory = scene.folder / "assignments" / scene.stage.id;
  scene.kit.stages = {scene.stage};
  const char* sentence =
      "This copy of the kit is for students and has no solutions, which `demo` needs.";
  std::filesystem::create_directories(scene.stage.directory);
  CHECK_THROWS_WITH(scene.kit.must_have_solutions("demo"), sentence);
  std::filesystem::create_directories(scene.kit.solution(scene.stage));
  CHECK_THROWS_WITH(scene.kit.must_have_solutions("demo"), sentence);
  std::filesystem::create_directories(scene.stage.directory / "wrong");
  CHECK_NOTHROW(scene.kit.must_have_solutions("demo"));
}

TEST_CASE("a program that was never built is named") {
  const BuiltPrograms scene({});
  CHECK_THROWS_AS(scene.program(".runner"), KitError);
  CHECK_THROWS_WITH(scene.program(".runner"),
                    Catch::EndsWith("06_cudnn_port.runner was not built."));
}

}  // namespace
}  // namespace convkit
