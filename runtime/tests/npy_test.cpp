// SPDX-License-Identifier: MIT
#include "convkit/npy.h"

#include <cstdint>
#include <numeric>

#include "catch.h"
#include "file_bytes.h"
#include "temporary_folder.h"
#include "zip_forge.h"

namespace convkit {
namespace {

using test::bytes_of;
using test::TemporaryFolder;

template <class T>
void check_round_trip(std::vector<int64_t> dims) {
  TemporaryFolder folder;
  std::vector<T> values(24);
  std::iota(values.begin(), values.end(), T{1});
  const NpyArray written = make_array<T>(dims, values);
  write_npy(folder / "a.npy", written);
  const NpyArray read = read_npy(folder / "a.npy");
  CHECK(read.dtype == dtype_of<T>());
  CHECK(read.dims == dims);
  const auto got = read.values<T>();
  CHECK(std::vector<T>(got.begin(), got.end()) == values);
}

TEST_CASE("an array of each type comes back from its .npy file") {
  check_round_trip<float>({24});
  check_round_trip<double>({2, 3, 4});
  check_round_trip<int32_t>({1, 24, 1});
  check_round_trip<uint8_t>({4, 6});
}

TEST_CASE("scalars and arrays without elements come back from their .npy files") {
  TemporaryFolder folder;
  const float value = 3;
  write_npy(folder / "scalar.npy", make_array<float>({}, std::span(&value, 1)));
  CHECK(read_npy(folder / "scalar.npy").dims.empty());
  CHECK(read_npy(folder / "scalar.npy").values<float>()[0] == 3);
  write_npy(folder / "empty.npy", make_array<double>({3, 0, 2}, {}));
  CHECK(read_npy(folder / "empty.npy").dims == std::vector<int64_t>{3, 0, 2});
  CHECK(read_npy(folder / "empty.npy").values<double>().empty());
}

TEST_CASE("elements of a written .npy file begin at a multiple of 64 bytes") {
  TemporaryFolder folder;
  for (const int64_t size : {1, 10, 1000, 100000}) {
    write_npy(folder / "a.npy",
              make_array<uint8_t>({size}, std::vector<uint8_t>(static_cast<size_t>(size))));
    CHECK((test::file_text(folder / "a.npy").size() - static_cast<size_t>(size)) % 64 == 0);
  }
}

TEST_CASE("headers of version 2 and 3, other orders of keys and double quotes are read") {
  const std::string header = "{\"shape\": (2,), \"fortran_order\":False,\n 'descr':'|u1'}";
  for (const char version : {'\x02', '\x03'}) {
    const std::string text = test::forge_npy(header, "ab", std::string{version, '\0'});
    const NpyArray array = parse_npy(bytes_of(text), "a.npy");
    CHECK(array.dims == std::vector<int64_t>{2});
    CHECK(array.values<uint8_t>()[1] == 'b');
  }
}

TEST_CASE("an array is not read as another type") {
  const NpyArray array = make_array<float>({1}, std::vector<float>{1});
  CHECK(test::complaint([&] { array.values<double>(); }) ==
        "An array of float32 was read as one of float64.");
}

TEST_CASE("an array whose dims do not hold its elements cannot be made or written") {
  CHECK_THROWS_AS(make_array<float>({2}, std::vector<float>{1}), std::invalid_argument);
  CHECK_THROWS_AS(make_array<float>({-1}, std::vector<float>{}), std::invalid_argument);
  TemporaryFolder folder;
  CHECK_THROWS_AS(write_npy(folder / "a.npy", NpyArray{DType::uint8, {5}, {}}),
                  std::invalid_argument);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("an array larger than the limit is refused") {
  const std::string text = test::npy_of_floats(25);
  CHECK(parse_npy(bytes_of(text), "a.npy", 100).values<float>().size() == 25);
  CHECK(test::complaint([&] { parse_npy(bytes_of(text), "a.npy", 99); }) ==
        "'a.npy' holds 100 bytes; the limit is 99.");
}

TEST_CASE("a file that is missing or not a file is named") {
  TemporaryFolder folder;
  const std::string missing = (folder / "no.npy").string();
  CHECK(test::complaint([&] { read_npy(missing); }) ==
        test::named(missing) + " cannot be opened: No such file or directory.");
  CHECK(test::complaint([&] { read_npy(folder.path()); }) ==
        test::named(folder.path()) + " is not a regular file.");
}

}  // namespace
}  // namespace convkit
