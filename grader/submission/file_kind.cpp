// SPDX-License-Identifier: MIT
#include "submission/file_kind.h"

#include <algorithm>
#include <array>

#include "submission/entry_path.h"

namespace convkit {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view bytes;
  FileKind kind;
};
constexpr std::array kSignatures = {
    Signature{"PK\3\4"sv, FileKind::kZip},
    Signature{"PK\5\6"sv, FileKind::kEmptyZip},  // its end comes first
    Signature{"\x1f\x8b"sv, FileKind::kGzip},
    Signature{"\xfd"
              "7zXZ\0"sv,
              FileKind::kXz},
    Signature{"BZh"sv, FileKind::kBzip2},
    Signature{"\x28\xb5\x2f\xfd"sv, FileKind::kZstd},
    Signature{"Rar!\x1a\x07"sv, FileKind::kRar},
    Signature{"7z\xbc\xaf\x27\x1c"sv, FileKind::kSevenZip},
    Signature{"%PDF-"sv, FileKind::kPdf},
    Signature{"\x7f"
              "ELF"sv,
              FileKind::kProgram},
    Signature{"MZ"sv, FileKind::kProgram},
    Signature{"\x89PNG"sv, FileKind::kPicture},
    Signature{"\xff\xd8\xff"sv, FileKind::kPicture},
};

// Old tar files have no magic number, but the first header has a checksum of itself. An empty tar
// is only zeros.
bool is_tar(std::string_view block) {
  if (block.size() < 512) return false;
  if (block.substr(257, 5) == "ustar") return true;
  if (block.find_first_not_of('\0') == std::string_view::npos) return true;
  unsigned sum = 0, stored = 0;
  for (size_t i = 0; i < 512; ++i) {
    sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(block[i]);
  }
  bool digits = false;
  for (const char c : block.substr(148, 8)) {
    if (c >= '0' && c <= '7') {
      stored = stored * 8 + static_cast<unsigned>(c - '0');
      digits = true;
    } else if (digits) {
      break;
    }
  }
  return digits && stored == sum;
}

bool ends_with_any(std::string_view path, const auto& ends) {
  const std::string folded = fold_case(path);
  return std::any_of(ends.begin(), ends.end(), [&](auto end) { return folded.ends_with(end); });
}

}  // namespace

FileKind file_kind(std::string_view bytes) {
  if (bytes.empty()) return FileKind::kEmpty;
  for (const Signature& signature : kSignatures) {
    if (bytes.starts_with(signature.bytes)) return signature.kind;
  }
  if (is_tar(bytes)) return FileKind::kTar;
  const size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos) {
    const std::string text = fold_case(bytes.substr(start, 15));
    if (text.starts_with("<!doctype html") || text.starts_with("<html")) return FileKind::kWebPage;
  }
  const bool text = std::none_of(bytes.begin(), bytes.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\t' && c != '\r' && c != '\n' && c != '\f';
  });
  return text ? FileKind::kText : FileKind::kUnknown;
}

std::string_view describe(FileKind kind) {
  switch (kind) {
    case FileKind::kEmpty:
      return "an empty file";
    case FileKind::kEmptyZip:
    case FileKind::kZip:
      return "a zip";
    case FileKind::kTar:
      return "a tar";
    case FileKind::kGzip:
      return "a gzip file";
    case FileKind::kXz:
      return "an xz file";
    case FileKind::kBzip2:
      return "a bzip2 file";
    case FileKind::kZstd:
      return "a zstd file";
    case FileKind::kRar:
      return "a RAR archive";
    case FileKind::kSevenZip:
      return "a 7z archive";
    case FileKind::kPdf:
      return "a PDF document";
    case FileKind::kWebPage:
      return "a web page (perhaps a log-in page saved instead of the file)";
    case FileKind::kProgram:
      return "a compiled program";
    case FileKind::kPicture:
      return "a picture";
    case FileKind::kText:
      return "a text file";
    case FileKind::kUnknown:
      break;
  }
  return "not a kind of file that convkit knows";
}

bool is_source_name(std::string_view path) {
  constexpr std::array ends = {".cpp"sv, ".cc"sv,  ".cxx"sv, ".c"sv, ".cu"sv,
                               ".cuh"sv, ".hpp"sv, ".hh"sv,  ".h"sv};
  return ends_with_any(path, ends);
}

bool is_archive_name(std::string_view path) {
  constexpr std::array ends = {".zip"sv, ".tar"sv,     ".tar.gz"sv,  ".tgz"sv, ".tar.xz"sv,
                               ".txz"sv, ".tar.bz2"sv, ".tar.zst"sv, ".rar"sv, ".7z"sv};
  return ends_with_any(path, ends);
}

}  // namespace convkit
