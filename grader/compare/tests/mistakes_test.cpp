// SPDX-License-Identifier: MIT
// What holds of the models of all stages. What each model names is tested in its stage's folder,
// mistakes/tests/, and all those tests see the models of all stages, as a submission does.
#include <string_view>

#include "catch.h"
#include "compare/diagnose.h"

using namespace convkit;

TEST_CASE("every mistake says what is wrong and what to look at in whole sentences") {
  REQUIRE(registered_mistakes().size() > 60);
  for (const MistakeModel& model : registered_mistakes()) {
    CAPTURE(model.id);
    CHECK(std::string_view(model.sentence).ends_with('.'));
    const std::string_view hint = model.hint;
    CHECK((hint.ends_with('.') || hint.ends_with('?') || hint.ends_with(".)")));
  }
}
