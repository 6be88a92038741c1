// SPDX-License-Identifier: MIT
#include "read_elements.h"

namespace convkit {

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
