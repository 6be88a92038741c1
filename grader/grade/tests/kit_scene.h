// SPDX-License-Identifier: MIT
// A kit with one stage, made on the fly, whose runner is the one of the tests of sessions: every op
// takes x [5] and y [5], and y = 2 x is right.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "convkit/npz.h"
#include "convkit/sha256.h"
#include "grade/case_runner.h"
#include "grade/kit.h"
#include "grade/stored_case.h"
#include "runtime/tests/test_files.h"
#include "stage/cases.h"

namespace convkit::test {

template <class T>
NpyArray array_of(const std::vector<T>& values) {
  NpyArray array{dtype_of<T>(), {static_cast<int64_t>(values.size())}, {}};
  array.bytes.resize(values.size() * sizeof(T));
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

struct KitScene {
  KitScene() {
    kit.root = folder.path();
    kit.programs = Programs(CONVKIT_BINARY_DIR "/bin");
    Stage stage;
    stage.id = "session_test";
    stage.title = "Test";
    stage.directory = folder / "assignments" / stage.id;
    stage.api = "api.h";
    stage.files = {"a.cpp"};
    stage.flags = {"-std=c++20", "-O1"};
    stage.limits.memory_bytes = 512ull << 20;
    stage.groups = {{"first", "First", 40}, {"second", "Second", 20}};
    SpeedCase speed;
    speed.name = speed.title = "small";
    speed.op = "doubles";
    speed.points = 10;
    speed.none = 1.5;
    speed.full = 4;
    stage.speed = {speed};
    kit.stages = {stage};
    write_text(stage.directory / "api.h", "#pragma once\n#include <cstdint>\n");
    write_text(folder / "runtime" / "include" / "none.h", "\n");
  }

  const Stage& stage() const { return kit.stages.front(); }
  std::filesystem::path case_file() const { return folder.path() / "cases.npz"; }

  CaseSpec spec(const std::string& op, const std::string& group = "first") const {
    CaseSpec spec;
    spec.name = "case of " + op;
    spec.op = op;
    spec.task = "01.1";
    spec.group = group;
    spec.summary = "The public sentence.";
    spec.archive = case_file();
    const std::map<std::string, NpyArray> tensors = {{"in.x", array_of<float>({1, 2, 3, 4, 5})},
                                                     {"out.y", array_of<double>({2, 4, 6, 8, 10})},
                                                     {"mag.y", array_of<double>({2, 4, 6, 8, 10})}};
    for (const auto& [name, tensor] : tensors) {
      spec.tensors[name] = {name_of(tensor.dtype), tensor.dims, sha256_hex(tensor.bytes)};
      members_[spec.name + "/" + name] = tensor;
    }
    write_npz(spec.archive, members_);
    spec.params = {{"n", {5, true}}};
    spec.inputs = {"x"};
    spec.outputs = {{"y", 1}};
    return spec;
  }

  CaseResult run(CaseRunner& runner, const CaseSpec& spec) const {
    StoredCase one(stage(), spec);
    return runner.run(one);
  }

  // The cases of the stage, as `folder`/manifest.json has them.
  void write_cases(const std::vector<CaseSpec>& cases, bool hidden = false) const {
    std::string list;
    for (const CaseSpec& c : cases) {
      std::string tensors;
      for (const auto& [name, tensor] : c.tensors) {
        tensors += (tensors.empty() ? "\"" : ", \"") + name + "\": {\"dtype\": \"" + tensor.dtype +
                   "\", \"shape\": [5], \"sha256\": \"" + tensor.sha256 + "\"}";
      }
      list += (list.empty() ? "" : ",\n") + std::string("{\"name\": \"") + c.name +
              "\", \"op\": \"" + c.op + "\", \"task\": \"01.1\", \"group\": \"" + c.group +
              "\", \"visible\": " + (hidden ? "false" : "true") + ", \"summary\": \"" + c.summary +
              "\", \"tensors\": {" + tensors +
              "}, \"params\": {\"n\": 5}, \"inputs\": [\"x\"], \"outputs\": [{\"name\": \"y\", "
              "\"terms\": 1}]}";
    }
    const auto target = hidden ? kit.hidden_cases(stage()) : kit.visible_cases(stage());
    write_text(target / "manifest.json",
               "{\"schema\": \"convkit-manifest-2\", \"stage\": \"session_test\", \"cases\": [" +
                   list + "]}");
    std::filesystem::copy_file(case_file(), target / "cases.npz");
  }

  TemporaryFolder folder;
  Kit kit;

 private:
  mutable std::map<std::string, NpyArray> members_;  // of all cases so far
};

}  // namespace convkit::test
