// SPDX-License-Identifier: MIT
// Damaged archives, thousands of them: each is taken in or refused with a SubmissionError, and
// nothing appears outside the target. Seeds are fixed, so a failure repeats.
#include <random>

#include "catch.h"
#include "hostile_archives.h"
#include "scratch.h"

using namespace convkit;
namespace fs = std::filesystem;

namespace {

std::string mutated(std::string bytes, std::mt19937& random) {
  const auto pick = [&](size_t below) { return static_cast<size_t>(random() % below); };
  for (size_t i = 1 + pick(6); i > 0 && !bytes.empty(); --i) {
    const size_t at = pick(bytes.size());
    switch (pick(5)) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << pick(8)));
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3:
        bytes.insert(at, bytes.substr(pick(bytes.size()), pick(64)));
        break;
      default:
        bytes.replace(at, 4, std::string(4, pick(2) ? '\xff' : '\0'));
        break;
    }
  }
  return bytes;
}

// Everything below the scratch folder but for what lies in `into`.
size_t entries_outside(const fs::path& top) {
  size_t count = 0;
  for (fs::recursive_directory_iterator entry(top), end; entry != end; ++entry) {
    if (entry->path().filename() == "into") entry.disable_recursion_pending();
    ++count;
  }
  return count;
}

void storm(const std::string& seed_archive, unsigned rounds) {
  std::mt19937 random(20240607);
  const Scratch scratch;
  const IntakeLimits limits{1 << 20, 1 << 18, 20, 4};
  for (unsigned round = 0; round < rounds; ++round) {
    CAPTURE(round);
    scratch.file("a.bin", mutated(seed_archive, random));
    try {
      const Submission submission = scratch.take("a.bin", limits);
      uint64_t bytes = 0;
      for (const SubmittedFile& file : submission.files) bytes += file.bytes;
      if (bytes > limits.total_bytes) FAIL("the limit did not hold");
      find_stages(submission, {{"01_cpu_conv", {"conv2d.cpp"}}});
      for (const fs::directory_entry& entry : fs::directory_iterator(scratch.into())) {
        fs::remove_all(entry.path());
      }
    } catch (const SubmissionError& error) {
      if (std::string(error.what()).empty()) FAIL("a refusal without a sentence");
      if (!fs::is_empty(scratch.into())) FAIL("left behind after: " << error.what());
    }
    if (entries_outside(scratch / ".") != 2) FAIL("something was written outside");
  }
  SUCCEED();
}

}  // namespace

TEST_CASE("no damaged zip does harm") {
  storm(zip({{"01_cpu_conv/", "", 040755},
             {"01_cpu_conv/conv2d.cpp"},
             {"../up.cpp", "int y;\n"},
             {"zeros.bin", deflated_zeros(1), 0100644, 0x0800, 8, 0, 0xa738ea1c, 1 << 20}}),
        600);
  storm(zip({{"01/conv2d.cpp"}, {"zeros.bin", deflated_zeros(1), 0100644, 0, 8, 3, {}, 1 << 17}}),
        600);
  storm(zip({{"01/conv2d.cpp"}, {"01\\b.cpp"}, {"01/link", "/etc/passwd", 0120777}}), 600);
}

TEST_CASE("no damaged tar does harm") {
  storm(tar({{"01/conv2d.cpp"}, {"01/x/b.cpp", "int y;\n"}}), 600);
  storm(tar({{"01/conv2d.cpp"}, {"l", "", '2', "/etc"}, {"h", "", '1', "01/conv2d.cpp"}}), 600);
}

TEST_CASE("no damaged compressed tar does harm") {
  const std::string whole = tar({{"01/conv2d.cpp"}, {"01/x/b.cpp", "int y;\n"}});
  for (const char* filter : {"gzip", "xz", "bzip2", "zstd"}) {
    CAPTURE(filter);
    storm(compressed(whole, filter), 150);
  }
}
