// SPDX-License-Identifier: MIT
#include "zip_end_record.h"

#include <algorithm>

#include "little_endian.h"
#include "zip_format.h"

namespace convkit {
namespace {

using Bytes = std::span<const std::byte>;

// The record at the very end: only a comment of at most 65535 bytes may follow it.
uint64_t find_end_record(const ByteSource& source, std::vector<std::byte>& record) {
  const auto tail_bytes =
      static_cast<size_t>(std::min<uint64_t>(source.size(), zip::kEndBytes + 0xffff));
  const auto tail = read_bytes(source, source.size() - tail_bytes, tail_bytes);
  for (size_t left = zip::kEndBytes; left <= tail_bytes; ++left) {
    const Bytes at = Bytes(tail).last(left);
    if (load_le<uint32_t>(at, 0) == zip::kEndSignature &&
        load_le<uint16_t>(at, 20) == left - zip::kEndBytes) {
      record.assign(at.begin(), at.end());
      return source.size() - left;
    }
  }
  throw FormatError(source.subject() + " is not a whole zip archive: its end record is missing.");
}

// The zip64 end record, through the locator that lies just before the end record.
ZipDirectoryPlace read_end64(const ByteSource& source, uint64_t end, uint64_t& directory_end) {
  const std::string damaged = source.subject() + " has a damaged zip64 end record.";
  if (end < zip::kEnd64LocatorBytes + zip::kEnd64Bytes) throw FormatError(damaged);
  const uint64_t locator_offset = end - zip::kEnd64LocatorBytes;
  const auto locator = read_bytes(source, locator_offset, zip::kEnd64LocatorBytes);
  directory_end = load_le<uint64_t>(locator, 8);
  if (load_le<uint32_t>(locator, 0) != zip::kEnd64LocatorSignature ||
      load_le<uint32_t>(locator, 4) != 0 || load_le<uint32_t>(locator, 16) != 1 ||
      directory_end != locator_offset - zip::kEnd64Bytes) {
    throw FormatError(damaged);
  }
  const auto record = read_bytes(source, directory_end, zip::kEnd64Bytes);
  if (load_le<uint32_t>(record, 0) != zip::kEnd64Signature ||
      load_le<uint64_t>(record, 4) != zip::kEnd64Bytes - 12 || load_le<uint32_t>(record, 16) != 0 ||
      load_le<uint32_t>(record, 20) != 0 ||
      load_le<uint64_t>(record, 24) != load_le<uint64_t>(record, 32)) {
    throw FormatError(damaged);
  }
  return {load_le<uint64_t>(record, 48), load_le<uint64_t>(record, 40),
          load_le<uint64_t>(record, 32)};
}

}  // namespace

ZipDirectoryPlace find_zip_directory(const ByteSource& source) {
  std::vector<std::byte> record;
  const uint64_t end = find_end_record(source, record);
  uint64_t directory_end = end;
  ZipDirectoryPlace place{load_le<uint32_t>(record, 16), load_le<uint32_t>(record, 12),
                          load_le<uint16_t>(record, 10)};
  const bool several_parts = load_le<uint16_t>(record, 4) != 0 || load_le<uint16_t>(record, 6) != 0;
  if (several_parts || load_le<uint16_t>(record, 8) != place.members) {
    throw FormatError(source.subject() + " is one part of a zip archive in several files.");
  }
  if (place.offset == zip::kIn64 || place.bytes == zip::kIn64 || place.members == zip::kIn64Short) {
    place = read_end64(source, end, directory_end);
  }
  // Equality: bytes before the archive or between its parts have no place in a .npz.
  if (place.bytes > directory_end || place.offset != directory_end - place.bytes) {
    throw FormatError(source.subject() + " has a zip directory that is not where it should be.");
  }
  return place;
}

}  // namespace convkit
