// SPDX-License-Identifier: MIT
#include "cpu_device/cc/object_cache.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include "convkit/atomic_file.h"
#include "convkit/file_text.h"
#include "convkit/sha256.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// Beside each file lies what it was when it was stored: size and sha256. Of a large one, such as a
// precompiled header, only the size is looked at again.
constexpr const char* kSum = ".sum";
constexpr uintmax_t kReadAgain = 16 << 20;

std::string sum_of(const fs::path& file) {
  std::error_code error;
  const uintmax_t size = fs::file_size(file, error);
  if (error) return "";
  return fmt::format("{} {}", size, size <= kReadAgain ? sha256_file(file) : "-");
}

// Empty: the machine went down before the bytes of a renamed file had reached the disk.
bool is_whole(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error) || fs::file_size(file, error) == 0) return false;
  const std::string stored = file_text(file.string() + kSum);
  return stored.empty() || stored == sum_of(file);
}

void write_text(const fs::path& file, const std::string& text) {
  AtomicFile out(file);
  out.append(std::as_bytes(std::span(text.data(), text.size())));
  out.commit();
}

}  // namespace

fs::path ObjectCache::default_folder() {
  if (const char* folder = std::getenv("CONVKIT_CACHE"); folder && *folder) return folder;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg)
    return fs::path(xdg) / "convkit";
  if (const char* home = std::getenv("HOME"); home && *home && access(home, W_OK) == 0) {
    return fs::path(home) / ".cache" / "convkit";
  }
  return fs::temp_directory_path() / fmt::format("convkit-{}", getuid());
}

ObjectCache::ObjectCache(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  const bool created = fs::create_directories(folder_, error);
  struct stat info {};
  if (stat(folder_.c_str(), &info) != 0 || access(folder_.c_str(), W_OK) != 0) {
    throw std::runtime_error(fmt::format(
        "The compile cache {} cannot be written. Set CONVKIT_CACHE to a folder that can.",
        folder_.string()));
  }
  // Objects of this cache are linked and run: so a folder that others can write is refused; files
  // in it may be theirs.
  const bool mine = info.st_uid == getuid();
  const bool open_to_others = (info.st_mode & 022) != 0;
  const bool trusted = mine && (!open_to_others || created || fs::is_empty(folder_, error));
  if (!trusted || (open_to_others && chmod(folder_.c_str(), 0700) != 0)) {
    throw std::runtime_error(
        fmt::format("The compile cache {} can be written by other users. "
                    "Set CONVKIT_CACHE to a folder of your own.",
                    folder_.string()));
  }
}

std::optional<ObjectCache::Entry> ObjectCache::find(const std::string& key,
                                                    const std::string& extension) const {
  const fs::path file = folder_ / (key + extension);
  std::error_code error;
  // It is not removed: another grader may be about to write its sum.
  if (!is_whole(file)) return std::nullopt;
  for (const fs::path& used : {file, fs::path(file.string() + kSum)}) {  // recently
    fs::last_write_time(used, fs::file_time_type::clock::now(), error);
  }
  return Entry{file, file_text(folder_ / (key + ".messages"))};
}

ObjectCache::Entry ObjectCache::store(const std::string& key, const std::string& extension,
                                      const fs::path& file, const std::string& messages) {
  if (!messages.empty()) write_text(folder_ / (key + ".messages"), messages);
  return {put(key + extension, file, false), messages};
}

fs::path ObjectCache::replace(const std::string& key, const std::string& extension,
                              const fs::path& file) {
  return put(key + extension, file, true);
}

fs::path ObjectCache::put(const std::string& name, const fs::path& file, bool over) {
  const fs::path target = folder_ / name;
  // Two threads may store the same object, too.
  static std::atomic<unsigned> count{0};
  const fs::path partial =
      folder_ / fmt::format("{}.{}.{}.partial", name, getpid(), count.fetch_add(1));
  std::error_code error, ignored;
  fs::copy_file(file, partial, fs::copy_options::overwrite_existing, error);
  if (!error && !over) {
    // One that find() does not find gives way.
    if (!is_whole(target)) fs::remove(target, ignored), fs::remove(target.string() + kSum, ignored);
    fs::create_hard_link(partial, target, ignored);  // unless there is one
  }
  // Some file systems have no hard links.
  if (!error && (over || !fs::exists(target, ignored))) fs::rename(partial, target, error);
  fs::remove(partial, ignored);
  if (error) {
    throw std::runtime_error(fmt::format("The compile cache {} cannot be written: {}.",
                                         folder_.string(), error.message()));
  }
  write_text(target.string() + kSum, sum_of(target));
  return target;
}

void ObjectCache::trim(uint64_t bytes) const {
  struct Item {
    fs::path file;
    fs::file_time_type used;
    uint64_t size;
  };
  std::vector<Item> items;
  uint64_t total = 0;
  std::error_code error;
  const auto recent = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    // Locks and files that another grader is writing are not the cache's to remove.
    const std::string extension = entry.path().extension().string();
    if (extension == ".lock" || extension == ".partial") continue;
    const uint64_t size = entry.file_size(error);
    if (error) continue;
    total += size;
    const auto used = entry.last_write_time(error);
    if (!error && used < recent) items.push_back({entry.path(), used, size});
  }
  std::sort(items.begin(), items.end(),
            [](const Item& a, const Item& b) { return a.used < b.used; });
  for (const Item& item : items) {
    if (total <= bytes) break;
    if (fs::remove(item.file, error)) total -= item.size;
  }
}

}  // namespace convkit
