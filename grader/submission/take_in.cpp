// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "convkit/sha256.h"
#include "submission/destination.h"
#include "submission/entry_path.h"
#include "submission/file_kind.h"
#include "submission/intake.h"
#include "submission/readers.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

std::string last_component(const fs::path& given) {
  std::error_code error;
  const fs::path whole = fs::absolute(given, error).lexically_normal();
  const fs::path name = whole.has_filename() ? whole.filename() : whole.parent_path().filename();
  return name.string();
}

FileKind kind_of(const fs::path& file, const std::string& name) {
  std::ifstream stream(file, std::ios::binary);
  std::array<char, kKindBytes> bytes;
  stream.read(bytes.data(), bytes.size());
  if (!stream.is_open() || stream.bad()) {
    throw SubmissionError(
        fmt::format("`{}` cannot be read: {}.", name, std::generic_category().message(errno)));
  }
  return file_kind({bytes.data(), static_cast<size_t>(stream.gcount())});
}

void read_file(const fs::path& file, Destination& destination, const IntakeLimits& limits) {
  const std::string& name = destination.submission();
  const FileKind kind = kind_of(file, name);
  if (kind == FileKind::kEmpty) {
    throw SubmissionError(
        fmt::format("`{}` is an empty file (0 bytes): pack and upload it again.", name));
  }
  if (kind == FileKind::kEmptyZip) return;  // no files: refused below, like a folder without any
  if (is_archive(kind) && fs::file_size(file) > limits.total_bytes) {
    throw SubmissionError(
        fmt::format("`{}` is larger than {} MiB; pack the sources "
                    "only, without data and build results.",
                    name, limits.total_bytes >> 20));
  }
  if (is_archive(kind)) {
    read_archive(file, kind, destination, limits);
  } else if (is_source_name(name) && kind != FileKind::kProgram) {
    read_single_file(file, destination);
  } else {
    throw SubmissionError(fmt::format(
        "`{}` is {}; convkit opens zip, tar, tar.gz, tar.xz, tar.bz2 and tar.zst, so send "
        "the folder as one of these.",
        name, describe(kind)));
  }
}

// Opens archives with no sources beside or below them: systems for courses put what was handed in
// into a folder or an archive of their own, and some people pack twice.
void open_archives_inside(Destination& destination, const IntakeLimits& limits) {
  constexpr unsigned kMostLevels = 3, kMostArchives = 20;
  unsigned opened = 0;
  for (unsigned level = 0; level < kMostLevels; ++level) {
    const std::vector<SubmittedFile> files = destination.files();
    for (const SubmittedFile& file : files) {
      const std::string folder = file.path.substr(0, file.path.rfind('/') + 1);
      const bool beside_sources = std::ranges::any_of(files, [&](const SubmittedFile& other) {
        return other.path.starts_with(folder) && is_source_name(other.path);
      });
      if (beside_sources || !is_archive_name(file.path)) continue;
      const fs::path archive = destination.folder() / file.path;
      const FileKind kind = kind_of(archive, file.path);
      if (!is_archive(kind) || ++opened > kMostArchives) continue;
      read_archive(archive, kind, destination, limits, file.path);
      destination.take_out(file.path);
      destination.notes().add(Remark::kOpenedArchive, file.path);
    }
  }
}

// The same whether the folder was copied, moved or checked out again: names and contents count.
std::string sha256_of_files(const fs::path& root, const std::vector<SubmittedFile>& files) {
  Sha256 sum;
  const auto add = [&](std::string_view text) { sum.update(std::as_bytes(std::span(text))); };
  for (const SubmittedFile& file : files) {
    add(fmt::format("{}{}{}{}", file.path, '\0', file.bytes, '\0'));
    std::ifstream stream(root / file.path, std::ios::binary);
    std::array<char, 1 << 16> buffer;
    while (stream.read(buffer.data(), buffer.size()) || stream.gcount() > 0) {
      add({buffer.data(), static_cast<size_t>(stream.gcount())});
    }
  }
  return sha256_hex(sum.finish());
}

void refuse_empty(Destination& destination) {
  const std::string& name = destination.submission();
  if (destination.notes().has(Remark::kLeftOut)) {
    throw SubmissionError(
        fmt::format("`{}` holds only files that do not belong to a submission: {}.", name,
                    name_list(destination.notes().paths(Remark::kLeftOut))));
  }
  throw SubmissionError(fmt::format("`{}` holds no files.", name));
}

}  // namespace

Submission take_in(const fs::path& given, const fs::path& into, const IntakeLimits& limits) {
  Submission submission;
  submission.name = last_component(given);
  Destination destination(into, submission.name, limits);
  try {
    std::error_code error;
    const fs::file_status status = fs::status(given, error);
    if (status.type() == fs::file_type::directory) {
      read_folder(given, destination);
    } else if (status.type() == fs::file_type::regular) {
      read_file(given, destination, limits);
    } else if (status.type() == fs::file_type::not_found) {
      throw SubmissionError(fmt::format("There is no file or folder `{}`.", shown(given.string())));
    } else if (error) {
      throw SubmissionError(
          fmt::format("`{}` cannot be read: {}.", shown(given.string()), error.message()));
    } else {
      throw SubmissionError(
          fmt::format("`{}` is neither a file nor a folder.", shown(given.string())));
    }
    open_archives_inside(destination, limits);
    submission.root = into;
    submission.files = destination.files();
    for (const SubmittedFile& file : submission.files) {
      if (is_archive_name(file.path)) destination.notes().add(Remark::kNestedArchive, file.path);
    }
    if (submission.files.empty()) refuse_empty(destination);
    submission.notes = destination.notes().sentences();
    submission.sha256 = status.type() == fs::file_type::directory
                            ? sha256_of_files(into, submission.files)
                            : sha256_file(given);
  } catch (...) {
    destination.clear();
    throw;
  }
  return submission;
}

}  // namespace convkit
