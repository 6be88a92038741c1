// SPDX-License-Identifier: MIT
#include "work/training_files.h"

#include <fmt/core.h>

#include <array>

#include "convkit/atomic_file.h"
#include "convkit/digits.h"
#include "convkit/kit_error.h"
#include "convkit/nearest.h"
#include "convkit/sha256.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kSyntheticTrain = 20000, kSyntheticTest = 5000;
// Other seeds than those of load_images() and of any grading.
constexpr uint64_t kTrainSeed = 101, kTestSeed = 102;
// A change of how digits are drawn makes the files of before useless: it shows in this number.
constexpr int kSyntheticVersion = 1;

std::string title_of(Dataset dataset) {
  return dataset == Dataset::mnist ? "MNIST" : "Fashion-MNIST";
}

std::string folder_of(Dataset dataset) {
  return dataset == Dataset::mnist ? "mnist" : "fashion-mnist";
}

void must_be_original(Dataset dataset, const ImageFiles& files) {
  for (const fs::path& file : {files.images, files.labels}) {
    const std::string expected = original_sha256(dataset, file.filename().string());
    if (expected.empty()) continue;  // unpacked by someone
    const std::string found = sha256_file(file);
    if (found == expected) continue;
    throw UsageError(fmt::format(
        "{} is damaged or not a file of {}: its sha256 is {}, not {}. Remove it and run: "
        "python3 datasets/fetch.py {}",
        file.string(), title_of(dataset), found, expected, folder_of(dataset)));
  }
}

std::optional<TrainingFiles> original_files(const Kit& kit, Dataset dataset,
                                            const std::string& name) {
  const auto train = find_images(dataset, Split::train, kit.root);
  const auto test = find_images(dataset, Split::test, kit.root);
  if (!train || !test) return std::nullopt;
  must_be_original(dataset, *train);
  must_be_original(dataset, *test);
  return TrainingFiles{name, "", *train, *test};
}

void write_idx(const fs::path& file, const std::vector<uint32_t>& dims,
               std::span<const uint8_t> bytes) {
  std::vector<uint8_t> head = {0, 0, 8, static_cast<uint8_t>(dims.size())};
  for (const uint32_t dim : dims) {
    for (int shift = 24; shift >= 0; shift -= 8) head.push_back(static_cast<uint8_t>(dim >> shift));
  }
  AtomicFile out(file);
  out.append(std::as_bytes(std::span(head)));
  out.append(std::as_bytes(bytes));
  out.commit();
}

void write_digits(const ImageFiles& files, uint64_t seed, int64_t count) {
  std::error_code error;
  // Each appears whole or not at all; a file that was damaged later is found when it is read.
  if (fs::exists(files.images, error) && fs::exists(files.labels, error)) return;
  const DigitSet digits = digit_set(seed, count);
  const auto n = static_cast<uint32_t>(count);
  write_idx(files.images, {n, kDigitSize, kDigitSize}, digits.images);
  write_idx(files.labels, {n}, digits.labels);
}

TrainingFiles synthetic_files() {
  const fs::path folder = ObjectCache::default_folder() / "data" /
                          fmt::format("synthetic-digits-{}", kSyntheticVersion);
  const auto files = [&](const std::string& prefix) {
    return ImageFiles{folder, folder / (prefix + "-images-idx3-ubyte"),
                      folder / (prefix + "-labels-idx1-ubyte")};
  };
  TrainingFiles made{"synthetic", "", files("train"), files("t10k")};
  try {
    fs::create_directories(folder);
    write_digits(made.train, kTrainSeed, kSyntheticTrain);
    write_digits(made.test, kTestSeed, kSyntheticTest);
  } catch (const std::runtime_error& problem) {
    throw UsageError(fmt::format(
        "The synthetic digits cannot be written to {}: {} Set CONVKIT_CACHE to another folder.",
        folder.string(), problem.what()));
  }
  return made;
}

TrainingFiles own_files(const fs::path& folder) {
  const auto train = find_images_in(folder, Split::train);
  const auto test = find_images_in(folder, Split::test);
  if (train && test) return {folder.filename().string(), "", *train, *test};
  throw UsageError(fmt::format(
      "{} does not hold {}-images-idx3-ubyte and {}-labels-idx1-ubyte, with or without .gz.",
      folder.string(), train ? "t10k" : "train", train ? "t10k" : "train"));
}

TrainingFiles chosen_files(const Kit& kit, const std::string& wanted) {
  if (wanted == "synthetic") return synthetic_files();
  if (wanted.empty() || wanted == "mnist" || wanted == "fashion") {
    const Dataset dataset = wanted == "fashion" ? Dataset::fashion_mnist : Dataset::mnist;
    if (auto files = original_files(kit, dataset, wanted.empty() ? "mnist" : wanted)) {
      return *files;
    }
    if (!wanted.empty()) {
      throw UsageError(
          fmt::format("{} was not found. Run python3 datasets/fetch.py {} to get it, set "
                      "CONVKIT_DATA to its folder, or use --data synthetic.",
                      title_of(dataset), folder_of(dataset)));
    }
    TrainingFiles digits = synthetic_files();
    digits.note =
        "MNIST was not found: these are synthetic digits. "
        "Run python3 datasets/fetch.py to get MNIST.";
    return digits;
  }
  std::error_code error;
  if (fs::is_directory(wanted, error)) return own_files(fs::absolute(wanted).lexically_normal());
  const std::string near = nearest(wanted, {"mnist", "fashion", "synthetic"});
  throw UsageError(
      fmt::format("There is no data set `{}` and no such folder.{} --data accepts mnist, fashion, "
                  "synthetic or a folder with four IDX files.",
                  wanted, near.empty() ? "" : fmt::format(" Did you mean `{}`?", near)));
}

}  // namespace

TrainingFiles find_training_files(const Kit& kit, const std::string& wanted) {
  TrainingFiles files = chosen_files(kit, wanted);
  try {
    read_images(files.train);
    read_images(files.test);
  } catch (const FormatError& error) {
    const bool ours = files.name == "synthetic";
    throw UsageError(
        fmt::format("{}{}", error.what(), ours ? " Remove that file, and it is made again." : ""));
  }
  return files;
}

}  // namespace convkit
