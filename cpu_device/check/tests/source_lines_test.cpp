// SPDX-License-Identifier: MIT
#include "cpu_device/check/source_lines.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "catch.h"

using namespace convkit::simt::check;

namespace {

__attribute__((noinline)) uintptr_t where_it_returns_to() {
  return reinterpret_cast<uintptr_t>(__builtin_return_address(0));
}

}  // namespace

TEST_CASE("a return address leads to the line of the call") {
  const uintptr_t pc = where_it_returns_to();
  const int line = __LINE__ - 1;
  CHECK(line_of(pc).text() == "source_lines_test.cpp:" + std::to_string(line));
}

TEST_CASE("the lower bits of a return address lead to the same line") {
  const uintptr_t pc = where_it_returns_to();
  CHECK(line_of_stamp(pc & kPcMask, pc) == line_of(pc));
}

TEST_CASE("an address without code has no line, and the words for that") {
  CHECK(line_of(16).text() == "an unknown line");
  CHECK(line_of(16).quoted().empty());
}

TEST_CASE("a line is quoted without the space around it, where its file can be read") {
  const auto file = std::filesystem::temp_directory_path() / "convkit_source_lines_test.cu";
  std::ofstream(file) << "first\n   second;  \n";
  CHECK(SourceLine{file.string(), 2}.quoted() == "convkit_source_lines_test.cu:2: second;");
  CHECK(SourceLine{file.string(), 3}.quoted().empty());
  std::filesystem::remove(file);
  CHECK(SourceLine{file.string(), 1}.quoted().empty());
}
