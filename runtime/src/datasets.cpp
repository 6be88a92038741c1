// SPDX-License-Identifier: MIT
#include "convkit/datasets.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "convkit/digits.h"
#include "convkit/idx.h"
#include "convkit/kit_error.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPixels = size_t{kDigitSize} * kDigitSize;

struct Names {
  const char* title;
  const char* folder;
  const char* things;
};

Names names_of(Dataset dataset) {
  if (dataset == Dataset::mnist) return {"MNIST", "mnist", "digits"};
  return {"Fashion-MNIST", "fashion-mnist", "pictures of clothes"};
}

// As downloaded or unpacked; some archives of MNIST spell the names with a dot.
std::optional<fs::path> find_file(const fs::path& folder, const std::string& stem,
                                  const std::string& kind) {
  for (const char* separator : {"-", "."}) {
    for (const char* extension : {".gz", ""}) {
      fs::path file = folder / (stem + separator + kind + extension);
      std::error_code ignored;
      if (fs::is_regular_file(file, ignored)) return file;
    }
  }
  return std::nullopt;
}

// $CONVKIT_DATA, or "".
std::string chosen_place() {
  const char* chosen = std::getenv("CONVKIT_DATA");
  return chosen ? chosen : "";
}

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
  throw FormatError("'" + file.string() + "' " + what);
}

LabelledImages make_synthetic(Split split, int64_t count) {
  constexpr int64_t kDefaultCount = 10000;
  constexpr uint64_t kTrainSeed = 1, kTestSeed = 2;
  LabelledImages out;
  out.count = count == 0 ? kDefaultCount : count;
  DigitSet set = digit_set(split == Split::train ? kTrainSeed : kTestSeed, out.count);
  out.images = std::move(set.images);
  out.labels = std::move(set.labels);
  return out;
}

}  // namespace

LabelledImages read_images(const ImageFiles& files, int64_t count) {
  IdxArray images = read_idx(files.images);
  IdxArray labels = read_idx(files.labels);
  if (images.dims.size() != 3 || images.dims[1] != kDigitSize || images.dims[2] != kDigitSize) {
    fail(files.images, "does not hold images of 28x28 pixels.");
  }
  const int64_t available = images.dims[0];
  if (labels.dims != std::vector<int64_t>{available}) {
    fail(files.labels, "does not hold one label for each of the " + std::to_string(available) +
                           " images beside it.");
  }
  if (count > available) {
    fail(files.images, "holds " + std::to_string(available) + " images; " + std::to_string(count) +
                           " were asked for.");
  }
  for (const uint8_t label : labels.bytes) {
    if (label > 9)
      fail(files.labels, "holds the label " + std::to_string(label) + "; 9 is the highest.");
  }
  LabelledImages out;
  out.count = count == 0 ? available : count;
  out.images = std::move(images.bytes);
  out.labels = std::move(labels.bytes);
  if (out.count < available) {
    out.images.resize(static_cast<size_t>(out.count) * kPixels);
    out.images.shrink_to_fit();
    out.labels.resize(static_cast<size_t>(out.count));
  }
  out.folder = files.folder;
  return out;
}

std::optional<ImageFiles> find_images_in(const fs::path& folder, Split split) {
  const std::string prefix = split == Split::train ? "train" : "t10k";
  const auto images = find_file(folder, prefix + "-images", "idx3-ubyte");
  const auto labels = find_file(folder, prefix + "-labels", "idx1-ubyte");
  if (!images || !labels) return std::nullopt;
  return ImageFiles{folder, *images, *labels};
}

std::optional<ImageFiles> find_images(Dataset dataset, Split split, const fs::path& root) {
  std::vector<fs::path> places;
  if (const std::string chosen = chosen_place(); !chosen.empty()) places.emplace_back(chosen);
  places.push_back(root / "datasets" / "cache");
  places.push_back((root / ".." / "shared" / "datasets").lexically_normal());
  for (const fs::path& place : places) {
    if (auto files = find_images_in(place / names_of(dataset).folder, split)) return files;
  }
  return std::nullopt;
}

LabelledImages load_images(Dataset dataset, Split split, const fs::path& root, int64_t count) {
  const Names names = names_of(dataset);
  if (const auto files = find_images(dataset, split, root)) {
    LabelledImages out = read_images(*files, count);
    const int64_t all = split == Split::train ? 60000 : 10000;
    const char* set = split == Split::train ? " training set, " : " test set, ";
    out.source = names.title + std::string(set) + (out.count < all ? "the first " : "") +
                 std::to_string(out.count) + " " + names.things + ", from " + out.folder.string();
    return out;
  }
  LabelledImages out = make_synthetic(split, count);
  const std::string chosen = chosen_place();
  out.source = std::string("synthetic digits (") + names.title + " was not found" +
               (chosen.empty() ? "" : ", not in CONVKIT_DATA=" + chosen + " either") +
               "; set CONVKIT_DATA or run datasets/fetch.py)";
  return out;
}

namespace {

// The checksums of datasets/README.md.
struct Original {
  Dataset dataset;
  const char* name;
  const char* sha256;
};

// clang-format off
constexpr std::array kOriginals = {
    Original{Dataset::mnist, "t10k-images-idx3-ubyte.gz",
             "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"},
    Original{Dataset::mnist, "t10k-labels-idx1-ubyte.gz",
             "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"},
    Original{Dataset::mnist, "train-images-idx3-ubyte.gz",
             "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"},
    Original{Dataset::mnist, "train-labels-idx1-ubyte.gz",
             "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"},
    Original{Dataset::fashion_mnist, "t10k-images-idx3-ubyte.gz",
             "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073"},
    Original{Dataset::fashion_mnist, "t10k-labels-idx1-ubyte.gz",
             "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5"},
    Original{Dataset::fashion_mnist, "train-images-idx3-ubyte.gz",
             "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84"},
    Original{Dataset::fashion_mnist, "train-labels-idx1-ubyte.gz",
             "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845"},
};
// clang-format on

}  // namespace

std::string original_sha256(Dataset dataset, const std::string& file_name) {
  const auto found = std::ranges::find_if(kOriginals, [&](const Original& original) {
    return original.dataset == dataset && original.name == file_name;
  });
  return found == kOriginals.end() ? "" : found->sha256;
}

}  // namespace convkit
