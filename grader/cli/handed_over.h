// SPDX-License-Identifier: MIT
// Commands that another program of the kit has in a checkout. It is built when one of them is first
// used, so that the first build need not wait for it. In packages one program has every command:
// their programs would each hold the grader.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace convkit {

inline constexpr const char *kWorkbench = "convkit-workbench", *kMend = "convkit-mend";

// What `check` hands over behind its report: the same check again, of which only the search is
// told.
inline constexpr const char* kSearchOfCheck = "search-of-check";

struct HandedOver {
  CommandText text;
  const char* program;
};

inline constexpr HandedOver
    kBench = {{"bench", "time your work against the baseline", "./convkit bench 1"}, kWorkbench},
    kProfile = {{"profile",
                 "count what a profiler of a GPU would count, by source line, without a GPU",
                 "./convkit profile 3"},
                kWorkbench},
    kPredict = {{"predict", "name the digits in pictures with a trained network",
                 "./convkit predict model.npz photo.jpg"},
                "convkit-predict"},
    kVerify = {{"verify", "prove that the kit is sound", "./convkit verify"}, "convkit-author"},
    kPack = {{"pack", "make a copy of the kit that runs without being built",
              "./convkit pack students --out convkit-students.tar.gz"},
             "convkit-author"},
    kNewStage = {{"new-stage", "write the skeleton of a stage, which passes as it is",
                  "./convkit new-stage 08_blur --gpu"},
                 "convkit-author"},
    kNewCase = {{"new-case", "append a case to a stage and make its reference",
                 "./convkit new-case 1 stride_three --op conv2d_forward"},
                "convkit-author"},
    kNewVariant = {{"new-variant", "write a wrong variant of a solution, to be edited",
                    "./convkit new-variant 1 bias_twice --file conv2d.cpp"},
                   "convkit-author"};

// Becomes `program COMMAND WORDS...`. Throws KitError where it cannot be started.
[[noreturn]] void hand_over(const Kit& kit, const char* program, std::string command,
                            std::vector<std::string> words);

}  // namespace convkit
