// SPDX-License-Identifier: MIT
// Programs that nvcc compiles without an error: nothing must be wrong with them here either.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.h"
#include "rewritten.h"

namespace convkit::rewrite {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(CONVKIT_SOURCE_DIR) / "cpu_device/rewrite/tests/fixtures";

std::string read(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

size_t errors_in(const Rewritten& result) {
  size_t errors = result.text.find("GCC error") == std::string::npos ? 0 : 1;
  for (const Diagnostic& each : result.diagnostics) {
    if (each.severity != Diagnostic::Severity::error) continue;
    UNSCOPED_INFO(each.line << ": " << each.message);
    ++errors;
  }
  return errors;
}

}  // namespace

TEST_CASE("valid programs have no errors") {
  size_t programs = 0;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    const std::string text = read(entry.path());
    const Rewritten result = test::rewritten(text);
    INFO(entry.path().filename().string());
    CHECK(errors_in(result) == 0);
    CHECK(test::lines_in(result.text) == test::lines_in(text));
    ++programs;
  }
  CHECK(programs >= 4);
}

TEST_CASE("every launch and every dynamic array of the valid programs is rewritten") {
  const auto count = [](const char* file) {
    const Rewritten result = test::rewritten(read(kFolder / file));
    return std::to_string(result.launches) + " and " + std::to_string(result.dynamic_shared);
  };
  CHECK(count("launches.cu") == "44 and 0");
  CHECK(count("shared.cu") == "2 and 11");
}

TEST_CASE("what one file of a program says, another does not take for an error") {
  const Source header("void k(int* x) { }\n#define RUN __global__\n");
  const Source main("__global__ void k(float* x);\nint main() { k(0); }\n");
  Names alone, together;
  alone.add(main);
  alone.finish();
  together.add(header);
  together.add(main);
  together.finish();
  CHECK(rewrite(main, alone).has_errors());
  CHECK_FALSE(rewrite(main, together).has_errors());
}

TEST_CASE("a macro from the command line may hold a configuration") {
  const Source source("int main() { k<<<CONFIG>>>(0); }\n");
  Names names;
  names.add(source);
  names.add_macro("CONFIG");
  names.finish();
  CHECK(rewrite(source, names).diagnostics.empty());
}

}  // namespace convkit::rewrite
