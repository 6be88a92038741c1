// SPDX-License-Identifier: MIT
// The directory of a zip archive, read without trust: whatever it says is checked against the
// file, the limits and the members' own headers before anything is allocated or unpacked. The
// record at the end of the archive says where it lies.
#pragma once

#include <map>
#include <memory>

#include "byte_source.h"
#include "byte_stream.h"
#include "convkit/npz.h"

namespace convkit {

struct ZipMember {
  bool deflated = false;
  uint16_t flags = 0;
  uint32_t crc32 = 0;
  uint64_t packed_bytes = 0;
  uint64_t bytes = 0;          // unpacked
  uint64_t header_offset = 0;  // of the member's own header
  uint64_t end_limit = 0;      // where the next member, or the directory, begins
};

// Members by name. Throws FormatError.
std::map<std::string, ZipMember> read_zip_directory(const ByteSource& source,
                                                    const NpzLimits& limits);

// Where the packed data of a member begin. Its own header must agree with the directory. Throws
// FormatError beginning with `subject`.
uint64_t zip_data_offset(const ByteSource& source, const std::string& name, const ZipMember& member,
                         const std::string& subject);

// "Member 'x' of 'file'", the beginning of an error sentence.
std::string member_subject(const ByteSource& source, const std::string& name);

struct ZipDirectoryPlace {
  uint64_t offset = 0;   // from the start of the file
  uint64_t bytes = 0;    // the range lies within the file
  uint64_t members = 0;  // as the record says
};

// Also reads the zip64 form. Throws FormatError.
ZipDirectoryPlace find_zip_directory(const ByteSource& source);

}  // namespace convkit
