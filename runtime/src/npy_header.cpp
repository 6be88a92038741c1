// SPDX-License-Identifier: MIT
#include "npy_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convkit/checked_size.h"
#include "convkit/kit_error.h"
#include "little_endian.h"

namespace convkit {
namespace {

// The part of Python's literal syntax that .npy headers use: strings, booleans, tuples of sizes.

// Reads `text` from front to back. Each function skips white space first and throws FormatError,
// "<complaint>: <what was expected> at byte <n>.", where the text does not fit.
class PythonLiteral {
 public:
  PythonLiteral(std::string_view text, std::string complaint)
      : text_(text), complaint_(std::move(complaint)) {}

  char peek();          // the next character; '\0' at the end
  bool accept(char c);  // takes the next character if it is c
  void expect(char c);
  void expect_end();
  std::string string();  // 'in quotes' of either kind, without escapes
  bool boolean();        // True or False
  // (), (2,) or (2, 3): at most `limit` sizes, each from 0 to INT64_MAX
  std::vector<int64_t> tuple(size_t limit);
  [[noreturn]] void fail(const std::string& what) const;

 private:
  int64_t size();
  bool accept_word(std::string_view word);

  std::string_view text_;
  std::string complaint_;
  size_t at_ = 0;
};

void PythonLiteral::fail(const std::string& what) const {
  throw FormatError(complaint_ + ": " + what + " at byte " + std::to_string(at_) + ".");
}

char PythonLiteral::peek() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool PythonLiteral::accept(char c) {
  // The end reads as '\0', which must not stand for a NUL in the text.
  if (peek() != c || at_ == text_.size()) return false;
  ++at_;
  return true;
}

void PythonLiteral::expect(char c) {
  if (!accept(c)) fail(std::string("no '") + c + "'");
}

void PythonLiteral::expect_end() {
  peek();
  if (at_ != text_.size()) fail("more text after the closing brace");
}

std::string PythonLiteral::string() {
  const char quote = peek();
  if (quote != '\'' && quote != '"') fail("no string");
  const size_t end = text_.find(quote, at_ + 1);
  if (end == std::string_view::npos) fail("a string without its closing quote");
  const std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
  if (content.find('\\') != std::string_view::npos) fail("an escape in a string");
  at_ = end + 1;
  return std::string(content);
}

bool PythonLiteral::accept_word(std::string_view word) {
  peek();
  if (!text_.substr(at_).starts_with(word)) return false;
  at_ += word.size();
  return true;
}

bool PythonLiteral::boolean() {
  if (accept_word("True")) return true;
  if (!accept_word("False")) fail("neither True nor False");
  return false;
}

int64_t PythonLiteral::size() {
  if (peek() == '-') fail("a negative size");
  int64_t value = 0;
  const char* begin = text_.data() + at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (error == std::errc::result_out_of_range) fail("a size that does not fit 64 bits");
  if (error != std::errc()) fail("no size");
  at_ += static_cast<size_t>(end - begin);
  return value;
}

std::vector<int64_t> PythonLiteral::tuple(size_t limit) {
  std::vector<int64_t> sizes;
  expect('(');
  while (!accept(')')) {
    if (sizes.size() == limit) fail("more than " + std::to_string(limit) + " dimensions");
    sizes.push_back(size());
    // A single element needs its comma: (2) is a number in Python, not a tuple.
    if (!accept(',')) {
      if (sizes.size() == 1) fail("no ',' after the only size");
      expect(')');
      break;
    }
  }
  return sizes;
}

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMaxHeaderBytes = 1 << 16;
constexpr size_t kMaxDims = 32;

void read_exactly(ByteStream& stream, std::span<std::byte> into, const std::string& subject) {
  if (stream.read(into) != into.size()) {
    throw FormatError(subject + " ends within its .npy header.");
  }
}

// The length of the header's text, from the magic, the version and the length field.
size_t read_text_size(ByteStream& stream, const std::string& subject, size_t& prefix_bytes) {
  std::array<std::byte, 12> prefix{};
  const std::span<std::byte> bytes(prefix);
  if (stream.read(bytes.first(8)) != 8 ||
      std::memcmp(prefix.data(), kMagic.data(), kMagic.size()) != 0) {
    throw FormatError(subject + " is not a .npy array: it does not begin with \\x93NUMPY.");
  }
  const int major = std::to_integer<int>(prefix[6]);
  const int minor = std::to_integer<int>(prefix[7]);
  if (major < 1 || major > 3 || minor != 0) {
    throw FormatError(subject + " has .npy version " + std::to_string(major) + "." +
                      std::to_string(minor) + "; versions 1.0, 2.0 and 3.0 can be read.");
  }
  prefix_bytes = major == 1 ? 10 : 12;
  read_exactly(stream, bytes.subspan(8, prefix_bytes - 8), subject);
  const size_t size = major == 1 ? load_le<uint16_t>(bytes, 8) : load_le<uint32_t>(bytes, 8);
  if (size > kMaxHeaderBytes) {
    throw FormatError(subject + " has an absurd .npy header of " + std::to_string(size) +
                      " bytes.");
  }
  return size;
}

DType parse_descr(const std::string& descr, const std::string& subject) {
  if (descr == "<f4") return DType::float32;
  if (descr == "<f8") return DType::float64;
  if (descr == "<i4") return DType::int32;
  if (descr == "|u1" || descr == "<u1") return DType::uint8;
  if (descr.starts_with('>')) {
    throw FormatError(subject + " is big-endian (" + printable(descr) +
                      "); only little-endian arrays can be read.");
  }
  throw FormatError(subject + " has elements of type " + printable(descr) +
                    "; only float32, float64, int32 and uint8 can be read.");
}

const char* descr_of(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return "<f4";
    case DType::float64:
      return "<f8";
    case DType::int32:
      return "<i4";
    case DType::uint8:
      break;
  }
  return "|u1";
}

// {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }, keys in any order.
NpyHeader parse_text(std::string_view text, const std::string& subject) {
  std::optional<DType> dtype;
  std::optional<bool> fortran_order;
  std::optional<std::vector<int64_t>> dims;

  PythonLiteral in(text, subject + " has a malformed .npy header");
  in.expect('{');
  while (!in.accept('}')) {
    const std::string key = in.string();
    in.expect(':');
    if (key == "descr" && !dtype) {
      if (in.peek() == '[') {
        throw FormatError(subject + " has structured elements; only plain numbers can be read.");
      }
      dtype = parse_descr(in.string(), subject);
    } else if (key == "fortran_order" && !fortran_order) {
      fortran_order = in.boolean();
    } else if (key == "shape" && !dims) {
      dims = in.tuple(kMaxDims);
    } else {
      in.fail("unexpected or repeated key " + printable(key));
    }
    if (!in.accept(',')) {
      in.expect('}');
      break;
    }
  }
  in.expect_end();
  if (!dtype) in.fail("'descr' is missing");
  if (!fortran_order) in.fail("'fortran_order' is missing");
  if (!dims) in.fail("'shape' is missing");
  if (*fortran_order) {
    throw FormatError(subject + " is in Fortran order; save it with numpy.ascontiguousarray.");
  }
  return {*dtype, std::move(*dims), 0};
}

std::string text_of(std::span<const int64_t> dims) {
  std::string text = "(";
  for (size_t i = 0; i < dims.size(); ++i) text += (i ? ", " : "") + std::to_string(dims[i]);
  return text + (dims.size() == 1 ? ",)" : ")");
}

}  // namespace

NpyHeader read_npy_header(ByteStream& stream, uint64_t file_bytes, const std::string& subject) {
  size_t prefix_bytes = 0;
  std::string text(read_text_size(stream, subject, prefix_bytes), '\0');
  read_exactly(stream, std::as_writable_bytes(std::span(text)), subject);
  NpyHeader header = parse_text(text, subject);

  const auto count = checked_product(header.dims);
  const auto bytes =
      count ? checked_product({*count, static_cast<int64_t>(size_of(header.dtype))}) : count;
  if (!bytes) {
    throw FormatError(subject +
                      " has a shape whose size overflows 64 bits: " + text_of(header.dims) + ".");
  }
  header.data_bytes = static_cast<uint64_t>(*bytes);
  // min: file_bytes may be the lie of a zip directory and less than what was just read.
  const uint64_t header_bytes = prefix_bytes + text.size();
  const uint64_t available = file_bytes - std::min(file_bytes, header_bytes);
  if (available != header.data_bytes) {
    throw FormatError(subject + " holds " + std::to_string(available) +
                      " bytes of elements; its shape " + text_of(header.dims) + " of " +
                      name_of(header.dtype) + " needs " + std::to_string(header.data_bytes) + ".");
  }
  return header;
}

std::string make_npy_header(DType dtype, std::span<const int64_t> dims) {
  std::string text = "{'descr': '";
  text.append(descr_of(dtype)).append("', 'fortran_order': False, 'shape': ");
  text.append(text_of(dims)).append(", }");
  constexpr size_t kPrefix = 10, kAlignment = 64;
  const size_t unpadded = kPrefix + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string out(kMagic);
  out += {'\x01', '\x00'};
  append_le(out, static_cast<uint16_t>(text.size()));
  return out + text;
}

void read_elements(ByteStream& stream, std::span<std::byte> into, const std::string& subject) {
  const size_t got = stream.read(into);
  std::byte probe{};
  if (got < into.size()) {
    throw FormatError(subject + " ends after " + std::to_string(got) + " of " +
                      std::to_string(into.size()) + " bytes of elements.");
  }
  if (stream.read({&probe, 1}) != 0) {
    throw FormatError(subject + " goes on after its " + std::to_string(into.size()) +
                      " bytes of elements.");
  }
}

void require_within(uint64_t bytes, uint64_t limit, const std::string& subject) {
  if (bytes > limit) {
    throw FormatError(subject + " holds " + std::to_string(bytes) + " bytes; the limit is " +
                      std::to_string(limit) + ".");
  }
}

}  // namespace convkit
