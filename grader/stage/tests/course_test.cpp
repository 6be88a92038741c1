// SPDX-License-Identifier: MIT
// course.toml: what it says of stages, and its mistakes named.
#include "stage/course.h"

#include "catch.h"
#include "convkit/kit_error.h"
#include "runtime/tests/test_files.h"

namespace convkit {
namespace {

std::vector<Stage> three_stages() {
  std::vector<Stage> stages(3);
  stages[0].id = "01_a";
  stages[1].id = "02_b";
  stages[1].needs = {"01_a"};
  stages[2].id = "03_c";
  stages[2].needs = {"02_b"};
  for (Stage& stage : stages) stage.groups = {{"all", "All", 100}};
  return stages;
}

Course course_of(const std::string& text) {
  const test::TemporaryFolder folder;
  test::write_text(folder / "course.toml", text);
  return load_course(folder / "course.toml", three_stages());
}

std::string complaint(const std::string& text) {
  const test::TemporaryFolder folder;
  test::write_text(folder / "course.toml", text);
  try {
    load_course(folder / "course.toml", three_stages());
  } catch (const KitError& error) {
    return std::string(error.what()).substr((folder / "course.toml").string().size());
  }
  return "";
}

TEST_CASE("a course without a file allows nothing and counts points") {
  const test::TemporaryFolder folder;
  const std::vector<Stage> stages = three_stages();
  const Course course = load_course(folder / "none.toml", stages);
  CHECK(course.reference.empty());
  CHECK(course.students_have_baselines);
  CHECK(course.share(stages[1], stages) == Approx(1.0 / 3));
}

TEST_CASE("a course weighs its stages and allows reference solutions") {
  const Course course =
      course_of("reference = [\"01_a\"]\n[weights]\n\"01_a\" = 1\n\"03_c\" = 3\n");
  const std::vector<Stage> stages = three_stages();
  CHECK(course.reference == std::set<std::string>{"01_a"});
  CHECK(course.share(stages[0], stages) == 0.25);
  CHECK(course.share(stages[1], stages) == 0);
  CHECK(course.share(stages[2], stages) == 0.75);
}

TEST_CASE("a course may keep the baselines from students") {
  CHECK(!course_of("[students]\nbaselines = false").students_have_baselines);
  CHECK(course_of("[students]\nbaselines = true").students_have_baselines);
  CHECK(course_of("[students]").students_have_baselines);
}

TEST_CASE("a course may forbid to try changes of a student's code") {
  CHECK(!course_of("[students]\nmend = false").students_have_mend);
  CHECK(course_of("[students]\nbaselines = false").students_have_mend);
}

TEST_CASE("a mistake in course.toml is named with its line") {
  CHECK(complaint("references = []") == ":1: unknown key `references`.");
  CHECK(complaint("\nreference = [\"04_d\"]") == ":2: there is no stage \"04_d\".");
  CHECK(complaint("[weights]\n\"01_b\" = 1") == ":2: [weights] there is no stage \"01_b\".");
  CHECK(complaint("[weights]\n\"01_a\" = -1") ==
        ":2: [weights] `01_a` must be between 0 and 10000.");
  CHECK(complaint("[students]\nbaseline = false") == ":2: [students] unknown key `baseline`.");
  CHECK(complaint("[students]\nbaselines = 0") ==
        ":2: [students] `baselines` must be true or false.");
  CHECK(complaint("reference = ") != "");
}

TEST_CASE("what a stage needs includes what that needs") {
  const std::vector<Stage> stages = three_stages();
  CHECK(all_needs(stages[2], stages) == std::set<std::string>{"01_a", "02_b"});
  CHECK(all_needs(stages[0], stages).empty());
}

}  // namespace
}  // namespace convkit
