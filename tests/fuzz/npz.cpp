// SPDX-License-Identifier: MIT
// Archives of arrays: all members, then each by itself.
#include "convkit/npz.h"

#include "fuzz.h"

namespace convkit {
namespace {

void check(const NpzArchive& archive, const std::string& name, const NpzLimits& limits) {
  fuzz::require(archive.contains(name), "a member that is named is there");
  try {
    const NpyArray array = archive.read(name);
    require_size(array.dims, array.dtype, array.bytes.size());  // or std::invalid_argument
    fuzz::require(array.bytes.size() <= limits.member_bytes, "the limit of a member holds");
    std::vector<std::byte> again(archive.header(name).data_bytes);
    archive.read_into(name, again);
    fuzz::require(again == array.bytes, "both ways to read give the same bytes");
  } catch (const FormatError& error) {
    fuzz::require_sentence(error.what());
  }
}

}  // namespace
}  // namespace convkit

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace convkit;
  const fuzz::Limited input = fuzz::limited(data, size);
  const NpzLimits limits = {
      .member_bytes = input.limit, .total_bytes = 4 * input.limit, .members = 10};
  try {
    const NpzArchive archive(std::as_bytes(input.rest), "f.npz", limits);
    const std::vector<std::string> names = archive.names();
    fuzz::require(names.size() <= limits.members, "the limit of members holds");
    for (const std::string& name : names) check(archive, name, limits);
  } catch (const FormatError& error) {
    fuzz::require_sentence(error.what());
  }
  return 0;
}
