// SPDX-License-Identifier: MIT
// A submission as an archive: it is taken in or refused, nothing is left behind and nothing written
// outside. Runs in a folder of memory, where there is one.
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "fuzz.h"
#include "submission/intake.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// A folder of its own, removed when the program ends.
class Workshop {
 public:
  Workshop() {
    const fs::path memory = "/dev/shm";
    std::error_code error;
    const bool usable = fs::is_directory(memory, error) && ::access(memory.c_str(), W_OK) == 0;
    std::string name = (usable ? memory : fs::temp_directory_path()) / "convkit-fuzz-XXXXXX";
    fuzz::require(::mkdtemp(name.data()) != nullptr, "a temporary folder can be made");
    top_ = name;
    fs::create_directory(into());
  }
  ~Workshop() {
    std::error_code ignored;
    fs::remove_all(top_, ignored);
  }
  fs::path file(const char* name) const { return top_ / name; }
  fs::path into() const { return top_ / "into"; }

  void empty() const {
    for (const fs::directory_entry& entry : fs::directory_iterator(into())) {
      fs::remove_all(entry.path());
    }
  }
  size_t entries() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(top_), fs::directory_iterator()));
  }

 private:
  fs::path top_;
};

void check(const Submission& submission, const IntakeLimits& limits) {
  uint64_t bytes = 0;
  for (const SubmittedFile& file : submission.files) {
    const fs::file_status status = fs::symlink_status(submission.root / file.path);
    fuzz::require(fs::is_regular_file(status), "every file is a regular file below the folder");
    const fs::path path = file.path;
    fuzz::require(path.is_relative() && std::ranges::find(path, fs::path("..")) == path.end(),
                  "a path stays inside");
    bytes += file.bytes;
  }
  fuzz::require(bytes <= limits.total_bytes && submission.files.size() <= limits.files,
                "the limits hold");
  find_stages(submission, {{"01_a", {"conv2d.cpp"}}, {"02_b", {"blur.cu", "conv2d.cpp"}}});
}

}  // namespace
}  // namespace convkit

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace convkit;
  static const Workshop workshop;
  const fuzz::Limited input = fuzz::limited(data, size);
  const IntakeLimits limits = {4 * input.limit, input.limit, 20, 4};
  const fs::path file = workshop.file(input.flags & 4 ? "conv2d.cpp" : "a.bin");
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(input.rest.data()),
             static_cast<std::streamsize>(input.rest.size()));
  try {
    check(take_in(file, workshop.into(), limits), limits);
    workshop.empty();
  } catch (const SubmissionError& error) {
    fuzz::require_sentence(error.what());
    fuzz::require(fs::is_empty(workshop.into()), "nothing is left after a refusal");
  }
  fs::remove(file);
  fuzz::require(workshop.entries() == 1, "nothing is written outside");
  return 0;
}
