// SPDX-License-Identifier: MIT
#include "scratch.h"

#include <stdlib.h>

#include <fstream>
#include <iterator>

#include "catch.h"

namespace convkit {

namespace fs = std::filesystem;

Scratch::Scratch() {
  std::string name = (fs::temp_directory_path() / "convkit-intake-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  folder_ = name;
  fs::create_directory(into());
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

fs::path Scratch::file(const std::string& name, std::string_view bytes) const {
  const fs::path path = folder_ / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

Submission Scratch::take(const std::string& name, const IntakeLimits& limits) const {
  return take_in(folder_ / name, into(), limits);
}

std::string Scratch::refusal(const std::string& name, const IntakeLimits& limits) const {
  try {
    take(name, limits);
  } catch (const SubmissionError& error) {
    CHECK(fs::is_empty(into()));
    return error.what();
  }
  return "";
}

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string listing(const Submission& submission) {
  std::string all;
  for (const SubmittedFile& file : submission.files) all += (all.empty() ? "" : " ") + file.path;
  return all;
}

}  // namespace convkit
