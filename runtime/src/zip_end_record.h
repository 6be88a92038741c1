// SPDX-License-Identifier: MIT
// The record at the end of a zip archive, which says where its directory lies.
#pragma once

#include "byte_source.h"

namespace convkit {

struct ZipDirectoryPlace {
  uint64_t offset = 0;   // from the start of the file
  uint64_t bytes = 0;    // the range lies within the file
  uint64_t members = 0;  // as the record says
};

// Also reads the zip64 form. Throws FormatError.
ZipDirectoryPlace find_zip_directory(const ByteSource& source);

}  // namespace convkit
