// SPDX-License-Identifier: MIT
#include "stage/cases.h"

#include <cstring>

#include "catch.h"
#include "convkit/kit_error.h"
#include "convkit/sha256.h"
#include "runtime/tests/file_bytes.h"
#include "runtime/tests/temporary_folder.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using test::write_text;

template <class T>
NpyArray array_of(std::vector<T> values) {
  NpyArray array{dtype_of<T>(), {static_cast<int64_t>(values.size())}, {}};
  array.bytes.resize(values.size() * sizeof(T));
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

using Tensors = std::map<std::string, NpyArray>;

const Tensors kTensors = {{"in.x", array_of<float>({1, 2})},
                          {"out.y", array_of<double>({3, 4})},
                          {"mag.y", array_of<double>({5, 6})}};

// A folder with one case.
struct Scene {
  explicit Scene(const Tensors& tensors = kTensors) {
    stage.id = "01_test";
    stage.groups = {{"conv", "Convolution", 10}};
    write_npz(folder / "one.npz", tensors);
    write_manifest();
  }
  void write_manifest(const std::string& from = "", const std::string& to = "") {
    std::string text = R"({"schema": "convkit-manifest-1", "stage": "01_test", "cases": [
      {"name": "one", "op": "conv2d", "task": "01.1", "group": "conv", "visible": true,
       "summary": "One.", "file": "one.npz", "sha256": ")" +
                       sha256_file(folder / "one.npz") + R"(",
       "params": {"n": 2, "slope": 0.5}, "inputs": ["x"], "outputs": [{"name": "y", "terms": 3}]}]})";
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    write_text(folder / "manifest.json", text);
  }
  std::string complaint() {
    try {
      load_tensors(load_cases(folder.path(), stage).at(0));
    } catch (const KitError& error) {
      std::string said = error.what();
      const std::string path = folder.path().string() + "/";
      for (size_t at = said.find(path); at != std::string::npos; at = said.find(path)) {
        said.erase(at, path.size());
      }
      return said;
    }
    return "";
  }
  std::string complaint(const std::string& from, const std::string& to) {
    write_manifest(from, to);
    return complaint();
  }

  TemporaryFolder folder;
  Stage stage;
};

}  // namespace

TEST_CASE("a set of cases says which it is") {
  Scene scene;
  const CaseSet visible = load_case_set(scene.folder.path(), scene.stage);
  CHECK(visible.seed.empty());
  CHECK(visible.manifest_sha256 == sha256_file(scene.folder / "manifest.json"));
  scene.write_manifest("\"cases\"", "\"seed\": \"12ab\", \"cases\"");
  const CaseSet hidden = load_case_set(scene.folder.path(), scene.stage);
  CHECK(hidden.seed == "12ab");
  CHECK(hidden.manifest_sha256 != visible.manifest_sha256);
  CHECK_THAT(scene.complaint("\"cases\"", "\"seed\": 3, \"cases\""),
             Catch::StartsWith("manifest.json, its head: "));
}

TEST_CASE("a manifest and its tensors are read whole") {
  Scene scene;
  const auto cases = load_cases(scene.folder.path(), scene.stage);
  REQUIRE(cases.size() == 1);
  CHECK(cases[0].op == "conv2d");
  CHECK_FALSE(cases[0].hidden);
  CHECK(cases[0].params.at("n").integer);
  CHECK_FALSE(cases[0].params.at("slope").integer);
  CHECK(cases[0].outputs.at(0).terms == 3);
  const auto tensors = load_tensors(cases[0]);
  CHECK(tensors.at("out.y").values<double>()[1] == 4);
}

TEST_CASE("a damaged manifest is named with the case it is damaged at") {
  Scene scene;
  CHECK(scene.complaint("convkit-manifest-1", "convkit-manifest-9") ==
        "manifest.json, its head: unknown schema.");
  CHECK(scene.complaint("01_test", "02_test") ==
        "manifest.json, its head: it belongs to stage 02_test, not 01_test.");
  CHECK(scene.complaint("\"group\": \"conv\"", "\"group\": \"pool\"") ==
        "manifest.json, case one: its group `pool` is not in stage.toml.");
  CHECK(scene.complaint("\"one.npz\"", "\"../one.npz\"") ==
        "manifest.json, case one: `file` must be a plain file name.");
  CHECK_THAT(scene.complaint("\"op\": \"conv2d\", ", ""),
             Catch::StartsWith("manifest.json, case one: ") && Catch::Contains("'op'"));
  CHECK_THAT(scene.complaint("\"n\": 2", "\"n\": \"2\""),
             Catch::StartsWith("manifest.json, case one: "));
  CHECK_THAT(scene.complaint("\"schema\"", "schema"),
             Catch::StartsWith("manifest.json is not valid JSON: "));
  write_text(scene.folder / "manifest.json", "[]");
  CHECK_THAT(scene.complaint(), Catch::StartsWith("manifest.json, its head: "));
  write_text(scene.folder / "manifest.json",
             R"({"schema": "convkit-manifest-1", "stage": "01_test", "cases": []})");
  CHECK(scene.complaint() == "manifest.json lists no case.");
  fs::remove(scene.folder / "manifest.json");
  CHECK(scene.complaint() ==
        "manifest.json cannot be read. Staff: ./convkit refgen makes it anew.");
}

TEST_CASE("a case file that is not the manifest's is refused") {
  Scene scene;
  write_npz(scene.folder / "one.npz", {{"in.x", array_of<float>({9})}});
  CHECK(scene.complaint() == "one.npz does not match manifest.json (sha256).");
  fs::remove(scene.folder / "one.npz");
  CHECK(scene.complaint() == "one.npz is missing although manifest.json lists it.");
}

TEST_CASE("a case file that lacks a tensor, or has it in another form, is refused") {
  const auto with = [](const std::string& name, const NpyArray& array) {
    Tensors tensors = kTensors;
    tensors[name] = array;
    return Scene(tensors).complaint();
  };
  const auto without = [](const std::string& name) {
    Tensors tensors = kTensors;
    tensors.erase(name);
    return Scene(tensors).complaint();
  };
  CHECK(without("in.x") == "one.npz holds no `in.x`.");
  CHECK(without("out.y") == "one.npz holds no `out.y`.");
  CHECK(without("mag.y") == "one.npz holds no `mag.y`.");
  CHECK(with("out.y", array_of<float>({1, 2})) == "one.npz: `out.y` must be float64 or int32.");
  CHECK(with("mag.y", array_of<double>({1})) ==
        "one.npz: `mag.y` does not have the type and shape of `out.y`.");
  CHECK(with("mag.y", array_of<float>({1, 2})) ==
        "one.npz: `mag.y` does not have the type and shape of `out.y`.");
  CHECK(with("out.y", array_of<int32_t>({1, 2})) == "");  // integers need no magnitude
}

TEST_CASE("a forged case file is a fault of the kit, even where the manifest vouches for it") {
  Scene scene;
  const std::string whole = test::file_text(scene.folder / "one.npz");
  for (const std::string& forged :
       {std::string(), std::string("PK\x05\x06"), whole.substr(0, whole.size() / 2),
        whole.substr(0, whole.size() - 3)}) {
    write_text(scene.folder / "one.npz", forged);
    scene.write_manifest();
    CHECK_FALSE(scene.complaint().empty());
  }
}

}  // namespace convkit
