// SPDX-License-Identifier: MIT
#include "grade/device/told_apart.h"

#include <fstream>

#include "catch.h"
#include "convkit/temporary_folder.h"

namespace convkit {

TEST_CASE("a name that tells devices apart is found with its line, not in comments or strings") {
  const TemporaryFolder folder("told-apart");
  std::ofstream(folder.path() / "a.cu") << "int n;\n#if defined(CONVKIT_SIMT) && 1\n#endif\n";
  std::ofstream(folder.path() / "b.cuh") << "// __CUDA_ARCH__\nconst char* s = \"__NVCC__\";\n";
  std::ofstream(folder.path() / "c.cu") << "#ifdef __CUDA_\\\nARCH__\n#endif\n";
  const auto said =
      names_that_tell_devices_apart(folder.path(), {"a.cu", "b.cuh", "c.cu", "no.cu"});
  REQUIRE(said.size() == 2);
  CHECK(said[0].starts_with("a.cu:2 uses CONVKIT_SIMT, "));
  CHECK(said[1].starts_with("c.cu:1 uses __CUDA_ARCH__, "));
}

}  // namespace convkit
