// SPDX-License-Identifier: MIT
#include "runner/loaded_cudnn.h"

#include "catch.h"

using convkit::runner::cudnn_version_problem;

TEST_CASE("a cuDNN of the same major version that is not older will do") {
  for (const size_t loaded : {91400, 91401, 91500, 92000}) {
    INFO(loaded);
    CHECK(cudnn_version_problem(91400, loaded).empty());
  }
  CHECK(cudnn_version_problem(91403, 91400).empty());  // a patch adds nothing
}

TEST_CASE("an older cuDNN, or one of another major version, is named with both versions") {
  CHECK(cudnn_version_problem(91400, 90800) ==
        "cuDNN 9.8.0 was loaded, but the kit was built with the header of 9.14.0: configure and "
        "build anew, or let LD_LIBRARY_PATH name the folder of that version.");
  CHECK_FALSE(cudnn_version_problem(91400, 100000).empty());
  CHECK_FALSE(cudnn_version_problem(91400, 8907).empty());  // as cuDNN 8 counted
}
