// SPDX-License-Identifier: MIT
// Copies of the kit that run as they are: the program as it is built, and the kit's files without
// the grader's sources, models of mistakes and tests. That for students has no solutions and no
// wrong variants either; the instructors' has, and is what packages hold.
#pragma once

#include <string>
#include <vector>

#include "grade/kit.h"
#include "pack/tar_gz.h"

namespace convkit {

// All files of the copy. Parts of the program that are not built yet are built first. Reads from
// course.toml whether baselines belong to it, and whose reference solutions. Throws KitError where
// a file cannot be read or built.
std::vector<PackedFile> students_copy(const Kit& kit);
// The same with all baselines, solutions, wrong variants, documents and the generator of cases.
std::vector<PackedFile> instructors_copy(const Kit& kit);

// "Debian GNU/Linux 12 (bookworm) on x86_64": where the programs of a copy were built.
std::string this_system();

}  // namespace convkit
