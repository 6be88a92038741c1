// SPDX-License-Identifier: MIT
#include "data.h"

#include <fmt/format.h>

#include <algorithm>

#include "convkit/idx.h"
#include "convkit/sha256.h"

namespace convkit::train {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw UsageError(fmt::format("{}: {} (sha256 {})", file.string(), why, sha256_file(file)));
}

IdxArray read(const fs::path& file, size_t rank) {
  if (!fs::exists(file)) throw UsageError(fmt::format("{}: there is no such file.", file.string()));
  IdxArray array;
  try {
    array = read_idx(file);
  } catch (const FormatError& error) {
    throw UsageError(fmt::format("{} (sha256 {})", error.what(), sha256_file(file)));
  }
  if (array.dims.size() != rank) {
    refuse(file, fmt::format("it has {} dimensions, {} are wanted.", array.dims.size(), rank));
  }
  return array;
}

}  // namespace

ImageSet load(const fs::path& images, const fs::path& labels, int64_t limit) {
  IdxArray pictures = read(images, 3), names = read(labels, 1);
  if (pictures.dims[0] != names.dims[0]) {
    refuse(labels, fmt::format("it has {} labels, and {} has {} images.", names.dims[0],
                               images.string(), pictures.dims[0]));
  }
  if (pictures.dims[0] == 0) refuse(images, "it has no images.");
  if (std::max(pictures.dims[1], pictures.dims[2]) > 4096 || pictures.bytes.empty()) {
    refuse(images,
           fmt::format("images of {}x{} are no digits.", pictures.dims[1], pictures.dims[2]));
  }
  if (*std::max_element(names.bytes.begin(), names.bytes.end()) > 9) {
    refuse(labels, "labels are 0 to 9.");
  }
  ImageSet set;
  set.count = limit > 0 ? std::min(limit, pictures.dims[0]) : pictures.dims[0];
  set.height = static_cast<int>(pictures.dims[1]);
  set.width = static_cast<int>(pictures.dims[2]);
  set.images = std::move(pictures.bytes);
  set.labels = std::move(names.bytes);
  set.labels.resize(static_cast<size_t>(set.count));
  return set;
}

}  // namespace convkit::train
