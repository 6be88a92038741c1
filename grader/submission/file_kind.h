// SPDX-License-Identifier: MIT
// What a file is, from its first bytes; its name does not count.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace convkit {

enum class FileKind {
  kEmpty,
  kEmptyZip,
  // Kinds that take_in() opens:
  kZip,
  kTar,
  kGzip,
  kXz,
  kBzip2,
  kZstd,
  // Kinds that it can name:
  kRar,
  kSevenZip,
  kPdf,
  kWebPage,
  kProgram,
  kPicture,
  kText,
  kUnknown,
};

inline constexpr size_t kKindBytes = 512;  // how many first bytes file_kind() wants

FileKind file_kind(std::string_view first_bytes);

inline bool is_archive(FileKind kind) {
  return kind >= FileKind::kZip && kind <= FileKind::kZstd;
}

// "a PDF document": for "... is X".
std::string_view describe(FileKind kind);

// By name: a source or header that a compiler of the kit reads; an archive of any sort.
bool is_source_name(std::string_view path);
bool is_archive_name(std::string_view path);

}  // namespace convkit
