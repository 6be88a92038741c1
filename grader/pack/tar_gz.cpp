// SPDX-License-Identifier: MIT
#include "pack/tar_gz.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <span>

#include "convkit/atomic_file.h"
#include "convkit/kit_error.h"

#ifdef CONVKIT_HAVE_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

namespace convkit {

#ifdef CONVKIT_HAVE_LIBARCHIVE

#ifdef CONVKIT_STATIC_LIBARCHIVE
// A static libarchive brings the writers of all its formats along. Two of its parts that no tar
// needs stay out, because these functions are found before theirs: the writer of xar, which takes
// libxml2 and 30 MB of ICU, and random numbers, which take Debian 12's own arc4random_buf
// (GLIBC_2.36).
extern "C" int archive_write_set_format_xar(archive*) {
  return ARCHIVE_FATAL;
}
extern "C" int archive_random(void*, size_t) {
  return ARCHIVE_FATAL;
}
#endif

namespace {

constexpr time_t k1980 = 315532800;  // every file's date, so that the bytes depend on no clock

la_ssize_t append(archive*, void* out, const void* bytes, size_t count) {
  try {
    static_cast<AtomicFile*>(out)->append({static_cast<const std::byte*>(bytes), count});
    return static_cast<la_ssize_t>(count);
  } catch (const std::runtime_error&) {
    return -1;
  }
}

}  // namespace

void write_tar_gz(const std::filesystem::path& path, const std::string& top,
                  std::vector<PackedFile> files) {
  std::ranges::sort(files, {}, &PackedFile::path);
  try {
    AtomicFile out(path);
    const std::unique_ptr<archive, int (*)(archive*)> tar(archive_write_new(), archive_write_free);
    const auto must = [&](int code) {
      if (code >= ARCHIVE_WARN) return;
      const char* why = archive_error_string(tar.get());
      throw std::runtime_error(
          fmt::format("{} cannot be written{}{}.", path.string(), why ? ": " : "", why ? why : ""));
    };
    must(archive_write_set_format_pax_restricted(tar.get()));
    must(archive_write_add_filter_gzip(tar.get()));
    must(archive_write_set_filter_option(tar.get(), "gzip", "timestamp", nullptr));
    must(archive_write_open(tar.get(), &out, nullptr, append, nullptr));
    for (const PackedFile& file : files) {
      const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                           archive_entry_free);
      archive_entry_set_pathname(entry.get(), (top + "/" + file.path).c_str());
      archive_entry_set_filetype(entry.get(), AE_IFREG);
      archive_entry_set_perm(entry.get(), file.executable ? 0755 : 0644);
      archive_entry_set_mtime(entry.get(), k1980, 0);
      archive_entry_set_size(entry.get(), static_cast<la_int64_t>(file.bytes.size()));
      must(archive_write_header(tar.get(), entry.get()));
      if (archive_write_data(tar.get(), file.bytes.data(), file.bytes.size()) < 0) {
        must(ARCHIVE_FATAL);
      }
    }
    must(archive_write_close(tar.get()));
    out.commit();
  } catch (const std::runtime_error& failure) {  // the folder is missing, the disk is full
    throw UsageError(failure.what());
  }
}

#else

void write_tar_gz(const std::filesystem::path& path, const std::string&, std::vector<PackedFile>) {
  throw UsageError(fmt::format(
      "{} cannot be written, because this kit was built without libarchive (apt-get install "
      "libarchive-dev, then build again).",
      path.string()));
}

#endif

}  // namespace convkit
