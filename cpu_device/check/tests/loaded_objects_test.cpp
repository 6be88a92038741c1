// SPDX-License-Identifier: MIT
#include "cpu_device/check/loaded_objects.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "catch.h"

using namespace convkit::simt::check;

namespace {

__attribute__((used)) int device_table[12];

// As a kernel's `__shared__ float tile[8][8]`.
float* tile_of_a_kernel() {
  static __thread float tile[8][8];
  return &tile[0][0];
}

const Variable* named(const std::vector<Variable>& variables, const std::string& name) {
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [&](const Variable& v) { return v.name() == name; });
  return found == variables.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("variables are found with their sizes, without the names of functions around them") {
  device_table[0] = 1;
  tile_of_a_kernel()[0] = 1;
  const ElfVariables variables = read_elf_variables("/proc/self/exe");
  const Variable* table = named(variables.data, "device_table");
  REQUIRE(table != nullptr);
  CHECK(table->bytes == sizeof device_table);
  const Variable* tile = named(variables.thread_local_, "tile");
  REQUIRE(tile != nullptr);
  CHECK(tile->bytes == 256);
}

TEST_CASE("a file that is not an ELF file has no variables") {
  const auto file = std::filesystem::temp_directory_path() / "convkit_elf_symbols_test";
  CHECK(read_elf_variables(file.string()).data.empty());
  std::ofstream(file) << "\x7f"
                      << "ELF" << std::string(40, '\xff');
  CHECK(read_elf_variables(file.string()).data.empty());
  std::filesystem::remove(file);
}

TEST_CASE("an offset between two variables belongs to the nearer one") {
  const std::vector<Variable> variables = {{100, 10, "a"}, {200, 10, "b"}};
  CHECK(nearest_variable(variables, 105)->symbol == "a");
  CHECK(nearest_variable(variables, 110)->symbol == "a");
  CHECK(nearest_variable(variables, 199)->symbol == "b");
  CHECK(nearest_variable(variables, 50)->symbol == "a");
  CHECK(nearest_variable(variables, 900)->symbol == "b");
  CHECK(nearest_variable({}, 0) == nullptr);
}
