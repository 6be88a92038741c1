// SPDX-License-Identifier: MIT
#include "report/plain_text.h"

#include <cstdint>

namespace convkit {
namespace {

struct Decoded {
  size_t length = 0;  // bytes; 0: malformed
  uint32_t code = 0;
};

// The first character of `text`: overlong forms, surrogates and cut sequences are malformed.
Decoded decode(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  uint32_t code = lead & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const uint32_t smallest = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
  if (code < smallest || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {length, code};
}

bool is_harmless(uint32_t code) {
  if (code == '\n' || code == '\t') return true;
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool bidirectional = code == 0x200e || code == 0x200f ||
                             (code >= 0x202a && code <= 0x202e) ||
                             (code >= 0x2066 && code <= 0x2069);
  const bool no_character = (code & 0xfffe) == 0xfffe;  // which XML cannot hold
  return !control && !bidirectional && !no_character && code != 0x2028 && code != 0x2029;
}

}  // namespace

std::string plain_text(std::string_view text) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Decoded first = decode(text);
    const bool keep = first.length > 0 && is_harmless(first.code);
    result += keep ? text.substr(0, first.length) : kReplacement;
    text.remove_prefix(first.length > 0 ? first.length : 1);
  }
  return result;
}

}  // namespace convkit
