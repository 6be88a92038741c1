// SPDX-License-Identifier: MIT
// The copy of the kit that students get: the program as it is built, and the kit's files without
// solutions, wrong variants, models of mistakes, the grader's sources and tests.
#pragma once

#include <vector>

#include "grade/kit.h"
#include "pack/tar_gz.h"

namespace convkit {

// All files of the copy. Parts of the program that are not built yet are built first. Reads from
// course.toml whether baselines belong to it, and whose reference solutions. Throws KitError where
// a file cannot be read or built.
std::vector<PackedFile> students_copy(const Kit& kit);

}  // namespace convkit
