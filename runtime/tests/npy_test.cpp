// SPDX-License-Identifier: MIT
#include <cstdint>
#include <numeric>

#include "catch.h"
#include "convkit/npy.h"
#include "test_files.h"
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

// Damaged and forged .npy files, each with its sentence.

struct ForgedArray {
  const char* what;
  std::string file;
  std::string sentence;  // after "'f.npy' "
};

std::string header(const std::string& descr, const std::string& shape,
                   const std::string& order = "False") {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

std::string npy(const std::string& text, size_t element_bytes = 4) {
  return test::forge_npy(text, std::string(element_bytes, '\0'));
}

std::string with_descr(const std::string& descr) {
  return npy(header(descr, "(1,)"));
}
std::string with_shape(const std::string& shape) {
  return npy(header("'<f4'", shape));
}

std::string cut(const std::string& file, size_t size) {
  return file.substr(0, size);
}

std::string repeat(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

const std::string kLongName(100, 'x');
const std::string kManyOnes = repeat("1,", 33);

std::vector<ForgedArray> forgeries() {
  const std::string good = npy(header("'<f4'", "(1,)"));
  const std::string malformed = "has a malformed .npy header: ";
  const std::string no_magic = "is not a .npy array: it does not begin with \\x93NUMPY.";
  const std::string ends_in_header = "ends within its .npy header.";
  const std::string types = "; only float32, float64, int32 and uint8 can be read.";
  return {
      {"empty file", "", no_magic},
      {"magic cut off", cut(good, 5), no_magic},
      {"wrong magic", "PK\x03\x04 and more than eight bytes", no_magic},
      {"version 4", test::forge_npy("{}", "", std::string("\x04\x00", 2)),
       "has .npy version 4.0; versions 1.0, 2.0 and 3.0 can be read."},
      {"version 1.7", test::forge_npy("{}", "", std::string("\x01\x07", 2)),
       "has .npy version 1.7; versions 1.0, 2.0 and 3.0 can be read."},
      {"length cut off", cut(good, 9), ends_in_header},
      {"header cut off", cut(good, 40), ends_in_header},
      {"header of 4 GiB", "\x93NUMPY" + std::string("\x02\x00", 2) + "\xff\xff\xff\xff",
       "has an absurd .npy header of 4294967295 bytes."},
      {"empty header", npy(""), malformed + "no '{' at byte 0."},
      {"not a dictionary", npy("['<f4']"), malformed + "no '{' at byte 0."},
      {"brace not closed", npy("{'shape': (1,)"), malformed + "no '}' at byte 14."},
      {"text after the brace", npy(header("'<f4'", "(1,)") + "x"),
       malformed + "more text after the closing brace at byte 58."},
      {"NUL in the header", npy(std::string("{\0}", 3)), malformed + "no string at byte 1."},
      {"unknown key", npy("{'colour': 'red'}"),
       malformed + "unexpected or repeated key 'colour' at byte 10."},
      {"key with control characters", npy("{'\x1b[31m': 1}"),
       malformed + "unexpected or repeated key '\\x1b[31m' at byte 9."},
      {"repeated key", npy("{'shape': (1,), 'shape': (1,)}"),
       malformed + "unexpected or repeated key 'shape' at byte 24."},
      {"string not closed", npy("{'descr': '<f4"),
       malformed + "a string without its closing quote at byte 10."},
      {"escape in a string", npy("{'descr': '\\x3cf4'}"),
       malformed + "an escape in a string at byte 10."},
      {"no descr", npy("{'fortran_order': False, 'shape': (1,)}"),
       malformed + "'descr' is missing at byte 39."},
      {"no order", npy("{'descr': '<f4', 'shape': (1,)}"),
       malformed + "'fortran_order' is missing at byte 31."},
      {"no shape", npy("{'descr': '<f4', 'fortran_order': False}"),
       malformed + "'shape' is missing at byte 40."},
      {"order is a number", npy(header("'<f4'", "(1,)", "0")),
       malformed + "neither True nor False at byte 34."},
      {"Fortran order", npy(header("'<f4'", "(1,)", "True")),
       "is in Fortran order; save it with numpy.ascontiguousarray."},
      {"big-endian", with_descr("'>f4'"),
       "is big-endian ('>f4'); only little-endian arrays can be read."},
      {"float16", with_descr("'<f2'"), "has elements of type '<f2'" + types},
      {"objects (pickle)", with_descr("'|O'"), "has elements of type '|O'" + types},
      {"long type", with_descr("'" + kLongName + "'"),
       "has elements of type '" + std::string(64, 'x') + "...'" + types},
      {"structured", with_descr("[('a', '<f4')]"),
       "has structured elements; only plain numbers can be read."},
      {"shape is a number", with_shape("1"), malformed + "no '(' at byte 50."},
      {"shape without its comma", with_shape("(1)"),
       malformed + "no ',' after the only size at byte 52."},
      {"negative size", with_shape("(-1,)"), malformed + "a negative size at byte 51."},
      {"size is a float", with_shape("(1.0,)"),
       malformed + "no ',' after the only size at byte 52."},
      {"size beyond 64 bits", with_shape("(99999999999999999999,)"),
       malformed + "a size that does not fit 64 bits at byte 51."},
      {"33 dimensions", with_shape("(" + kManyOnes + ")"),
       malformed + "more than 32 dimensions at byte 115."},
      {"elements overflow", with_shape("(4294967296, 4294967296)"),
       "has a shape whose size overflows 64 bits: (4294967296, 4294967296)."},
      {"bytes overflow", with_shape("(4611686018427387904,)"),
       "has a shape whose size overflows 64 bits: (4611686018427387904,)."},
      {"overflow times zero", with_shape("(4294967296, 4294967296, 0)"),
       "has a shape whose size overflows 64 bits: (4294967296, 4294967296, 0)."},
      {"an exabyte promised", with_shape("(288230376151711744,)"),
       "holds 4 bytes of elements; its shape (288230376151711744,) of float32 needs "
       "1152921504606846976."},
      {"elements cut off", npy(header("'<f4'", "(2, 3)"), 23),
       "holds 23 bytes of elements; its shape (2, 3) of float32 needs 24."},
      {"bytes after the elements", npy(header("'<f4'", "(2, 3)"), 25),
       "holds 25 bytes of elements; its shape (2, 3) of float32 needs 24."},
  };
}

TEST_CASE("every forged .npy file is refused with its sentence") {
  for (const ForgedArray& forgery : forgeries()) {
    INFO(forgery.what);
    CHECK(test::complaint([&] { parse_npy(test::bytes_of(forgery.file), "f.npy"); }) ==
          "'f.npy' " + forgery.sentence);
  }
}

TEST_CASE("a .npy file cut off anywhere is refused") {
  const std::string whole = test::npy_of_floats(3);
  for (size_t size = 0; size < whole.size(); ++size) {
    INFO(size << " of " << whole.size() << " bytes");
    CHECK_THROWS_AS(parse_npy(test::bytes_of(cut(whole, size)), "f.npy"), FormatError);
  }
}

}  // namespace

}  // namespace convkit
