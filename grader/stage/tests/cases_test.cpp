// SPDX-License-Identifier: MIT
#include "stage/cases.h"

#include <cstring>

#include "catch.h"
#include "convkit/kit_error.h"
#include "convkit/sha256.h"
#include "runtime/tests/test_files.h"

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
    stage.number = 1;
    stage.groups = {{"conv", "Convolution", 10}};
    write_archive(tensors);
    write_manifest();
  }
  // The case's tensors and one of a case that nobody reads.
  void write_archive(const Tensors& tensors) {
    Tensors members = {{"two/in.x", array_of<float>({0})}};
    for (const auto& [name, tensor] : tensors) members["one/" + name] = tensor;
    write_npz(folder / "cases.npz", members);
    listed = "";
    for (const auto& [name, tensor] : tensors) {
      listed += (listed.empty() ? "\"" : ", \"") + name + "\": {\"dtype\": \"" +
                name_of(tensor.dtype) + "\", \"shape\": [" + std::to_string(tensor.dims.at(0)) +
                "], \"sha256\": \"" + sha256_hex(tensor.bytes) + "\"}";
    }
  }
  void write_manifest(const std::string& from = "", const std::string& to = "") {
    std::string text = R"({"schema": "convkit-manifest-2", "stage": "01_test", "cases": [
      {"name": "one", "op": "conv2d", "task": "01.1", "group": "conv", "visible": true,
       "summary": "One.", "tensors": {)" +
                       listed + R"(},
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
  std::string listed;  // the manifest's tensors
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
  CHECK(scene.complaint("convkit-manifest-2", "convkit-manifest-1") ==
        "manifest.json, its head: its schema is not convkit-manifest-2. Staff: ./convkit refgen "
        "--stage 1 makes the cases again, hidden ones with their --seed.");
  CHECK(scene.complaint("01_test", "02_test") ==
        "manifest.json, its head: it belongs to stage 02_test, not 01_test.");
  CHECK(scene.complaint("\"group\": \"conv\"", "\"group\": \"pool\"") ==
        "manifest.json, case one: its group `pool` is not in stage.toml. After a change of "
        "cases.toml, staff run ./convkit refgen --stage 1.");
  CHECK_THAT(scene.complaint("\"shape\": [2]", "\"shape\": 2"),
             Catch::StartsWith("manifest.json, case one: "));
  CHECK_THAT(scene.complaint("\"op\": \"conv2d\", ", ""),
             Catch::StartsWith("manifest.json, case one: ") && Catch::Contains("'op'"));
  CHECK_THAT(scene.complaint("\"n\": 2", "\"n\": \"2\""),
             Catch::StartsWith("manifest.json, case one: "));
  CHECK_THAT(scene.complaint("\"schema\"", "schema"),
             Catch::StartsWith("manifest.json is not valid JSON: "));
  write_text(scene.folder / "manifest.json", "[]");
  CHECK_THAT(scene.complaint(), Catch::StartsWith("manifest.json, its head: "));
  write_text(scene.folder / "manifest.json",
             R"({"schema": "convkit-manifest-2", "stage": "01_test", "cases": []})");
  CHECK(scene.complaint() == "manifest.json lists no case.");
  fs::remove(scene.folder / "manifest.json");
  CHECK(scene.complaint() ==
        "manifest.json cannot be read. Staff: ./convkit refgen --stage 1 makes it again.");
}

TEST_CASE("a tensor that is not the manifest's is refused") {
  Scene scene;
  const auto stored = [&](const NpyArray& x) {
    const std::string manifest = scene.listed;
    Tensors tensors = kTensors;
    tensors["in.x"] = x;
    scene.write_archive(tensors);
    scene.listed = manifest;
    scene.write_manifest();
    return scene.complaint();
  };
  const std::string differs =
      "cases.npz: `one/in.x` does not match manifest.json (type, shape, sha256).";
  CHECK(stored(array_of<float>({1, 2})) == "");
  CHECK(stored(array_of<float>({1, 3})) == differs);
  CHECK(stored(array_of<float>({1})) == differs);
  NpyArray bits = array_of<float>({1, 2});
  bits.dtype = DType::int32;
  CHECK(stored(bits) == differs);
  NpyArray row = array_of<float>({1, 2});
  row.dims = {1, 2};
  CHECK(stored(row) == differs);
}

TEST_CASE("a tensor or a whole archive that is missing is named") {
  Scene scene;
  write_npz(scene.folder / "cases.npz",
            {{"one/out.y", array_of<double>({3, 4})}, {"two/in.x", array_of<float>({1, 2})}});
  CHECK(scene.complaint() == "cases.npz holds no `one/in.x`.");
  fs::remove(scene.folder / "cases.npz");
  CHECK(scene.complaint() == "cases.npz is missing although manifest.json lists case one.");
}

TEST_CASE("a damaged tensor is named, and does no harm to another case") {
  Scene scene;
  std::string bytes = test::file_text(scene.folder / "cases.npz");
  const auto flip = [&](const std::string& name) {
    std::string damaged = bytes;
    const size_t header = damaged.find(name);
    REQUIRE(header != std::string::npos);
    damaged[header + name.size() + 128] ^= 1;  // its first element
    write_text(scene.folder / "cases.npz", damaged);
    return scene.complaint();
  };
  CHECK_THAT(flip("one/out.y.npy"), Catch::StartsWith("Case one: Member 'one/out.y.npy' of ") &&
                                        Catch::EndsWith("its CRC-32 does not match."));
  CHECK(flip("two/in.x.npy") == "");
}

TEST_CASE("a set may have more tensors than other archives") {
  Scene scene;
  Tensors members;
  for (const auto& [name, tensor] : kTensors) members["one/" + name] = tensor;
  for (int i = 0; i < 1100; ++i) members[std::to_string(i) + "/in.x"] = array_of<float>({0});
  write_npz(scene.folder / "cases.npz", members);
  CHECK(scene.complaint() == "");
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
  CHECK(without("in.x") == "cases.npz holds no `one/in.x`.");
  CHECK(without("out.y") == "cases.npz holds no `one/out.y`.");
  CHECK(without("mag.y") == "cases.npz holds no `one/mag.y`.");
  CHECK(with("out.y", array_of<float>({1, 2})) ==
        "cases.npz: `one/out.y` must be float64 or int32.");
  CHECK(with("mag.y", array_of<double>({1})) ==
        "cases.npz: `one/mag.y` does not have the type and shape of `out.y`.");
  CHECK(with("mag.y", array_of<float>({1, 2})) ==
        "cases.npz: `one/mag.y` does not have the type and shape of `out.y`.");
  CHECK(with("out.y", array_of<int32_t>({1, 2})) == "");  // integers need no magnitude
}

TEST_CASE("a forged case file is a fault of the kit, even where the manifest vouches for it") {
  Scene scene;
  const std::string whole = test::file_text(scene.folder / "cases.npz");
  for (const std::string& forged :
       {std::string(), std::string("PK\x05\x06"), whole.substr(0, whole.size() / 2),
        whole.substr(0, whole.size() - 3)}) {
    write_text(scene.folder / "cases.npz", forged);
    scene.write_manifest();
    CHECK_FALSE(scene.complaint().empty());
  }
}

}  // namespace convkit
