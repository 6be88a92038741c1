// SPDX-License-Identifier: MIT
#include <algorithm>

#include "catch.h"
#include "grade/case_runner.h"
#include "grade/progress.h"
#include "grade/stage_grader.h"
#include "kit_scene.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using test::KitScene;

// A runner of cases on the test submission of the session folder.
CaseRunner runner_of(const KitScene& scene, bool reveal_hidden = false,
                     uint64_t output_bytes = 64 << 10) {
  SessionOptions options = scene.kit.session_options(scene.stage(), CONVKIT_TEST_SUBMISSION);
  options.limits.wall = std::chrono::seconds(1);
  options.limits.output_bytes = output_bytes;
  return CaseRunner(scene.stage(), options, reveal_hidden);
}

constexpr const char* kSource =
    "#include \"api.h\"\n"
    "extern \"C\" void doubles(const float* x, float* y, int64_t n) {\n"
    "  for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];\n"
    "}\n"
    "extern \"C\" void prints(const float*, float* y, int64_t) { y[0] = 2; }\n";

struct Graded {
  StageResult result;
  std::vector<StageResult> published;
};

Graded graded(const KitScene& scene, const std::string& source, const StageOptions& options = {},
              const fs::path& cache = {}) {
  const fs::path folder = scene.folder.path() / "submission";
  test::write_text(folder / "a.cpp", source);
  const fs::path cache_folder = cache.empty() ? scene.folder.path() / "cache" : cache;
  Builder builder(Toolchain::find(), ObjectCache(cache_folder), scene.kit.confine());
  if (!cache.empty()) fs::remove(cache);
  ThreadPool pool(2);
  Progress progress;
  Graded graded;
  StageGrader grader(scene.kit, scene.stage(), folder, {"a.cpp"}, options);
  const auto publish = [&](const StageResult& so_far) { graded.published.push_back(so_far); };
  graded.published.push_back(grader.planned());
  grader.run_cases(builder, pool, progress, publish);
  grader.run_speed(builder, pool, progress, publish);
  graded.result = grader.result();
  return graded;
}

// A case of several calls that are not stored anywhere: call i gets the numbers i + 1 to i + 5.
class CountedCase final : public Case {
 public:
  CountedCase(std::string op, unsigned wrong) : wrong_(wrong) {
    head_.name = "counted";
    head_.op = std::move(op);
  }

  const CaseHead& head() const override { return head_; }
  CaseKind kind() const override { return CaseKind::training; }
  unsigned trials() const override { return 3; }
  std::unique_ptr<Trial> trial(unsigned index) override {
    if (index == unmakable) throw std::runtime_error("It cannot be drawn.");
    return std::make_unique<Numbers>(*this, index);
  }

  std::vector<std::vector<float>> judged;  // what each call put out
  unsigned unmakable = 3;

 private:
  class Numbers final : public Trial {
   public:
    Numbers(CountedCase& counted, unsigned index) : counted_(counted), index_(index) {
      for (int i = 1; i <= 5; ++i) x_.push_back(static_cast<float>(index) + static_cast<float>(i));
    }
    const Params& params() const override { return params_; }
    std::vector<TensorSpec> inputs() const override { return {{"x", DType::float32, {5}}}; }
    std::vector<TensorSpec> outputs() const override { return {{"y", DType::float32, {5}}}; }
    std::span<const std::byte> input(size_t) const override { return std::as_bytes(std::span(x_)); }
    bool judge(size_t, std::span<const std::byte> got, bool, CaseResult& result) override {
      const auto values = as<float>(got);
      counted_.judged.emplace_back(values.begin(), values.end());
      if (index_ != counted_.wrong_) return true;
      result.status = Status::wrong;
      result.message = "This one is wrong.";
      return false;
    }

   private:
    CountedCase& counted_;
    unsigned index_;
    Params params_ = {{"n", {5, true}}};
    std::vector<float> x_;
  };

  CaseHead head_;
  unsigned wrong_;
};

StageOptions without_speed() {
  StageOptions options;
  options.speed = false;
  return options;
}

}  // namespace

TEST_CASE("one misbehaving case after the other is judged by what it does itself") {
  const KitScene scene;
  CaseRunner runner = runner_of(scene);
  struct Expected {
    const char* op;
    Status status;
    const char* message;
  };
  for (const Expected& expected : {
           Expected{"doubles", Status::pass, ""},
           Expected{"writes_past_the_end", Status::crashed,
                    "writes_past_the_end wrote past the end of `y` (at element 16 of 5)."},
           Expected{"doubles", Status::pass, ""},
           Expected{"writes_just_past_the_end", Status::crashed,
                    "writes_just_past_the_end wrote past the end of `y`."},
           Expected{"writes_just_before_the_beginning", Status::crashed,
                    "writes_just_before_the_beginning wrote before the beginning of `y`."},
           Expected{"exits", Status::crashed,
                    "The process ended (exit code 0) before exits returned."},
           Expected{"doubles", Status::pass, ""},
           Expected{"writes_garbage_to_the_channel", Status::policy,
                    "writes_garbage_to_the_channel wrote to the grader's channel (file "
                    "descriptor 3)."},
           Expected{"nobody_defines_this", Status::wrong,
                    "The submission does not define nobody_defines_this()."},
           Expected{"throws_a_number", Status::crashed,
                    "throws_a_number threw an exception: an exception that is no std::exception"},
           Expected{"doubles", Status::pass, ""},
       }) {
    INFO(expected.op);
    const CaseResult result = scene.run(runner, scene.spec(expected.op));
    CHECK(result.status == expected.status);
    CHECK(result.message == expected.message);
    CHECK(result.op == expected.op);
  }
  const CaseResult unwritten = scene.run(runner, scene.spec("writes_nothing"));
  CHECK(unwritten.status == Status::wrong);
  CHECK_THAT(unwritten.message, Catch::Contains("Nothing was written to y"));
}

TEST_CASE("a function that hangs or floods is given up, the others are not") {
  const KitScene scene;
  CaseRunner runner = runner_of(scene);
  CHECK(scene.run(runner, scene.spec("loops")).status == Status::timed_out);
  const CaseResult skipped = scene.run(runner, scene.spec("loops"));
  CHECK(skipped.status == Status::skipped);
  CHECK(skipped.message == "Skipped: loops ended with TIMED_OUT in case case of loops.");
  CHECK(skipped.left_out == LeftOut::given_up);
  CHECK(scene.run(runner, scene.spec("floods")).status == Status::limit);
  CHECK(scene.run(runner, scene.spec("doubles")).status == Status::pass);
}

TEST_CASE("the output limit is each case's own, however much the cases before it printed") {
  const KitScene scene;
  CaseRunner runner = runner_of(scene, false, 25);  // two and a bit of "5 elements\n"
  for (int i = 0; i < 6; ++i) {
    const CaseResult result = scene.run(runner, scene.spec("prints"));
    CHECK(result.status == Status::wrong);
    CHECK_THAT(result.printed, Catch::StartsWith("5 e"));  // cut where the limit is
  }
}

TEST_CASE("a hidden case tells its status and its public sentence, and nothing else") {
  const KitScene scene;
  CaseRunner runner = runner_of(scene);
  for (const std::string op : {"writes_nothing", "prints", "throws_text", "writes_past_the_end",
                               "writes_just_past_the_end", "no_such_op"}) {
    INFO(op);
    CaseSpec spec = scene.spec(op);
    spec.hidden = true;
    const CaseResult result = scene.run(runner, spec);
    CHECK(result.hidden);
    CHECK(result.status != Status::pass);
    if (result.status == Status::grader_error) {
      CHECK_THAT(result.message, Catch::StartsWith("The public sentence. "));
      CHECK_THAT(result.message, !Catch::Contains("no_such_op"));
    } else {
      CHECK(result.message == "The public sentence.");
    }
    CHECK((result.hint + result.map + result.mistake + result.printed).empty());
  }
  CaseSpec spec = scene.spec("throws_text");
  spec.hidden = true;
  CaseRunner staff = runner_of(scene, true);
  CHECK_THAT(scene.run(staff, spec).message, Catch::Contains("no such"));
}

TEST_CASE("a fault of the kit is not blamed on the submission") {
  const KitScene scene;
  CaseRunner runner = runner_of(scene);
  CaseSpec damaged = scene.spec("doubles");
  damaged.tensors.at("out.y").sha256 = "0";
  const CaseResult result = scene.run(runner, damaged);
  CHECK(result.status == Status::grader_error);
  CHECK_THAT(result.message, Catch::Contains("does not match manifest.json") &&
                                 Catch::EndsWith("no points were lost."));
  CHECK(scene.run(runner, scene.spec("no_such_op")).status == Status::grader_error);
}

TEST_CASE("a process that has seen a hidden case runs no visible one") {
  const KitScene scene;
  CaseRunner runner = runner_of(scene, true);
  CaseSpec hidden = scene.spec("counts_calls");
  hidden.hidden = true;
  CHECK(scene.run(runner, scene.spec("counts_calls")).printed == "call 1\n");
  CHECK(scene.run(runner, hidden).printed == "call 1\n");
  CHECK(scene.run(runner, scene.spec("counts_calls")).printed == "call 2\n");
  CHECK(scene.run(runner, hidden).printed == "call 2\n");
}

TEST_CASE(
    "what hidden cases found out is not told to visible ones, but the other way round it is") {
  const KitScene scene;
  CaseRunner runner = runner_of(scene);
  CaseSpec hidden = scene.spec("loops");
  hidden.hidden = true;
  CHECK(scene.run(runner, hidden).status == Status::timed_out);
  CHECK(scene.run(runner, scene.spec("loops")).status == Status::timed_out);
  CaseSpec floods = scene.spec("floods");
  CHECK(scene.run(runner, floods).status == Status::limit);
  floods.hidden = true;
  CHECK(scene.run(runner, floods).status == Status::skipped);
}

TEST_CASE("a submission that speaks for the kit is blamed itself, after a second try") {
  const KitScene scene;
  CaseRunner runner = runner_of(scene);
  for (const char* op : {"throws_the_kits_error", "forges_a_complaint"}) {
    for (int i = 0; i < 2; ++i) {  // in a fresh process and in a used one
      INFO(op << " " << i);
      CHECK(scene.run(runner, scene.spec("doubles")).status == Status::pass);
      const CaseResult result = scene.run(runner, scene.spec(op));
      CHECK(result.status == Status::crashed);
      CHECK_THAT(result.message,
                 Catch::StartsWith("In two processes the runner could not finish its part"));
    }
  }
}

TEST_CASE("a function that hangs for what another one left behind is tried in a fresh process") {
  const KitScene scene;
  SessionOptions options = scene.kit.session_options(scene.stage(), CONVKIT_TEST_SUBMISSION);
  options.limits.wall = std::chrono::seconds(1);
  options.confined = false;  // so that nobody looks for what was left
  CaseRunner runner(scene.stage(), options);
  CHECK(scene.run(runner, scene.spec("leaves_a_thread_with_a_lock")).status == Status::pass);
  CHECK(scene.run(runner, scene.spec("takes_the_lock")).status == Status::pass);
}

// `doubles` is wrong for what `exits` leaves, and takes more than a second.
constexpr const char* kLeavesItsSign =
    "#include \"api.h\"\n"
    "#include <unistd.h>\n"
    "static float sign = 1;\n"
    "extern \"C\" void doubles(const float* x, float* y, int64_t n) {\n"
    "  usleep(1200000);\n"
    "  for (int64_t i = 0; i < n; ++i) y[i] = sign * 2 * x[i];\n"
    "}\n"
    "extern \"C\" void exits(const float* x, float* y, int64_t n) {\n"
    "  for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];\n"
    "  sign = -1;\n"
    "}\n";

TEST_CASE("a slow function that is wrong for what another one left behind is judged again") {
  const KitScene scene;
  scene.write_cases({scene.spec("exits"), scene.spec("doubles")});
  const auto cases = graded(scene, kLeavesItsSign, without_speed()).result.cases;
  CHECK(cases[0].status == Status::pass);
  CHECK(cases[1].status == Status::pass);
}

TEST_CASE("only a case that leaves something behind costs a new process") {
  const KitScene scene;
  const auto processes_for = [&](const char* op) {
    const CaseSpec spec = scene.spec(op);
    SubmissionCaller caller(scene.kit.session_options(scene.stage(), CONVKIT_TEST_SUBMISSION));
    const StoredTrial trial(scene.stage(), spec);
    SharedArena inputs(trial.inputs());
    SharedArena outputs(trial.outputs());
    for (int i = 0; i < 3; ++i) {
      CHECK(caller.call(spec, trial.params(), inputs, outputs).kind == Answer::Kind::ok);
    }
    return caller.processes();
  };
  for (const char* op : {"doubles", "joins_a_thread", "keeps_a_little_memory"}) {
    INFO(op);
    CHECK(processes_for(op) == 1);
  }
  for (const char* op : {"leaks_a_descriptor", "leaks_memory", "leaves_a_thread_with_a_lock"}) {
    INFO(op);
    CHECK(processes_for(op) == 3);
  }
}

TEST_CASE("each trial of a case is called with its own inputs, and all must pass") {
  const KitScene scene;
  CaseRunner runner = runner_of(scene);
  CountedCase good("doubles", 3);
  const CaseResult passed = runner.run(good);
  CHECK(passed.status == Status::pass);
  CHECK(passed.name == "counted");
  REQUIRE(good.judged.size() == 3);
  CHECK(good.judged[2] == std::vector<float>{6, 8, 10, 12, 14});
}

TEST_CASE("the first trial that fails decides a case, and none comes after it") {
  const KitScene scene;
  CaseRunner runner = runner_of(scene);
  CountedCase wrong("doubles", 1);
  const CaseResult result = runner.run(wrong);
  CHECK(result.status == Status::wrong);
  CHECK(result.message == "This one is wrong.");
  CHECK(wrong.judged.size() == 2);
  CountedCase crashes("throws_text", 3);
  CHECK(runner.run(crashes).status == Status::crashed);
  CHECK(crashes.judged.empty());
}

TEST_CASE("a trial that cannot be made is the kit's fault") {
  const KitScene scene;
  CaseRunner runner = runner_of(scene);
  CountedCase broken("doubles", 3);
  broken.unmakable = 1;
  const CaseResult result = runner.run(broken);
  CHECK(result.status == Status::grader_error);
  CHECK_THAT(result.message, Catch::StartsWith("It cannot be drawn. Your code was not judged"));
}

TEST_CASE("a stage's points are those of its groups, by the share of cases that pass") {
  const KitScene scene;
  scene.write_cases({scene.spec("doubles"), scene.spec("prints"), scene.spec("doubles", "second")});
  CaseSpec secret = scene.spec("prints", "second");
  scene.write_cases({secret}, true);
  const Graded graded_stage = graded(scene, kSource, without_speed());
  const StageResult& result = graded_stage.result;
  CHECK(result.status == Status::wrong);
  CHECK(result.points == Approx(20 + 10));
  CHECK(result.max_points == 70);
  CHECK(result.pending_points == 10);  // speed
  CHECK(result.message == "2 of 4 cases pass: 2 wrong.");
  REQUIRE(result.cases.size() == 4);
  CHECK(result.cases[3].hidden);
  CHECK(result.cases[3].message == "The public sentence.");
  REQUIRE(result.speed.size() == 1);
  CHECK(result.speed[0].status == Status::pending);

  // What is published on the way never promises more than there is.
  CHECK(graded_stage.published.front().pending_points == 70);
  for (const StageResult& so_far : graded_stage.published) {
    CHECK(so_far.points + so_far.pending_points <= so_far.max_points);
  }
}

TEST_CASE("one case by itself runs by itself, and hidden ones only where they are wanted") {
  const KitScene scene;
  scene.write_cases({scene.spec("doubles"), scene.spec("prints")});
  scene.write_cases({scene.spec("prints")}, true);
  StageOptions options = without_speed();
  options.hidden = false;
  CHECK(graded(scene, kSource, options).result.cases.size() == 2);
  options.wanted = [](const CaseHead& head) { return head.name == "case of doubles"; };
  const StageResult one = graded(scene, kSource, options).result;
  REQUIRE(one.cases.size() == 1);
  CHECK(one.status == Status::pass);
}

TEST_CASE("the cases of one op by themselves, whatever the others would say") {
  const KitScene scene;
  scene.write_cases({scene.spec("doubles"), scene.spec("prints"), scene.spec("doubles", "second")});
  StageOptions options = without_speed();
  options.only_op = "doubles";
  const StageResult both = graded(scene, kSource, options).result;
  REQUIRE(both.cases.size() == 2);
  CHECK(both.cases[0].op == "doubles");
  CHECK(both.cases[1].op == "doubles");
  options.only_op = "no such op";
  CHECK(graded(scene, kSource, options).result.cases.empty());
}

TEST_CASE("a result says which sets of cases it comes from") {
  const KitScene scene;
  scene.write_cases({scene.spec("doubles"), scene.spec("prints")});
  scene.write_cases({scene.spec("prints")}, true);
  const auto& sets = graded(scene, kSource, without_speed()).result.references;
  REQUIRE(sets.size() == 2);
  CHECK(sets[0].set == "visible");
  CHECK(sets[0].cases == 2);
  CHECK(sets[0].manifest_sha256 ==
        sha256_file(scene.kit.visible_cases(scene.stage()) / "manifest.json"));
  CHECK(sets[1].set == "hidden");
  CHECK(sets[1].cases == 1);
}

TEST_CASE("a CONVKIT_HIDDEN without the stage is the kit's fault and costs nothing") {
  const KitScene scene;
  scene.write_cases({scene.spec("doubles")});
  const std::string typed = (scene.folder / "hiden").string();
  setenv("CONVKIT_HIDDEN", typed.c_str(), 1);
  const StageResult result = graded(scene, kSource).result;
  StageOptions visible_only = without_speed();
  visible_only.hidden = false;
  const StageResult without_hidden = graded(scene, kSource, visible_only).result;
  unsetenv("CONVKIT_HIDDEN");
  CHECK(result.status == Status::grader_error);
  CHECK(result.message == "CONVKIT_HIDDEN is " + typed + ", but there is no folder " + typed +
                              "/session_test. Your code was not judged and no points were lost.");
  CHECK(result.points == 0);
  CHECK(result.pending_points == result.max_points);
  CHECK(without_hidden.status == Status::pass);
}

constexpr const char* kSlow =
    "#include \"api.h\"\n"
    "#include <stdlib.h>\n"
    "#include <time.h>\n"
    "#include <unistd.h>\n"
    "extern \"C\" void doubles(const float* x, float* y, int64_t n) {\n"
    "  while (clock() < 1200000) {}\n"
    "  for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];\n"
    "}\n"
    "extern \"C\" void prints(const float* x, float* y, int64_t n) {\n"
    "  usleep(600000);\n"
    "  for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];\n"
    "}\n"
    "extern \"C\" void exits(const float*, float*, int64_t) { usleep(1200000); abort(); }\n"
    "extern \"C\" void recurses(const float*, float*, int64_t) { abort(); }\n";

TEST_CASE("a function that takes long to crash is given up after two cases, a quick one is not") {
  const KitScene scene;
  scene.write_cases({scene.spec("exits"), scene.spec("exits"), scene.spec("exits"),
                     scene.spec("recurses"), scene.spec("recurses"), scene.spec("recurses")});
  const auto cases = graded(scene, kSlow, without_speed()).result.cases;
  CHECK(cases[1].status == Status::crashed);
  CHECK(cases[2].status == Status::skipped);
  CHECK(cases[2].message == "Skipped: exits crashed in 2 cases and took more than 1 s each time.");
  CHECK(cases[5].status == Status::crashed);
}

TEST_CASE("what is left when a stage's time is used up is skipped") {
  KitScene scene;
  scene.kit.stages.front().limits.all_cases = std::chrono::seconds(1);
  scene.write_cases({scene.spec("doubles"), scene.spec("recurses"), scene.spec("doubles")});
  const StageResult result = graded(scene, kSlow, without_speed()).result;
  CHECK(result.cases[0].status == Status::pass);
  for (size_t i : {size_t{1}, size_t{2}}) {
    CHECK(result.cases[i].status == Status::skipped);
    CHECK(result.cases[i].message == "Skipped: earlier cases used up the stage's 1 s.");
  }
  CHECK(result.points == Approx(40.0 / 3));
  CHECK(result.message == "1 of 3 cases pass: 2 skipped.");
}

TEST_CASE("time in which a submission sleeps is its own") {
  KitScene scene;
  scene.kit.stages.front().limits.all_cases = std::chrono::seconds(1);
  scene.write_cases({scene.spec("prints"), scene.spec("prints"), scene.spec("prints")});
  const StageResult result = graded(scene, kSlow, without_speed()).result;
  CHECK(result.cases[1].status == Status::pass);
  CHECK(result.cases[2].status == Status::skipped);
  CHECK(result.cases[2].left_out == LeftOut::time_used_up);
}

TEST_CASE("the time of a runner's processes is that of all there were") {
  const KitScene scene;
  CaseRunner runner = runner_of(scene);
  double before_s = runner.own_time_s();
  for (const char* op : {"doubles", "exits", "doubles", "hangs", "doubles"}) {
    CountedCase one(op, 3);
    runner.run(one);
    CHECK(runner.own_time_s() > before_s);
    before_s = runner.own_time_s();
  }
}

// Computes, replies in the runner's stead, and returns all the same. The runner's own reply then
// comes when the grader has asked for nothing.
constexpr const char* kForging =
    "#include \"api.h\"\n"
    "#include <unistd.h>\n"
    "extern \"C\" void doubles(const float* x, float* y, int64_t n) {\n"
    "  for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];\n"
    "}\n"
    "extern \"C\" void exits(const float* x, float* y, int64_t n) {\n"
    "  doubles(x, y, n);\n"
    "  const uint32_t reply[] = {0x636b7231, 3, 0, REQUEST};\n"
    "  for (int fd = 3; fd < 64; ++fd) (void)!write(fd, reply, sizeof reply);\n"
    "}\n";

TEST_CASE("a case that passed for a reply it had forged is told, the one after it is not") {
  const KitScene scene;
  std::string source = kForging;
  const auto forge = [&](const char* request) {
    source.replace(source.find("REQUEST"), 7, request);
    return graded(scene, source, without_speed()).result;
  };
  SECTION("in the middle") {
    scene.write_cases({scene.spec("doubles"), scene.spec("exits"), scene.spec("doubles")});
    const StageResult result = forge("4");
    CHECK(result.cases[0].status == Status::pass);
    CHECK(result.cases[1].status == Status::policy);
    CHECK(
        result.cases[1].message ==
        "exits wrote to the grader's channel: it sent a reply that the grader had not asked for.");
    CHECK(result.cases[1].name == "case of exits");
    CHECK(result.cases[2].status == Status::pass);
    CHECK(result.points == Approx(80.0 / 3));
    CHECK(result.status == Status::policy);
  }
  SECTION("in the last case") {
    scene.write_cases({scene.spec("doubles"), scene.spec("exits")});
    const StageResult result = forge("4");
    CHECK(result.cases[0].status == Status::pass);
    CHECK(result.cases[1].status == Status::policy);
    CHECK(result.points == Approx(20));
  }
}

TEST_CASE("only sources at the top of a stage's folder are compiled, the others may be included") {
  const KitScene scene;
  const BuildRequest request =
      scene.kit.build_request(scene.stage(), "/s", {"a.cpp", "old/a.cpp", "old/b.h"});
  CHECK(request.files == std::vector<std::string>{"a.cpp", "old/b.h"});
  // The compiler may read it, and an object depends on what is in it.
  CHECK(request.headers.back() == "/s/old/a.cpp");
}

TEST_CASE("a submission that does not build has its cases skipped and no points pending") {
  const KitScene scene;
  scene.write_cases({scene.spec("doubles")});
  const StageResult result = graded(scene, "int a() { return nothing; }\n").result;
  CHECK(result.status == Status::build_failed);
  CHECK_THAT(result.message, Catch::StartsWith("a.cpp:1:18: "));
  CHECK(result.cases[0].status == Status::skipped);
  CHECK(result.points + result.pending_points == 0);
}

TEST_CASE("what fails around a build or a case leaves all points pending") {
  const KitScene scene;
  scene.write_cases({scene.spec("doubles")});
  SECTION("a cache that is gone") {
    const StageResult result =
        graded(scene, kSource, {}, scene.folder.path() / "lost cache").result;
    CHECK(result.status == Status::grader_error);
    CHECK_THAT(result.message, Catch::EndsWith("no points were lost."));
    CHECK(result.pending_points == result.max_points);
    CHECK(result.points == 0);
  }
  SECTION("a manifest that is damaged") {
    test::write_text(scene.kit.visible_cases(scene.stage()) / "manifest.json", "{");
    const StageResult result = graded(scene, kSource).result;
    CHECK(result.status == Status::grader_error);
    CHECK(result.pending_points == result.max_points);
  }
  SECTION("a case file that is damaged, and the speed of the function it would have judged") {
    test::write_text(scene.kit.visible_cases(scene.stage()) / "cases.npz", "");
    test::write_text(scene.stage().directory / "baseline" / "a.cpp", kSource);
    const StageResult result = graded(scene, kSource).result;
    CHECK(result.status == Status::grader_error);
    CHECK(result.speed[0].status == Status::pending);
    // The second group has no case.
    CHECK(result.pending_points == 50);
  }
}

TEST_CASE("the result file is valid from its first byte and never half written") {
  const test::TemporaryFolder folder;
  ResultFile file(folder / "result.json");
  Result result;
  file.write(result, true);
  const std::string first = test::file_text(folder / "result.json");
  CHECK(first.ends_with("}\n"));
  result.error = "changed";
  file.write(result, false);  // too soon after the first
  CHECK(test::file_text(folder / "result.json") == first);
  file.write(result, true);
  CHECK_THAT(test::file_text(folder / "result.json"), Catch::Contains("changed"));
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);

  ResultFile nowhere(folder / "missing" / "result.json");
  CHECK_THROWS_WITH(nowhere.write(result, true), Catch::Contains("result.json"));
  ResultFile none{fs::path()};
  CHECK_NOTHROW(none.write(result, true));
}

}  // namespace convkit
