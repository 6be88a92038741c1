// SPDX-License-Identifier: MIT
// The results of `bench` as data, and what their views make of them.
#include <nlohmann/json.hpp>

#include "bench/bench_options.h"
#include "bench/contestants.h"
#include "bench/json_view.h"
#include "bench/pictures.h"
#include "bench/terminal_view.h"
#include "bench/times.h"
#include "catch.h"

using namespace convkit;
using nlohmann::json;

namespace {

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TimedCode timed(const char* name, double seconds, double ratio) {
  TimedCode code;
  code.name = name;
  code.rounds = 7;
  code.time.median = code.time.lower_quartile = code.time.upper_quartile = seconds;
  code.ratio.median = code.ratio.lower_quartile = code.ratio.upper_quartile = ratio;
  return code;
}

BenchTimes two_shapes() {
  BenchTimes times;
  times.stage = "01_cpu_conv";
  times.fma_peak_flops = 100e9;
  times.shapes = {{"small", "a small one", 1e9, {timed("baseline", 1, 1), timed("yours", 0.5, 2)}},
                  {"large", "a large one", 1e9, {timed("baseline", 1, 1), timed("yours", 0.1, 8)}}};
  return times;
}

Counted counts(double loads, double launches = 1) {
  Counted counted;
  counted.outputs = 10;
  counted.counts = {{"launches", launches}, {"global_loads", loads}, {"threads", 10}};
  return counted;
}

// Two macros with two values each; of the four combinations one does not compile.
Sweep two_by_two() {
  Sweep sweep;
  sweep.name = "tiles";
  sweep.shape.flop = 2e9;
  sweep.macros = {{"TILE_M", {8, 16}}, {"TILE_N", {8, 16}}};
  sweep.across = "TILE_M", sweep.down = "TILE_N";
  return sweep;
}

}  // namespace

TEST_CASE("times: the mean over the shapes is geometric, of what has figures") {
  BenchTimes times = two_shapes();
  CHECK(times.complete());
  CHECK(times.geomean_ratios().at("yours") == Approx(4));
  times.shapes[1].rows[1].problem = "It crashed.";
  CHECK_FALSE(times.complete());
  CHECK(times.geomean_ratios().at("yours") == Approx(2));
}

TEST_CASE("times: a shape that counts says so, and what the ratios would earn") {
  BenchTimes times = two_shapes();
  times.shapes[0].points = 6;
  times.shapes[0].none = 1, times.shapes[0].full = 4;
  times.shapes[0].rows[1].points = 3;
  CHECK(mentions(table(times.shapes[0], 0),
                 "a small one  (small), counts: 6 points, all at 4x, none at 1x\n"));
  CHECK(mentions(table(times.shapes[0], 0), "7 rounds)  3.0 of 6 points\n"));
  CHECK(mentions(table(times.shapes[1], 0), "a large one  (large)\n"));
  CHECK_FALSE(mentions(table(times.shapes[1], 0), "points"));
  CHECK(mentions(summary(times), "your work would earn 3.0 of 6 points for speed.\n"));
  CHECK_FALSE(mentions(summary(two_shapes()), "would earn"));
  const json out = json::parse(to_json(times));
  CHECK(out["shapes"][0]["max_points"] == 6);
  CHECK(out["shapes"][0]["rows"][1]["points"] == 3);
  CHECK_FALSE(out["shapes"][0]["rows"][0].contains("points"));
  CHECK_FALSE(out["shapes"][1].contains("max_points"));
}

TEST_CASE(
    "times: a library without the function has no row, a submission without it has a problem") {
  SpeedCase speed;
  speed.op = "product";
  const std::vector<double> seconds(7, 1.0);
  std::vector<Timing> timings(3);
  timings[0].seconds = seconds;
  for (size_t i : {1, 2}) {
    timings[i].outcome = timings[i].failure.kind = Answer::Kind::missing_entry;
    timings[i].failure.text = "product";
  }
  const TimedShape as_library = rows_of_shape(Stage(), speed, timings, 1);
  REQUIRE(as_library.rows.size() == 2);
  CHECK(mentions(as_library.rows[1].problem, "does not define product()"));
  CHECK(rows_of_shape(Stage(), speed, timings, 2).rows.size() == 3);
}

TEST_CASE("shapes that were left out are named, with what measures them") {
  CHECK(sentence_on_left_out({}) == "");
  CHECK(sentence_on_left_out({"small"}) ==
        "small was not measured: a plain bench ends after 30 s.\n"
        "--shape NAME measures one, --seconds N all of them, N seconds each.\n");
  CHECK(mentions(sentence_on_left_out({"small", "large"}), "small, large were not measured: "));
}

TEST_CASE("a plain bench has a limit of time; one with a choice has none") {
  BenchOptions options;
  CHECK(options.end_from_now());
  CHECK(options.seconds_of_shape() == 2);
  options.shapes = {"small"};
  CHECK_FALSE(options.end_from_now());
  options.shapes.clear();
  options.seconds = 5;
  CHECK_FALSE(options.end_from_now());
  CHECK(options.seconds_of_shape() == 5);
}

TEST_CASE("shapes with points are measured first, in their order") {
  std::vector<SpeedCase> shapes(4);
  shapes[0].name = "a", shapes[1].name = "b", shapes[2].name = "c", shapes[3].name = "d";
  shapes[1].points = shapes[3].points = 5;
  std::string order;
  for (const SpeedCase& shape : those_with_points_first(shapes)) order += shape.name;
  CHECK(order == "bdac");
}

TEST_CASE("times: both views show figures, and a problem instead of them") {
  BenchTimes times = two_shapes();
  times.shapes[1].rows[1].problem = "It crashed.";
  const json out = json::parse(to_json(times));
  CHECK(out["schema"] == "convkit-bench-1");
  CHECK(out["device"] == "cpu");
  const json& row = out["shapes"][0]["rows"][1];
  CHECK(row["median_ms"].get<double>() == Approx(500));
  CHECK(row["gflops"].get<double>() == Approx(2));
  CHECK(row["share_of_peak"].get<double>() == Approx(0.02));
  CHECK(row["baseline_ratio"]["median"] == 2);
  CHECK(out["shapes"][1]["rows"][1] == json{{"name", "yours"}, {"error", "It crashed."}});

  CHECK(mentions(heading(times), "measured FMA peak 100.0 GFLOP/s"));
  CHECK(mentions(table(times.shapes[0], times.fma_peak_flops), "2.0 % of peak    2.00x"));
  CHECK_FALSE(mentions(table(times.shapes[0], 0), "of peak"));
  CHECK(mentions(table(times.shapes[1], 0), "yours      It crashed."));
  CHECK(mentions(summary(times), "  yours 2.00x"));
}

TEST_CASE("counts: of a library that launches no kernel there are none") {
  BenchCounts result{"1", "06_cudnn_port", {{"a", "A", "one image", {}}}};
  result.shapes[0].rows = {{"baseline", counts(40)}, {"yours", counts(0, 0), true}};
  CHECK(result.complete());
  const json rows = json::parse(to_json(result))["shapes"][0]["rows"];
  CHECK((rows[0]["global_loads"] == 40 && rows[0]["outputs"] == 10));
  CHECK(rows[1] == json{{"name", "yours"}});
  const std::string text = table(result.shapes[0]);
  CHECK(mentions(text, "A  (a), one image\n"));
  CHECK(mentions(text, "4.00 loads per output"));
  CHECK(mentions(text, "launches no kernel itself"));
  result.shapes[0].rows[0].counted.problem = "It hangs.";
  CHECK_FALSE(result.complete());
}

TEST_CASE("ladders: each step is compared with the last one that has figures") {
  Ladder ladder;
  ladder.shape.flop = 100;
  ladder.steps = {{"naive", "f"}, {"broken", "g"}, {"tiled", "h"}};
  LadderResult result{&ladder, true, "one image", 100, {}};
  result.rungs = {{&ladder.steps[0], "", 0, 0, counts(40)},
                  {&ladder.steps[1], "It is wrong.", 0, 0, {}},
                  {&ladder.steps[2], "", 0, 0, counts(10)}};
  CHECK_FALSE(result.complete());
  CHECK(mentions(table(result), "0.25x the accesses"));
  CHECK(mentions(table(result), "  broken  It is wrong."));
  const json steps =
      json::parse(to_json(LadderResults{"1", "s", "cpu", {result}}))["ladders"][0]["steps"];
  CHECK(steps[0]["multiply_adds_per_output"] == 5);
  CHECK(steps[1]["error"] == "It is wrong.");
  const BarChart chart = picture_of(result, "here");
  CHECK((chart.series.size() == 3 && chart.series[0].values[0] == 40 / 50.0));
  CHECK_FALSE(chart.series[0].values[1]);
}

TEST_CASE("ladders: a time is compared with the step before and with the peer") {
  Ladder ladder;
  ladder.shape.flop = 1e9;
  ladder.steps = {{"own", "f"}, {"vendor", "g", "peers/x.cu", "", "", true}};
  LadderResult result{&ladder, false, "", 0, {}};
  result.rungs = {{&ladder.steps[0], "", 2, 0, {}}, {&ladder.steps[1], "", 1, 0, {}}};
  CHECK(result.gflops(result.rungs[0]) == Approx(0.5));
  CHECK(mentions(table(result), "50.0 % of the peer"));
  CHECK(mentions(table(result), "2.00x as fast"));
  const json steps =
      json::parse(to_json(LadderResults{"1", "s", "gpu", {result}}))["ladders"][0]["steps"];
  CHECK(steps[0]["share_of_peer"] == 0.5);
  CHECK((steps[1]["from"] == "peers/x.cu" && steps[1]["median_ms"] == 1000));
}

TEST_CASE("sweeps: the fastest is the best, or the one with the fewest loads") {
  const Sweep sweep = two_by_two();
  SweepResult timed{&sweep, false, {{{8, 8}, "", 2, 0, {}}, {{8, 16}, "", 1, 0, {}}}};
  timed.cells.push_back({{16, 8}, "It does not compile.", 0, 0, {}});
  timed.cells.push_back({{16, 16}, "", 0, 0, {}});  // interrupted before its turn
  CHECK(timed.best() == 1);
  CHECK(mentions(table(timed), "2.0  <- best"));
  CHECK(mentions(table(timed), "- : 2 of 4 do not compile"));
  const HeatMap map = picture_of(timed, "here");
  CHECK((map.more_is_better && map.cells[1][0] == 2.0 && !map.cells[0][1]));

  SweepResult counted{&sweep, true, {}};
  const auto cell = [](double loads, double shared) {
    return SweepCell{{8, 8}, "", 0, 0, {{"global_loads", loads}, {"shared_loads", shared}}};
  };
  counted.cells = {cell(4, 1), cell(2, 9), cell(2, 7)};
  CHECK(counted.best() == 2);  // equally few global loads, fewer shared ones
  const json found = json::parse(to_json(SweepResults{"1", "s", "d", "c", {counted}}));
  const json& combinations = found["sweeps"][0]["combinations"];
  CHECK((combinations[2]["best"] == true && !combinations[0].contains("best")));
  CHECK(combinations[0]["per_output"]["global_loads"] == 4);
}

TEST_CASE("sweeps: a combination comes back from the cache as it was kept") {
  SweepCell cell{{8, 16}, "a problem", 0.5, 0.25, {{"launches", 3}}}, read{{8, 16}, "", 0, 0, {}};
  REQUIRE(from_json(to_json(cell), read));
  CHECK((read.values == cell.values && read.problem == cell.problem && read.seconds == 0.5));
  CHECK((read.spread == 0.25 && read.counts == cell.counts));
  for (const char* damaged : {"", "{", "[]", "{\"problem\": 1}"}) {
    CAPTURE(damaged);
    CHECK_FALSE(from_json(damaged, read));
  }
  CHECK(read.problem == "a problem");
}

TEST_CASE("charts: a figure that is not there is a dash, and null") {
  Chart chart;
  chart.name = "c";
  chart.rows = {"GEMM", "FFT"}, chart.columns = {"ms"};
  chart.shapes = {{"one"}, {"two"}};
  ChartResult result{&chart, {{&chart.shapes[0], "", {{1.5}, {std::nullopt}}}}};
  CHECK(result.complete());
  result.shapes.push_back({&chart.shapes[1], "f is not written yet.", {}});
  CHECK_FALSE(result.complete());
  const json shapes =
      json::parse(to_json(ChartResults{"1", "s", "d", {result}}))["charts"][0]["shapes"];
  CHECK(shapes[0]["cells"] == json{{1.5}, {nullptr}});
  CHECK(shapes[1]["error"] == "f is not written yet.");
  CHECK(mentions(table(chart, result.shapes[0]), "  FFT " + std::string(15, ' ') + "-\n"));
  CHECK(mentions(table(chart, result.shapes[1]), "two\n  f is not written yet.\n"));
  const GroupedBars bars = picture_of(result, "here");
  CHECK((bars.panels[0].values[0][0] == 1.5 && !bars.panels[0].values[0][1]));
}
