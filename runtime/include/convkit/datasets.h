// SPDX-License-Identifier: MIT
// Finding the images the kit runs on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace convkit {

enum class Dataset { mnist, fashion_mnist };
enum class Split { train, test };

inline constexpr int64_t kClasses = 10;  // of either

struct LabelledImages {
  int64_t count = 0;
  std::vector<uint8_t> images;   // [count][28][28], 0 the background
  std::vector<uint8_t> labels;   // [count], 0 to 9
  std::filesystem::path folder;  // where the files lie; empty for synthetic digits
  std::string source;            // for people: "MNIST test set, 10000 digits, from <folder>"
};

// The IDX files of one split.
struct ImageFiles {
  std::filesystem::path folder, images, labels;
};

// The files that load_images() would find; they are not read. Empty if there are none.
std::optional<ImageFiles> find_images(Dataset dataset, Split split,
                                      const std::filesystem::path& root);
// The same in one folder.
std::optional<ImageFiles> find_images_in(const std::filesystem::path& folder, Split split);

// The sha256 of the original of such a file, as downloaded; "" for names that no original has.
std::string original_sha256(Dataset dataset, const std::string& file_name);

// As for the files below: they are read, or a FormatError names the one that cannot be read.
// `source` is left empty.
LabelledImages read_images(const ImageFiles& files, int64_t count = 0);

// The first `count` images of a data set (0: all of it; of synthetic digits, 10000). Looks in
// $CONVKIT_DATA, <root>/datasets/cache and <root>/../shared/datasets for folders `mnist` and
// `fashion-mnist` with the original IDX files, gzip-compressed or not; if none has them, the images
// are synthetic digits and `source` says so. Files that are there but damaged, not 28x28 or do not
// belong together are a FormatError: nothing silently stands in for them. So are fewer than `count`
// images.
LabelledImages load_images(Dataset dataset, Split split, const std::filesystem::path& root,
                           int64_t count = 0);

}  // namespace convkit
