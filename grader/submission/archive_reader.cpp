// SPDX-License-Identifier: MIT
// Unpacks archives through libarchive. Only the wanted formats are switched on, and only one layer
// of compression: what hides behind a second one is not looked at.
#include "submission/readers.h"

#include <fmt/core.h>

#include "submission/entry_path.h"

#ifndef CONVKIT_HAVE_LIBARCHIVE

namespace convkit {

void read_archive(const std::filesystem::path&, FileKind kind, Destination& destination,
                  const IntakeLimits&, const std::string&) {
  throw IntakeError(
      fmt::format("`{}` is {}, and this convkit was built without libarchive: install the package "
                  "libarchive-dev and build again, or unpack the archive and give the folder.",
                  destination.submission(), describe(kind)));
}

}  // namespace convkit

#else

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

namespace convkit {
namespace {

namespace fs = std::filesystem;

// libarchive translates names into the thread's locale, and in "C" it loses every letter outside
// ASCII. While an archive is read, the locale is UTF-8, which keeps the bytes.
class Utf8Locale {
 public:
  Utf8Locale() : utf8_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (utf8_) before_ = ::uselocale(utf8_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;
  ~Utf8Locale() {
    if (!utf8_) return;
    ::uselocale(before_);
    ::freelocale(utf8_);
  }

 private:
  locale_t utf8_;
  locale_t before_ = nullptr;
};

struct CloseArchive {
  void operator()(archive* reader) const { ::archive_read_free(reader); }
};

std::string_view odd_type(archive_entry* entry) {
  if (::archive_entry_hardlink(entry) || ::archive_entry_hardlink_w(entry)) return "hard link";
  switch (::archive_entry_filetype(entry)) {
    case AE_IFREG:
    case AE_IFDIR:
      return {};
    case AE_IFLNK:
      return "link";
    case AE_IFIFO:
      return "named pipe";
    case AE_IFSOCK:
      return "socket";
    case AE_IFBLK:
    case AE_IFCHR:
      return "device";
    default:
      return "special file";
  }
}

// "labs/one" of "labs/one.tar.gz".
std::string without_ending(const std::string& path) {
  std::string stem = path.substr(0, path.rfind('.'));
  if (fold_case(stem).ends_with(".tar")) stem.resize(stem.size() - 4);
  return stem;
}

class ArchiveWalk {
 public:
  ArchiveWalk(FileKind kind, Destination& destination, const IntakeLimits& limits,
              const std::string& inner)
      : reader_(::archive_read_new()),
        kind_(kind),
        destination_(destination),
        name_(inner.empty() ? destination.submission() : shown(inner)),
        folder_(inner.empty() ? "" : without_ending(inner) + '/'),
        skip_budget_{16 * limits.total_bytes},
        most_entries_{10 * (uint64_t{limits.files} + 100)} {
    if (!reader_) throw IntakeError("Out of memory while opening an archive.");
  }

  void walk(const fs::path& archive) {
    switch_on_format();
    if (::archive_read_open_filename(reader_.get(), archive.c_str(), 1 << 16) != ARCHIVE_OK) {
      refuse_container();
    }
    // Counts the filters, of which the last is the file itself.
    if (::archive_filter_count(reader_.get()) > 2) {
      throw SubmissionError(fmt::format(
          "`{}` is compressed more than once; send a zip, tar.gz or tar.xz of the folder.",
          name()));
    }
    archive_entry* entry = nullptr;
    for (uint64_t entries = 0;; ++entries) {
      const int status = ::archive_read_next_header(reader_.get(), &entry);
      if (status == ARCHIVE_EOF) return;
      if (status < ARCHIVE_WARN) entries == 0 ? refuse_container() : refuse_damaged();
      if (entries == most_entries_) {
        throw SubmissionError(fmt::format(
            "`{}` contains more than {} entries; hand in only the sources of the assignment.",
            name(), most_entries_));
      }
      visit(entry);
    }
  }

 private:
  const std::string& name() const { return name_; }

  std::string reason() const {
    const char* text = ::archive_error_string(reader_.get());
    return shown(text ? text : "no reason given");
  }

  void switch_on_format() {
    archive* reader = reader_.get();
    if (kind_ == FileKind::kZip) {
      // A zip is read only by the directory at its end, so that its contents have one
      // interpretation.
      ::archive_read_support_format_zip_seekable(reader);
      return;
    }
    ::archive_read_support_format_tar(reader);
    if (kind_ == FileKind::kGzip) ::archive_read_support_filter_gzip(reader);
    if (kind_ == FileKind::kXz) ::archive_read_support_filter_xz(reader);
    if (kind_ == FileKind::kBzip2) ::archive_read_support_filter_bzip2(reader);
    if (kind_ == FileKind::kZstd) ::archive_read_support_filter_zstd(reader);
  }

  // Nothing in it could be read at all.
  [[noreturn]] void refuse_container() const {
    if (kind_ == FileKind::kZip) {
      throw SubmissionError(
          fmt::format("`{}` is a zip whose end is missing or damaged, as after an interrupted "
                      "upload: pack and upload it again.",
                      name()));
    }
    // libarchive's "no format fits"; any other error is one of the compression.
    const bool no_tar = ::archive_errno(reader_.get()) == EILSEQ;
    if (kind_ == FileKind::kTar || !no_tar) refuse_damaged();
    throw SubmissionError(fmt::format(
        "`{}` is {} without a tar archive inside; send a zip, tar.gz or tar.xz of the folder.",
        name(), describe(kind_)));
  }

  [[noreturn]] void refuse_damaged() const {
    throw SubmissionError(
        fmt::format("`{}` is damaged ({}): pack and upload it again.", name(), reason()));
  }

  void visit(archive_entry* entry) {
    const char* raw = ::archive_entry_pathname(entry);
    if (!raw) {
      throw SubmissionError(
          fmt::format("`{}` contains an entry whose name cannot be read; pack it again.", name()));
    }
    EntryPath clean = clean_path(raw, name());
    if (!clean.path.empty()) clean.path = folder_ + clean.path;
    const bool is_folder = ::archive_entry_filetype(entry) == AE_IFDIR || clean.names_a_folder;
    if (const auto part = left_out(clean.path, is_folder)) {
      destination_.notes().add(Remark::kLeftOut, *part);
      skip(entry);
      return;
    }
    if (const std::string_view what = odd_type(entry); !what.empty()) {
      refuse_entry(destination_, what, clean.path);
    }
    if (is_folder) {
      skip(entry);  // folders come with the files in them
      return;
    }
    if (clean.path.empty()) {
      throw SubmissionError(
          fmt::format("`{}` contains a file without a name; pack it again.", name()));
    }
    if (::archive_entry_is_encrypted(entry)) {
      throw SubmissionError(
          fmt::format("`{}` is locked with a password (`{}`); pack it without one.", name(),
                      shown(clean.path)));
    }
    refuse_costly_method(clean.path);
    if (clean.replaced) destination_.notes().add(Remark::kRenamed, clean.path);
    if (clean.backslashes) destination_.notes().add(Remark::kBackslashes, clean.path);
    put(entry, clean.path);
  }

  // LZMA, xz and PPMd in a zip take as much memory as the entry asks for, up to 4 GiB, before the
  // first byte comes out, and libarchive sets no limit there. It names the method of an entry in
  // the name of the format: "ZIP 2.0 (deflation)".
  void refuse_costly_method(const std::string& path) const {
    if (kind_ != FileKind::kZip) return;
    const std::string_view format = ::archive_format_name(reader_.get());
    const std::string_view method = format.substr(std::min(format.find('('), format.size()));
    if (method == "(uncompressed)" || method == "(deflation)" || method == "(bzip)") return;
    const bool known = method.size() > 2 && method.find('?') == method.npos;
    throw SubmissionError(fmt::format(
        "`{}` in `{}` is packed by {}. Pack it with Deflate, the method that zip uses by default.",
        shown(path), name(),
        known ? fmt::format("the method {}", method.substr(1, method.size() - 2))
              : "an unknown method"));
  }

  void put(archive_entry* entry, const std::string& path) {
    std::optional<uint64_t> announced;
    if (::archive_entry_size_is_set(entry) && ::archive_entry_size(entry) >= 0) {
      announced = static_cast<uint64_t>(::archive_entry_size(entry));
    }
    const int64_t modified =
        ::archive_entry_mtime_is_set(entry) ? int64_t{::archive_entry_mtime(entry)} : 0;
    destination_.put(path, announced, modified, [&](std::span<char> buffer) {
      const la_ssize_t got = ::archive_read_data(reader_.get(), buffer.data(), buffer.size());
      if (got < 0) {
        throw SubmissionError(fmt::format("`{}` in `{}` cannot be unpacked ({}): pack it again.",
                                          shown(path), name(), reason()));
      }
      return static_cast<size_t>(got);
    });
  }

  // A zip skips by seeking, but a compressed tar must be unpacked to be skipped: that is bounded
  // too.
  void skip(archive_entry* entry) {
    const int64_t bytes = ::archive_entry_size(entry);
    if (kind_ != FileKind::kZip && bytes > 0) {
      if (static_cast<uint64_t>(bytes) > skip_budget_) {
        throw SubmissionError(
            fmt::format("`{}` holds too many files that do not belong to a submission (reached at "
                        "`{}`); pack the sources only.",
                        name(), shown(::archive_entry_pathname(entry))));
      }
      skip_budget_ -= static_cast<uint64_t>(bytes);
    }
    if (::archive_read_data_skip(reader_.get()) < ARCHIVE_WARN) refuse_damaged();
  }

  std::unique_ptr<archive, CloseArchive> reader_;
  FileKind kind_;
  Destination& destination_;
  const std::string name_, folder_;
  uint64_t skip_budget_;
  uint64_t most_entries_;  // folders and what is left out included
};

}  // namespace

void read_archive(const fs::path& archive, FileKind kind, Destination& destination,
                  const IntakeLimits& limits, const std::string& inner) {
  const Utf8Locale locale;
  ArchiveWalk(kind, destination, limits, inner).walk(archive);
}

}  // namespace convkit

#endif
