// SPDX-License-Identifier: MIT
// Files go from NumPy to the kit and back.
#include <array>
#include <cstdio>
#include <cstdlib>

#include "catch.h"
#include "convkit/npz.h"
#include "test_files.h"

namespace convkit {
namespace {

using test::TemporaryFolder;

const std::string& python() {
  static const std::string command = [] {
    const char* chosen = std::getenv("CONVKIT_PYTHON");
    return std::string(chosen != nullptr && *chosen != '\0' ? chosen : "/usr/bin/python3");
  }();
  return command;
}

// Runs a script in a folder; returns what it printed, and "failed" at the end if it failed.
std::string run(const std::string& script, const TemporaryFolder& folder) {
  test::write_text(folder / "script.py", script);
  const std::string command =
      "cd '" + folder.path().string() + "' && '" + python() + "' script.py 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "failed";
  std::string output;
  std::array<char, 4096> buffer;
  while (const size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), got);
  }
  return ::pclose(pipe) == 0 ? output : output + "failed";
}

bool has_numpy() {
  const TemporaryFolder folder;
  return run("import numpy\n", folder).empty();
}

// Arrays that both sides know: element i of an array is i - 3, wrapped for uint8.
const std::string kArrays = R"(
import numpy as np
def values(dtype, *dims):
    count = int(np.prod(dims))
    return (np.arange(count, dtype=np.int64) - 3).astype(dtype).reshape(dims)
arrays = {
    'in.x': values(np.float32, 2, 3, 5, 7), 'out.y': values(np.float64, 1000),
    'labels': values(np.uint8, 4, 4), 'p': values(np.int32, 2), 'scalar': values(np.float64),
    'empty': values(np.float32, 3, 0, 2), 'größe': values(np.int32, 3),
}
)";

template <class T>
NpyArray values(std::vector<int64_t> dims) {
  int64_t count = 1;
  for (const int64_t size : dims) count *= size;
  std::vector<T> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<T>(i - 3));
  return make_array<T>(std::move(dims), elements);
}

std::map<std::string, NpyArray> arrays() {
  std::map<std::string, NpyArray> out;
  out["in.x"] = values<float>({2, 3, 5, 7});
  out["out.y"] = values<double>({1000});
  out["labels"] = values<uint8_t>({4, 4});
  out["p"] = values<int32_t>({2});
  out["scalar"] = values<double>({});
  out["empty"] = values<float>({3, 0, 2});
  out["größe"] = values<int32_t>({3});
  return out;
}

void check_same(const NpyArray& got, const NpyArray& expected) {
  CHECK(got.dtype == expected.dtype);
  CHECK(got.dims == expected.dims);
  CHECK(got.bytes == expected.bytes);
}

TEST_CASE("archives and files that NumPy wrote are read") {
  if (!has_numpy()) CONVKIT_SKIP(python() << " has no NumPy");
  const TemporaryFolder folder;
  REQUIRE(run(kArrays + R"(
np.savez('stored.npz', **arrays)
np.savez_compressed('deflated.npz', **arrays)
for name, array in arrays.items(): np.save(name + '.npy', array)
)",
              folder) == "");
  // NumPy gives every member's own header a zip64 extra field (20 bytes); newer versions of Python
  // also move the sizes there. Make sure that this is what is tested here.
  CHECK(test::file_text(folder / "stored.npz").substr(28, 2) == std::string("\x14\0", 2));

  for (const char* file : {"stored.npz", "deflated.npz"}) {
    INFO(file);
    const auto read = read_npz(folder / file);
    CHECK(read.size() == arrays().size());
    for (const auto& [name, array] : arrays()) {
      INFO(name);
      REQUIRE(read.count(name) == 1);
      check_same(read.at(name), array);
    }
  }
  for (const auto& [name, array] : arrays()) check_same(read_npy(folder / (name + ".npy")), array);
}

TEST_CASE("NumPy's other header versions are read, and Fortran order refused") {
  if (!has_numpy()) CONVKIT_SKIP(python() << " has no NumPy");
  const TemporaryFolder folder;
  REQUIRE(run(kArrays + R"(
for version in (1, 2, 3):
    with open(f'{version}.npy', 'wb') as file:
        np.lib.format.write_array(file, arrays['in.x'], version=(version, 0))
np.save('fortran.npy', np.asfortranarray(arrays['labels']))
)",
              folder) == "");
  for (const char* file : {"1.npy", "2.npy", "3.npy"}) {
    INFO(file);
    check_same(read_npy(folder / file), arrays().at("in.x"));
  }
  CHECK(test::complaint([&] { read_npy(folder / "fortran.npy"); }) ==
        test::named(folder / "fortran.npy") +
            " is in Fortran order; save it with numpy.ascontiguousarray.");
}

TEST_CASE("NumPy and Python's zipfile read what the kit writes") {
  if (!has_numpy()) CONVKIT_SKIP(python() << " has no NumPy");
  const TemporaryFolder folder;
  write_npz(folder / "stored.npz", arrays(), Compression::stored);
  write_npz(folder / "deflated.npz", arrays(), Compression::deflated);
  for (const auto& [name, array] : arrays()) write_npy(folder / (name + ".npy"), array);
  CHECK(run(kArrays + R"(
import zipfile
def check(got, expected):
    assert got.dtype == expected.dtype and got.shape == expected.shape
    assert got.tobytes() == expected.tobytes()
for file in ('stored.npz', 'deflated.npz'):
    assert zipfile.ZipFile(file).testzip() is None
    with np.load(file) as archive:
        assert sorted(archive.files) == sorted(arrays)
        for name in arrays: check(archive[name], arrays[name])
for name in arrays: check(np.load(name + '.npy'), arrays[name])
)",
            folder) == "");
}

}  // namespace
}  // namespace convkit
