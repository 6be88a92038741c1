// SPDX-License-Identifier: MIT
#include "convkit/datasets.h"

#include <array>
#include <cstdlib>
#include <optional>

#include "catch.h"
#include "convkit/kit_error.h"
#include "convkit/sha256.h"
#include "test_files.h"
#include "zip_forge.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using test::complaint;
using test::TemporaryFolder;

// CONVKIT_DATA as a test wants it; as it was afterwards.
class DataVariable {
 public:
  explicit DataVariable(const std::string& value) {
    if (const char* old = std::getenv("CONVKIT_DATA")) old_ = old;
    ::setenv("CONVKIT_DATA", value.c_str(), 1);
  }
  ~DataVariable() {
    if (old_) {
      ::setenv("CONVKIT_DATA", old_->c_str(), 1);
    } else {
      ::unsetenv("CONVKIT_DATA");
    }
  }
  DataVariable(const DataVariable&) = delete;
  DataVariable& operator=(const DataVariable&) = delete;

 private:
  std::optional<std::string> old_;
};

// Images of which number i is filled with i, labelled i % 10.
std::string images(int count, char side = 28) {
  std::string out{0, 0, 8, 3, 0, 0, 0, static_cast<char>(count), 0, 0, 0, side, 0, 0, 0, side};
  for (int i = 0; i < count; ++i) {
    out += std::string(static_cast<size_t>(side) * static_cast<size_t>(side), static_cast<char>(i));
  }
  return out;
}

std::string labels(int count, int top = 10) {
  std::string out{0, 0, 8, 1, 0, 0, 0, static_cast<char>(count)};
  for (int i = 0; i < count; ++i) out += static_cast<char>(i % top);
  return out;
}

void write_test_set(const fs::path& folder, const std::string& image_file,
                    const std::string& label_file) {
  test::write_text(folder / "t10k-images-idx3-ubyte", image_file);
  test::write_text(folder / "t10k-labels-idx1-ubyte", label_file);
}

TEST_CASE("data sets are looked for in CONVKIT_DATA, then the cache, then beside the kit") {
  const TemporaryFolder folder;
  const fs::path root = folder / "kit";
  const fs::path places[] = {folder / "shared/datasets/mnist", root / "datasets/cache/mnist",
                             folder / "chosen/mnist"};
  const DataVariable variable((folder / "chosen").string());
  int count = 10;
  for (const fs::path& place : places) {
    ++count;
    write_test_set(place, images(count), labels(count));
    const LabelledImages found = load_images(Dataset::mnist, Split::test, root);
    CHECK(found.count == count);
    CHECK(found.folder == place);
    CHECK(found.images.size() == static_cast<size_t>(count) * 784);
    CHECK(found.images[784 * 4] == 4);
    CHECK(found.labels[10] == 0);
  }
}

TEST_CASE("compressed files and names with a dot are found, and the first images taken") {
  const TemporaryFolder folder;
  const DataVariable variable("");
  const fs::path place = folder / "datasets/cache/fashion-mnist";
  test::write_text(place / "train-images.idx3-ubyte.gz", test::gzip(images(20)));
  test::write_text(place / "train-labels-idx1-ubyte", labels(20));
  const LabelledImages found = load_images(Dataset::fashion_mnist, Split::train, folder.path(), 7);
  CHECK(found.count == 7);
  CHECK(found.images.size() == 7 * 784);
  CHECK(found.labels.size() == 7);
  CHECK(found.source ==
        "Fashion-MNIST training set, the first 7 pictures of clothes, from " + place.string());
  CHECK(complaint([&] { load_images(Dataset::fashion_mnist, Split::train, folder.path(), 21); }) ==
        test::named(place / "train-images.idx3-ubyte.gz") + " holds 20 images; 21 were asked for.");
}

TEST_CASE("synthetic digits stand in for a data set that is not there, and are called so") {
  const TemporaryFolder folder;
  {
    const DataVariable variable("");
    const LabelledImages found = load_images(Dataset::mnist, Split::test, folder.path(), 25);
    CHECK(found.count == 25);
    CHECK(found.labels.size() == 25);
    CHECK(found.folder.empty());
    CHECK(found.source ==
          "synthetic digits (MNIST was not found; set CONVKIT_DATA or run "
          "datasets/fetch.py)");
    CHECK(load_images(Dataset::mnist, Split::train, folder.path(), 25).images != found.images);
  }
  const DataVariable variable("/no/such/folder");
  CHECK(load_images(Dataset::fashion_mnist, Split::test, folder.path(), 1).source ==
        "synthetic digits (Fashion-MNIST was not found, not in CONVKIT_DATA=/no/such/folder "
        "either; set CONVKIT_DATA or run datasets/fetch.py)");
}

TEST_CASE("a data set that is there but damaged is an error, not a reason for synthetic digits") {
  const TemporaryFolder folder;
  const DataVariable variable(folder.path().string());
  const fs::path place = folder / "mnist";
  const auto load = [&](const std::string& image_file, const std::string& label_file) {
    write_test_set(place, image_file, label_file);
    return complaint([&] { load_images(Dataset::mnist, Split::test, "/"); });
  };
  const std::string image_name = test::named(place / "t10k-images-idx3-ubyte") + " ";
  const std::string label_name = test::named(place / "t10k-labels-idx1-ubyte") + " ";
  CHECK(load(images(3).substr(0, 100), labels(3)) ==
        image_name + "is too short for the 2352 bytes its header promises.");
  CHECK(load(images(3, 27), labels(3)) == image_name + "does not hold images of 28x28 pixels.");
  CHECK(load(labels(3), labels(3)) == image_name + "does not hold images of 28x28 pixels.");
  CHECK(load(images(3), labels(2)) ==
        label_name + "does not hold one label for each of the 3 images beside it.");
  CHECK(load(images(11), labels(11, 11)) == label_name + "holds the label 10; 9 is the highest.");
}

TEST_CASE("the real data sets are read where they are") {
  const fs::path root = CONVKIT_SOURCE_DIR;
  for (const Dataset dataset : {Dataset::mnist, Dataset::fashion_mnist}) {
    const LabelledImages found = load_images(dataset, Split::test, root);
    if (found.folder.empty()) CONVKIT_SKIP(found.source);
    CHECK(found.count == 10000);
    CHECK(found.images.size() == 7840000);
    CHECK(found.source.find(" test set, 10000 ") != std::string::npos);
    std::array<int, 10> counts{};
    for (const uint8_t label : found.labels) ++counts[label];
    if (dataset == Dataset::mnist) {
      CHECK(counts == std::array<int, 10>{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009});
    } else {
      CHECK(std::all_of(counts.begin(), counts.end(), [](int n) { return n == 1000; }));
    }
  }
}

}  // namespace
}  // namespace convkit
