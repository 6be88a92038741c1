// SPDX-License-Identifier: MIT
// The wording of diagnoses, pinned.
#include "compare/diagnose.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "catch.h"
#include "scene.h"

using namespace convkit;

TEST_CASE("a last row that is missing is described in full") {
  Scene scene({1, 1, 62, 62});
  for (int64_t column = 0; column < 62; ++column) scene.got[scene.at(0, 0, 61, column)] += 0.5f;
  scene.reference[scene.at(0, 0, 61, 7)] = 1.5;
  scene.got[scene.at(0, 0, 61, 7)] = 3;
  scene.reference[scene.at(0, 0, 61, 0)] = 0.4127;
  scene.got[scene.at(0, 0, 61, 0)] = 0.41275f;
  const Diagnosis diagnosis = scene.diagnosis();
  CHECK(diagnosis.id.empty());
  CHECK(diagnosis.message ==
        "62 of 3844 outputs differ (worst is 629145x the allowed error). First: y[0,0,61,0] "
        "expected 0.41270, got 0.41275.\n"
        "Worst: y[0,0,61,7] expected 1.50000, got 3.00000; the allowed error is 2.4e-06.\n"
        "All differences are in the last output row.");
  CHECK(diagnosis.map.starts_with(
      "y[0,0,:,:], 62 x 62; each character is 4 x 2 elements: . right   # wrong\n"
      "...............................\n"));
  CHECK(
      diagnosis.map.ends_with("\n...............................\n"
                              "###############################"));
  CHECK(
      diagnosis.hint ==
      "Only the end of the output is wrong there: compare the bounds of the loops, or the size of "
      "the grid, with the rows and columns of the output, and look at what is special about the "
      "last "
      "outputs.");
}

TEST_CASE("an output that nobody wrote is reported as unwritten") {
  Scene scene({2, 3, 5, 7});
  for (size_t i = 0; i < scene.got.size(); ++i) scene.unwrite(i);
  const Diagnosis diagnosis = scene.diagnosis();
  CHECK(diagnosis.id == "nothing_written");
  CHECK(diagnosis.message ==
        "Nothing was written to y: all 210 outputs are as the grader left them.");
  CHECK(diagnosis.map.empty());
}

TEST_CASE("an unwritten tail is located") {
  Scene scene({2, 3, 5, 7});
  scene.name = "dW";
  for (size_t i = 200; i < scene.got.size(); ++i) scene.unwrite(i);
  const Diagnosis diagnosis = scene.diagnosis();
  CHECK(diagnosis.id == "unwritten_tail");
  CHECK(diagnosis.message ==
        "10 of 210 outputs were never written. First: dW[1,2,3,4] (expected 1.538).\n"
        "They are the last 10 outputs, from dW[1,2,3,4] on.");
  CHECK(diagnosis.map ==
        "dW[1,2,:,:], 5 x 7: . right   ? unwritten\n"
        ".......\n"
        ".......\n"
        ".......\n"
        "....???\n"
        "???????");
}

TEST_CASE("NaN is counted apart from other differences") {
  Scene scene({1, 1, 4, 4});
  scene.set_bits(3, 0x7fc00000);
  scene.got[9] = 100;
  const Diagnosis diagnosis = scene.diagnosis();
  CHECK(diagnosis.id == "nan_output");
  CHECK(diagnosis.message ==
        "1 of 16 values is NaN; the reference has none. First: y[0,0,0,3] (expected -1.4556).\n"
        "1 of 16 outputs differs (worst is 4.3e+07x the allowed error). First: y[0,0,2,1] expected "
        "-1.52776, got 100.00000.");
  CHECK(diagnosis.map ==
        "y[0,0,:,:], 4 x 4: . right   # wrong   N NaN\n"
        "...N\n"
        "....\n"
        ".#..\n"
        "....");
  CHECK(diagnosis.hint.starts_with("NaN comes from 0/0, inf - inf"));
}

TEST_CASE("accumulating into an output that was never set is explained") {
  Scene scene({2, 3});
  for (size_t i = 0; i < scene.got.size(); ++i) scene.set_bits(i, kQuietedSentinelBits);
  const Diagnosis diagnosis = scene.diagnosis();
  CHECK(diagnosis.id == "accumulates_into_output");
  CHECK(diagnosis.message ==
        "6 of 6 outputs were computed from elements of y that were never set. First: y[0,0] "
        "(expected -1.2273).\n"
        "The result was added to what y held before.");
  CHECK(
      diagnosis.hint ==
      "The output is not initialised: sum in a local variable that starts at 0 and store it once, "
      "y[...] = sum, not y[...] += ..., or set all of y to 0 before anything is added: memset "
      "counts bytes.");
}

TEST_CASE("an infinite output is called infinite") {
  Scene scene({1, 1, 2, 2});
  scene.got[1] = std::numeric_limits<float>::infinity();
  CHECK(scene.diagnosis().message ==
        "1 of 4 outputs differs (the worst is infinite). "
        "First: y[0,0,0,1] expected -1.31897, got inf.");
}

TEST_CASE("numbers that agree in five digits are shown with nine") {
  Scene scene({2});
  scene.reference = {1.0, 2.0};
  scene.got = {1.00002f, 2.0f};
  scene.tolerance.terms = 1;
  CHECK(
      scene.diagnosis().message ==
      "1 of 2 outputs differs (worst is 84x the allowed error). First: y[0] expected 1.00000, got "
      "1.00002.");
  scene.got = {1.000004f, 2.0f};
  CHECK(scene.diagnosis().message ==
        "1 of 2 outputs differs (worst is 17x the allowed error). First: y[0] expected 1, got "
        "1.00000405.");
}

TEST_CASE("an output without elements is right") {
  CHECK(Scene({0}).diagnosis().message == "All 0 outputs agree with the reference.");
  CHECK(Scene({0, 3, 4, 4}).diagnosis().map.empty());
}

TEST_CASE("an output of one element has no place worth saying") {
  Scene scene({1});
  scene.got[0] = 5;
  CHECK(scene.diagnosis().message ==
        "1 of 1 output differs (worst is 2.6e+06x the allowed error). First: y[0] expected "
        "-1.22734, got 5.00000.");
  scene.unwrite(0);
  CHECK(scene.diagnosis().message ==
        "Nothing was written to y: its only element is as the grader left it.");
}

TEST_CASE("integers are shown whole") {
  const std::vector<int32_t> got{1, 7}, reference{1, 2};
  Evidence evidence;
  evidence.op = "same_padding";
  evidence.got = {"p", {2}, {}, {}, got};
  evidence.reference = {"p", {2}, {}, {}, reference};
  evidence.comparison = compare_int(got, reference);
  const Diagnosis diagnosis = diagnose(evidence);
  CHECK(diagnosis.message ==
        "1 of 2 outputs differs (they must be exact). First: p[1] expected 2, got 7.");
  CHECK(diagnosis.map == "p, 2 elements: . right   # wrong\n.#");
}

TEST_CASE("dimensions that do not fit the elements are not trusted") {
  Scene scene({12});
  scene.dims = {3, 3, 3, 3};
  scene.got[5] = 9;
  CHECK(scene.diagnosis().message.find("First: y[5] expected") != std::string::npos);
}

TEST_CASE("the map of a matrix shows rows and columns, at most 16 by 48 characters") {
  Scene scene({100, 500});
  scene.got[0] = 9;
  scene.got[scene.got.size() - 1] = 9;
  const std::string map = scene.diagnosis().map;
  CHECK(map.starts_with("y, 100 x 500; each character is 7 x 11 elements: . right   # wrong\n#."));
  CHECK(map.ends_with(".#"));
  CHECK(std::count(map.begin(), map.end(), '\n') == 15);
  CHECK(map.size() - map.rfind('\n') - 1 == 46);
}

TEST_CASE("the map of a channels-last output shows rows and columns of the image") {
  Scene scene({1, 3, 4, 2});
  scene.op = "nchw_to_nhwc";
  for (int64_t w = 0; w < 4; ++w) scene.got[scene.at(0, 2, w, 1)] = 9 + float(w);
  const Diagnosis diagnosis = scene.diagnosis();
  CHECK(diagnosis.map ==
        "y[0,:,:,1], 3 x 4: . right   # wrong\n"
        "....\n"
        "....\n"
        "####");
}

TEST_CASE("elements that are no array of alike numbers are called by what they are") {
  Scene scene({4});
  scene.name = "dims";
  scene.got[2] += 1;
  Evidence evidence = scene.evidence();
  evidence.got.elements = {"n", "m", "oh", "ow"};
  CHECK(diagnose(evidence).message.find("First: dims[2] (oh) expected ") != std::string::npos);
}

TEST_CASE("values with names are told by their names, others as numbers") {
  const std::vector<int32_t> reference = {2, 2, 3}, got = {2, 0, 77};
  Evidence evidence;
  evidence.op = "statuses";
  evidence.got = {"status", {3}, {}, {}, got};
  evidence.reference = {"status", {3}, {}, {}, reference};
  evidence.got.values = {{0, "SUCCESS"}, {2, "BAD_PARAM"}, {3, "NOT_SUPPORTED"}};
  evidence.comparison = compare_int(got, reference);
  const std::string message = diagnose(evidence).message;
  CAPTURE(message);
  CHECK(message.find("status[1] expected BAD_PARAM, got SUCCESS.") != std::string::npos);
  CHECK(message.find("status[2] expected NOT_SUPPORTED, got 77.") != std::string::npos);
}

TEST_CASE("of a first element that is missing the beginning of the loop is asked after") {
  Scene scene({101});
  scene.unwrite(0);
  CHECK(scene.diagnosis().hint ==
        "Only the very first element is missing: does the loop begin at 1?");
}
