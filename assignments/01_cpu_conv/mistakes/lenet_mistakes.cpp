// SPDX-License-Identifier: MIT
// Mistakes of the whole network: the rows of a softmax are close to 0 and 1 whatever went wrong
// before it, so their values fit too many explanations.
#include "compare/diagnose.h"

namespace convkit::stage_01 {
namespace {

const RegisterComposedOp kLenet({"lenet_forward",
                                 "A mistake in any layer shows here: if a task before this one "
                                 "fails, mend that first, the cases of each layer say more. If "
                                 "all pass, compare the order of the layers, their sizes and "
                                 "their padding with the handout."});

}  // namespace
}  // namespace convkit::stage_01
