// SPDX-License-Identifier: MIT
#include "cpu_device/engine/original_text.h"

#include "catch.h"
#include "simt/launch.h"

namespace convkit::simt {

TEST_CASE("a rewritten launch has its original text again") {
  CHECK(original_text("CONVKIT_SIMT_LAUNCH((k),(1, 2)) (x)") == "k<<<1, 2>>>(x)");
  CHECK(original_text("ran CONVKIT_SIMT_TEMPLATE_LAUNCH((k<int>),(dim3(1, 2), f(3))) (x) twice") ==
        "ran k<int><<<dim3(1, 2), f(3)>>>(x) twice");
  CHECK(original_text("CONVKIT_SIMT_LAUNCH((a),(1, 1)) (); CONVKIT_SIMT_LAUNCH((b),(2, 2)) ()") ==
        "a<<<1, 1>>>(); b<<<2, 2>>>()");
  CHECK(original_text(
            "a(CONVKIT_SIMT_KNOWN_LAUNCH((k),(1, 2),(0),(b::convkit_parameters_k)) (x), 3)") ==
        "a(k<<<1, 2>>>(x), 3)");
  CHECK(original_text("CONVKIT_SIMT_LAUNCH((k),(')', \"))\")) ()") == "k<<<')', \"))\">>>()");
}

TEST_CASE("text that is no rewritten launch stays as it is") {
  for (const char* text : {"", "k(x)", "CONVKIT_SIMT_LAUNCH((", "CONVKIT_SIMT_LAUNCH((k)",
                           "CONVKIT_SIMT_LAUNCH((k),(1", "CONVKIT_SIMT_LAUNCH((k),(1))",
                           "CONVKIT_SIMT_KNOWN_LAUNCH((k),(1, 2),(0"}) {
    CHECK(original_text(text).find("CONVKIT_SIMT_LAUNCH((k),(1, 2))") == std::string::npos);
  }
  CHECK(original_text("CONVKIT_SIMT_LAUNCH((k),(1") == "CONVKIT_SIMT_LAUNCH((k),(1");
}

TEST_CASE("the same text is the same place, which lives on") {
  const std::string copy = "CONVKIT_SIMT_LAUNCH((k),(1, 2)) ()";
  const char* first = convkit_simt_original_text(copy.c_str());
  CHECK(first == convkit_simt_original_text("CONVKIT_SIMT_LAUNCH((k),(1, 2)) ()"));
  CHECK(std::string(first) == "k<<<1, 2>>>()");
}

}  // namespace convkit::simt
