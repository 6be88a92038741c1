// SPDX-License-Identifier: MIT
#include "zip_directory.h"

#include <algorithm>
#include <array>
#include <optional>

#include "little_endian.h"
#include "zip_format.h"

namespace convkit {
namespace {

using Bytes = std::span<const std::byte>;

// Takes the 64-bit values of the fields that are marked as too large, in their fixed order.
// Returns false if the extra fields are damaged or do not hold them.
bool read_extra64(Bytes extra, std::initializer_list<uint64_t*> fields) {
  std::optional<Bytes> values;
  while (extra.size() >= 4) {
    const auto id = load_le<uint16_t>(extra, 0);
    const size_t size = load_le<uint16_t>(extra, 2);
    if (size > extra.size() - 4) return false;
    if (id == zip::kZip64Extra) {
      if (values) return false;
      values = extra.subspan(4, size);
    }
    extra = extra.subspan(4 + size);
  }
  if (!extra.empty()) return false;
  for (uint64_t* field : fields) {
    if (*field != zip::kIn64) continue;
    if (!values || values->size() < 8) return false;
    *field = load_le<uint64_t>(*values, 0);
    values = values->subspan(8);
  }
  return true;
}

struct NamedMember {
  std::string name;
  ZipMember member;
  uint64_t record_bytes = 0;
};

// The directory's record at `offset`; the directory ends at `end`.
NamedMember read_record(const ByteSource& source, uint64_t offset, uint64_t end) {
  const std::string damaged = source.subject() + " has a damaged zip directory.";
  if (end - offset < zip::kCentralBytes) throw FormatError(damaged);
  const auto fixed = read_bytes(source, offset, zip::kCentralBytes);
  const size_t name_bytes = load_le<uint16_t>(fixed, 28);
  const size_t extra_bytes = load_le<uint16_t>(fixed, 30);
  const size_t comment_bytes = load_le<uint16_t>(fixed, 32);
  const size_t record_bytes = zip::kCentralBytes + name_bytes + extra_bytes + comment_bytes;
  if (load_le<uint32_t>(fixed, 0) != zip::kCentralSignature || end - offset < record_bytes) {
    throw FormatError(damaged);
  }
  const auto rest = read_bytes(source, offset + zip::kCentralBytes, name_bytes + extra_bytes);

  NamedMember out;
  out.record_bytes = record_bytes;
  out.name.assign(reinterpret_cast<const char*>(rest.data()), name_bytes);
  ZipMember& member = out.member;
  member.flags = load_le<uint16_t>(fixed, 8);
  const auto method = load_le<uint16_t>(fixed, 10);
  member.deflated = method == zip::kDeflated;
  member.crc32 = load_le<uint32_t>(fixed, 16);
  member.packed_bytes = load_le<uint32_t>(fixed, 20);
  member.bytes = load_le<uint32_t>(fixed, 24);
  member.header_offset = load_le<uint32_t>(fixed, 42);

  const std::string subject = member_subject(source, out.name);
  if (!read_extra64(Bytes(rest).subspan(name_bytes),
                    {&member.bytes, &member.packed_bytes, &member.header_offset})) {
    throw FormatError(subject + " has a damaged extra field in the zip directory.");
  }
  if (member.flags & (zip::kEncryptedFlags | zip::kPatchFlag)) {
    throw FormatError(subject + " is encrypted or a patch; it cannot be read.");
  }
  if (method != zip::kStored && method != zip::kDeflated) {
    throw FormatError(subject + " is packed with zip method " + std::to_string(method) +
                      "; only stored and deflated members can be read.");
  }
  return out;
}

void check_sizes(const ZipMember& member, const NpzLimits& limits, const std::string& subject) {
  if (member.bytes > limits.member_bytes) {
    throw FormatError(subject + " unpacks to " + std::to_string(member.bytes) +
                      " bytes; the limit is " + std::to_string(limits.member_bytes) + ".");
  }
  if (member.header_offset >= member.end_limit ||
      member.packed_bytes > member.end_limit - member.header_offset) {
    throw FormatError(subject + " lies over another member or past the end.");
  }
  const bool possible = member.deflated ? member.bytes <= most_inflated_bytes(member.packed_bytes)
                                        : member.bytes == member.packed_bytes;
  if (!possible) {
    throw FormatError(subject + " cannot unpack to " + std::to_string(member.bytes) +
                      " bytes from " + std::to_string(member.packed_bytes) + " packed ones.");
  }
}

}  // namespace

std::string member_subject(const ByteSource& source, const std::string& name) {
  return "Member " + printable(name) + " of " + source.subject();
}

std::map<std::string, ZipMember> read_zip_directory(const ByteSource& source,
                                                    const NpzLimits& limits) {
  const ZipDirectoryPlace place = find_zip_directory(source);
  if (place.members > limits.members) {
    throw FormatError(source.subject() + " has " + std::to_string(place.members) +
                      " members; the limit is " + std::to_string(limits.members) + ".");
  }
  const uint64_t end = place.offset + place.bytes;
  uint64_t offset = place.offset;
  std::map<std::string, ZipMember> members;
  for (uint64_t i = 0; i < place.members; ++i) {
    NamedMember next = read_record(source, offset, end);
    offset += next.record_bytes;
    if (!members.emplace(next.name, next.member).second) {
      throw FormatError(source.subject() + " has two members named " + printable(next.name) + ".");
    }
  }
  if (offset != end) {
    throw FormatError(source.subject() + " has more in its zip directory than it says.");
  }

  // Each member may reach to where the next one begins, so that none lies over another: that is
  // how a small archive can unpack to terabytes.
  std::vector<std::pair<const std::string, ZipMember>*> by_offset;
  for (auto& member : members) by_offset.push_back(&member);
  std::sort(by_offset.begin(), by_offset.end(), [](const auto* a, const auto* b) {
    return a->second.header_offset < b->second.header_offset;
  });
  uint64_t total = 0;
  for (size_t i = 0; i < by_offset.size(); ++i) {
    auto& [name, member] = *by_offset[i];
    const bool last = i + 1 == by_offset.size();
    member.end_limit = last ? place.offset : by_offset[i + 1]->second.header_offset;
    check_sizes(member, limits, member_subject(source, name));
    total += member.bytes;
    if (total > limits.total_bytes) {
      throw FormatError(source.subject() + " unpacks to more than " +
                        std::to_string(limits.total_bytes) + " bytes, the limit.");
    }
  }
  return members;
}

uint64_t zip_data_offset(const ByteSource& source, const std::string& name, const ZipMember& member,
                         const std::string& subject) {
  const std::string damaged = subject + " has a damaged header.";
  const std::string other = subject + " has a header that disagrees with the zip directory.";
  if (member.end_limit - member.header_offset < zip::kLocalBytes) throw FormatError(damaged);
  const auto fixed = read_bytes(source, member.header_offset, zip::kLocalBytes);
  const size_t name_bytes = load_le<uint16_t>(fixed, 26);
  const size_t extra_bytes = load_le<uint16_t>(fixed, 28);
  const uint64_t header_bytes = zip::kLocalBytes + name_bytes + extra_bytes;
  if (load_le<uint32_t>(fixed, 0) != zip::kLocalSignature ||
      member.end_limit - member.header_offset < header_bytes) {
    throw FormatError(damaged);
  }
  const auto rest =
      read_bytes(source, member.header_offset + zip::kLocalBytes, name_bytes + extra_bytes);
  const std::string_view own_name(reinterpret_cast<const char*>(rest.data()), name_bytes);
  const uint16_t method = member.deflated ? zip::kDeflated : zip::kStored;
  if (own_name != name || load_le<uint16_t>(fixed, 6) != member.flags ||
      load_le<uint16_t>(fixed, 8) != method) {
    throw FormatError(other);
  }
  if (!(member.flags & zip::kSizesFollowFlag)) {
    // NumPy writes the sizes of every member to a zip64 extra field, however small.
    uint64_t packed_bytes = load_le<uint32_t>(fixed, 18);
    uint64_t bytes = load_le<uint32_t>(fixed, 22);
    if (!read_extra64(Bytes(rest).subspan(name_bytes), {&bytes, &packed_bytes})) {
      throw FormatError(damaged);
    }
    if (bytes != member.bytes || packed_bytes != member.packed_bytes ||
        load_le<uint32_t>(fixed, 14) != member.crc32) {
      throw FormatError(other);
    }
  }
  const uint64_t data_offset = member.header_offset + header_bytes;
  if (member.packed_bytes > member.end_limit - data_offset) {
    throw FormatError(subject + " lies over another member or past the end.");
  }
  return data_offset;
}

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
