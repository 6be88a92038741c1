// SPDX-License-Identifier: MIT
// [[adjoint]], [[training]], [[sweep]], [[ladder]] and [[chart]] of stage.toml: read, and their
// mistakes named.
#include <cstdlib>

#include "catch.h"
#include "convkit/kit_error.h"
#include "runtime/tests/test_files.h"
#include "stage/stage.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using test::write_text;

const std::string kStageOfTables = R"(id = "01_test"
title = "Test"
summary = "A stage for tests."
device = "gpu"
api = "test.h"
files = ["a.cu", "b.cu"]
[build]
libraries = ["cublas"]
[correctness]
same_bits = ["wgrad"]
on_device = ["product"]
by_library = ["product"]
products = {wgrad = ["x", "dy"]}
calls = {product = ["unroll", "roll"]}
[[task]]
id = "01.1"
title = "First"
file = "a.cu"
[[group]]
name = "gradients"
title = "Gradients"
points = 60
[[speed]]
name = "small"
title = "Small"
op = "product"
terms = 10
flop = 1e6
params = {n = 2}
inputs = {a = [2, 4], b = [4, 2]}
output = {c = [2, 2]}
count = {params = {n = 1}, inputs = {a = [1, 4], b = [4, 1]}, output = {c = [1, 1]}, flop = 8}
[[adjoint]]
name = "adjoint"
title = "Adjoint"
group = "gradients"
draws = 2
params = {n = [1, 3], m = 4, h = [5, 9], kh = 3}
shapes = [{n = 1, h = 7}]
tensors = {x = ["n", "h"], w = ["m", "kh"], dy = ["n", "m*oh"]}
forward = {op = "conv", inputs = ["x", "w"], output = "y", pair = "dy", terms = "kh + 1"}
[[adjoint.check]]
op = "xgrad"
task = "01.1"
inputs = ["dy", "w"]
output = "dx"
pair = "x"
terms = "m*kh"
[[drawn]]
name = "many_products"
title = "Many products"
op = "wgrad"
task = "01.1"
group = "gradients"
terms = 1152
params = {n = 1152}
inputs = {x = [1152, 3], dy = [1152, 4]}
output = {dw = [4, 3]}
[[training]]
name = "digits"
title = "Digits"
task = "01.1"
group = "gradients"
op = "train"
data = "mnist"
labels = "permuted"
train = 4000
held_back = 1000
seeds = 2
accuracy = 0.9
params = {epochs = 3, lr = 0.05, batch = 32}
seconds = 40
[training.gpu]
train = 60000
accuracy = 0.99
params = {batch = 256}
[[sweep]]
name = "tiles"
title = "Tiles"
file = "b.cu"
speed = "small"
axes = ["TILE_N", "TILE_K"]
[sweep.macros]
TILE_N = [16, 32]
TILE_K = [8]
TILE_A = [1, 2, 3]
[[ladder]]
name = "steps"
title = "Steps"
shape = "2 x 2"
op = "product"
terms = 4
flop = 16
params = {n = 2}
inputs = {a = [2, 4], b = [4, 2]}
output = {c = [2, 2]}
[[ladder.step]]
title = "plain"
from = "baseline"
[[ladder.step]]
title = "fast"
op = "fast_product"
params = {extra = 1}
[[chart]]
name = "times"
title = "Times"
op = "product_times"
output = "times"
rows = ["plain", "fast"]
columns = ["ms", "KiB", "GFLOP/s"]
[[chart.shape]]
title = "2 x 2 x 4"
params = {n = 2}
inputs = {a = [2, 4], b = [4, 2]}
)";

Stage load(const std::string& text) {
  const TemporaryFolder folder;
  write_text(folder / "01_test" / "stage.toml", text);
  return load_stage(folder / "01_test" / "stage.toml");
}

// What load_stage says with `from` replaced by `to`; the path is left out. Lines are counted here,
// so that a test does not depend on how many stand before: "LINE" is that of `to`.
std::string complaint_of_tables(const std::string& from, const std::string& to) {
  const TemporaryFolder folder;
  const fs::path file = folder / "01_test" / "stage.toml";
  std::string text = kStageOfTables;
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  write_text(file, text);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
  try {
    load_stage(file);
  } catch (const KitError& error) {
    const std::string said = error.what();
    const std::string here = file.string() + ":" + std::to_string(line) + ": ";
    return said.starts_with(here) ? said.substr(here.size()) : "elsewhere: " + said;
  }
  return "";
}

}  // namespace

TEST_CASE("only stages for a GPU have functions that must work on a device") {
  const std::string files = "api = \"test.h\"\nfiles = [\"a.cu\", \"b.cu\"]\n";
  const std::string libraries = "[build]\nlibraries = [\"cublas\"]\n";
  CHECK_THAT(
      complaint_of_tables("device = \"gpu\"\n" + files + libraries, "device = \"cpu\"\n" + files),
      Catch::Contains("`on_device` is for GPU stages."));
}

TEST_CASE("only stages with a library have functions that must call it") {
  CHECK_THAT(complaint_of_tables("libraries = [\"cublas\"]", "libraries = []"),
             Catch::Contains("`by_library` is for stages with `[build] libraries`."));
}

TEST_CASE("the tables of a stage are read whole") {
  const Stage stage = load(kStageOfTables);
  CHECK(stage.same_bits == std::vector<std::string>{"wgrad"});
  CHECK(stage.on_device == std::vector<std::string>{"product"});
  CHECK(stage.by_library == std::vector<std::string>{"product"});
  CHECK(stage.calls.at("product") == std::vector<std::string>{"unroll", "roll"});
  CHECK(stage.products.at("wgrad") == std::array<std::string, 2>{"x", "dy"});
  REQUIRE(stage.speed.size() == 1);
  REQUIRE(stage.speed[0].count);
  CHECK(stage.speed[0].count->output.dims == std::vector<int64_t>{1, 1});

  REQUIRE(stage.adjoint.size() == 1);
  const AdjointTable& table = stage.adjoint[0];
  CHECK(table.trials() == 3);
  CHECK(table.params.at("n").high == 3);
  CHECK((table.params.at("m").low == 4 && table.params.at("m").high == 4));
  CHECK(table.tensor("dy").dims[1].value({{"m", {4, true}}, {"oh", {5, true}}}) == 20);
  CHECK(table.forward.terms.value({{"kh", {3, true}}}) == 4);
  REQUIRE(table.checks.size() == 1);
  CHECK(table.checks[0].group == "gradients");
  CHECK(case_name(table, table.checks[0]) == "adjoint_xgrad");

  REQUIRE(stage.sweeps.size() == 1);
  const Sweep& sweep = stage.sweeps[0];
  CHECK(sweep.shape.op == "product");
  CHECK(sweep.combinations() == 6);
  // In the order of the file, the last one fastest.
  CHECK(sweep.macros[2].name == "TILE_A");
  CHECK(sweep.values(0) == std::vector<int64_t>{16, 8, 1});
  CHECK(sweep.values(4) == std::vector<int64_t>{32, 8, 2});

  REQUIRE(stage.ladders.size() == 1);
  const Ladder& ladder = stage.ladders[0];
  CHECK(ladder.shape.title == "2 x 2");
  CHECK(ladder.steps[0].op == "product");
  CHECK(ladder.steps[0].from == "baseline");
  CHECK(ladder.steps[1].params.at("extra").value == 1);
  CHECK_FALSE(ladder.steps[1].peer);

  REQUIRE(stage.charts.size() == 1);
  const Chart& chart = stage.charts[0];
  CHECK(chart.rows == std::vector<std::string>{"plain", "fast"});
  CHECK(chart.columns.size() == 3);
  REQUIRE(chart.shapes.size() == 1);
  CHECK(chart.shapes[0].params.at("n").value == 2);
  CHECK(chart.shapes[0].inputs.size() == 2);
}

TEST_CASE("a mistake in [[chart]] is named with its file, line and key") {
  CHECK(complaint_of_tables("output = \"times\"", "outputs = \"times\"") ==
        "[[chart]] unknown key `outputs`.");
  CHECK_THAT(complaint_of_tables("rows = [\"plain\", \"fast\"]", "rows = []"),
             Catch::EndsWith("[[chart]] `rows` names no row."));
  CHECK_THAT(complaint_of_tables("[[chart.shape]]\ntitle = \"2 x 2 x 4\"\nparams = {n = 2}\n"
                                 "inputs = {a = [2, 4], b = [4, 2]}",
                                 ""),
             Catch::EndsWith("[[chart]] `shape` is missing: [[chart.shape]]."));
  CHECK(complaint_of_tables("title = \"2 x 2 x 4\"", "name = \"2 x 2 x 4\"") ==
        "[[shape]] unknown key `name`.");
}

TEST_CASE("a mistake in [[adjoint]] is named with its file, line and key") {
  CHECK(complaint_of_tables("draws = 2", "draw = 2") == "[[adjoint]] unknown key `draw`.");
  CHECK(complaint_of_tables("draws = 2", "draws = 21") ==
        "[[adjoint]] `draws` must be between 0 and 20.");
  CHECK(complaint_of_tables("params = {n = [1, 3],", "params = {n = [3, 1],") ==
        "[[adjoint]] `n` must go from 0 or more to 65536 or less.");
  CHECK(complaint_of_tables("params = {n = [1, 3],", "params = {n = [1],") ==
        "[[adjoint]] `n` must be a number or [least, most].");
  CHECK(complaint_of_tables("shapes = [{n = 1, h = 7}]", "shapes = [{n = 1, g = 7}]") ==
        "[[adjoint]] `shapes`: `g` is not in `params`.");
  CHECK(complaint_of_tables("tensors = {x = [\"n\", \"h\"]", "tensors = {x = [\"n\", \"i\"]") ==
        "[[adjoint]] `tensors`: `i` is not in `params`.");
  CHECK(complaint_of_tables("tensors = {x = [\"n\", \"h\"]", "tensors = {x = [\"n\", \"2 h\"]") ==
        "[[adjoint]] `x` must be a size, such as \"c*kh*kw + 1\".");
  CHECK(complaint_of_tables("forward = {op = \"conv\", inputs = [\"x\", \"w\"]",
                            "forward = {op = \"conv\", inputs = [\"x\", \"v\"]") ==
        "[forward] `inputs` \"v\" is not in `tensors`.");
  CHECK(complaint_of_tables("pair = \"x\"", "pair = \"w\"") ==
        "[[check]] `pair` \"w\" is an input of xgrad; the inner product needs the tensor that this "
        "operation does not read.");
  CHECK(complaint_of_tables("terms = \"m*kh\"", "terms = \"m*kw\"") ==
        "[[check]] `terms`: `kw` is not in `params`.");
  CHECK_THAT(
      complaint_of_tables("group = \"gradients\"", "group = \"gradient\""),
      Catch::EndsWith(
          "[[adjoint]] xgrad: group \"gradient\" is not defined; add a [[group]] with that name."));
  CHECK_THAT(complaint_of_tables("task = \"01.1\"", "task = \"01.2\""),
             Catch::EndsWith(
                 "[[adjoint]] xgrad: task \"01.2\" is not defined; add a [[task]] with that id."));
}

TEST_CASE("a [[drawn]] case is of an operation whose products are summed") {
  const Stage stage = load(kStageOfTables);
  REQUIRE(stage.drawn.size() == 1);
  CHECK(stage.drawn[0].terms == 1152);
  CHECK(stage.drawn[0].inputs[0].dims == std::vector<int64_t>{1152, 4});
  CHECK(stage.drawn[0].output.name == "dw");
  CHECK(complaint_of_tables("op = \"wgrad\"", "op = \"xgrad\"") ==
        "[[drawn]] `op` \"xgrad\" is not in [correctness.products].");
  CHECK(complaint_of_tables("output = {dw = [4, 3]}", "output = {dw = [4, 3], db = [4]}") ==
        "[[drawn]] `output` must name one tensor.");
}

TEST_CASE("a [[training]] has amounts of its own on a GPU") {
  const Stage stage = load(kStageOfTables);
  REQUIRE(stage.training.size() == 1);
  const TrainingTable& table = stage.training[0];
  CHECK(table.data == Dataset::mnist);
  CHECK((table.permuted && !table.hidden));
  CHECK((table.on_cpu.train == 4000 && table.on_gpu.train == 60000));
  CHECK((table.on_cpu.held_back == 1000 && table.on_gpu.held_back == 1000));
  CHECK((table.on_cpu.accuracy == 0.9 && table.on_gpu.accuracy == 0.99));
  CHECK(table.on_cpu.synthetic == 0.9);
  CHECK((table.on_cpu.epochs() == 3 && table.on_gpu.epochs() == 3));
  CHECK(table.on_cpu.params.at("batch").value == 32);
  CHECK(table.on_gpu.params.at("batch").value == 256);
  CHECK_FALSE(table.on_gpu.params.at("lr").integer);
  CHECK(table.on_gpu.wall.count() == 40);
}

TEST_CASE("a [[training]] of a network has parts of about sixteen steps") {
  const std::string before = "params = {epochs = 3, lr = 0.05, batch = 32}";
  const std::string params =
      "params = {epochs = 3, lr = 0.05, batch = 32, optimizer = 0, schedule = 2, momentum = 0.9, "
      "weight_decay = 0.0}\n";
  const auto with = [&](const std::string& layers) {
    return params + "network = \"input 1x28x28\\n" + layers + "\\nsoftmax\"";
  };
  std::string text = kStageOfTables;
  const std::string small = with("flatten\\ndense 10");
  text.replace(text.find(before), before.size(), small);
  const TrainingTable table = load(text).training[0];
  REQUIRE(table.on_gpu.network);
  const TrainingAmounts& amounts = table.on_cpu;
  CHECK((amounts.steps_in_epoch() == 125 && amounts.parts_of_epoch() == 7));
  CHECK((amounts.parts() == 21 && amounts.first_step(0) == 0));
  CHECK((amounts.first_step(7) == 125 && amounts.first_step(21) == 375));
  for (int64_t part = 0; part < 21; ++part) {
    CHECK(amounts.first_step(part + 1) - amounts.first_step(part) >= 17);
  }
  CHECK_THAT(complaint_of_tables(before, with("flatten\\ndense 9")),
             Catch::Contains("tell 10 classes apart"));
  CHECK_THAT(complaint_of_tables(before, with("flatten\\nbatchnorm\\ndense 10")),
             Catch::Contains("`network` holds batchnorm1, which the grader cannot train."));
  CHECK_THAT(complaint_of_tables(before, with("dense 10")),
             Catch::Contains("put `flatten` before it"));
  CHECK_THAT(complaint_of_tables(before, before + "\n" + small.substr(params.size())),
             Catch::Contains("`network` needs `optimizer` among `params`."));
}

TEST_CASE("CONVKIT_TIME_SCALE multiplies every time limit, and must be a number") {
  struct Scale {
    explicit Scale(const char* text) { setenv("CONVKIT_TIME_SCALE", text, 1); }
    ~Scale() { unsetenv("CONVKIT_TIME_SCALE"); }
  };
  {
    const Scale scale("20");
    const Stage stage = load(kStageOfTables);
    CHECK(stage.limits.build == std::chrono::seconds(20 * 60));
    CHECK(stage.limits.one_case == std::chrono::seconds(20 * 10));
    CHECK(stage.limits.all_cases == std::chrono::seconds(20 * 120));
    CHECK(stage.training[0].on_cpu.wall == std::chrono::seconds(20 * 40));
    CHECK(stage.training[0].on_gpu.wall == std::chrono::seconds(20 * 40));
    CHECK(complaint_of_tables("seconds = 40", "seconds = 4000") ==
          "[[training]] `seconds` must be between 1 and 3600.");
  }
  for (const char* text : {"0", "-1", "1001", "2.5", "2 ", "ten"}) {
    const Scale scale(text);
    CHECK_THROWS_WITH(load(kStageOfTables),
                      "CONVKIT_TIME_SCALE must be an integer between 1 and 1000, not \"" +
                          std::string(text) + "\".");
  }
  const Scale none("");
  CHECK(load(kStageOfTables).limits.one_case == std::chrono::seconds(10));
}

TEST_CASE("CONVKIT_MEMORY_MIB lowers the limit on memory in use, and raises none") {
  const uint64_t usual = load(kStageOfTables).limits.resident_bytes;
  REQUIRE(usual > 600ull << 20);
  setenv("CONVKIT_MEMORY_MIB", "576", 1);
  CHECK(load(kStageOfTables).limits.resident_bytes == 576ull << 20);
  CHECK(load(kStageOfTables).limits.memory_bytes >= usual);  // addresses are no memory
  setenv("CONVKIT_MEMORY_MIB", "1000000", 1);
  CHECK(load(kStageOfTables).limits.resident_bytes == usual);
  unsetenv("CONVKIT_MEMORY_MIB");
}

TEST_CASE("a mistake in [[training]] is named with its file, line and key") {
  CHECK(complaint_of_tables("data = \"mnist\"", "data = \"cifar\"") ==
        "[[training]] `data` must be mnist or fashion.");
  CHECK(complaint_of_tables("labels = \"permuted\"", "labels = \"secret\"") ==
        "[[training]] `labels` must be as_is or permuted.");
  CHECK(complaint_of_tables("held_back = 1000", "held_back = 10") ==
        "[[training]] `held_back` must be between 100 and 10000.");
  CHECK(complaint_of_tables("accuracy = 0.9\n", "accuracy = 90\n") ==
        "[[training]] `accuracy` must be between 0.2 and 1.");
  CHECK(complaint_of_tables("params = {epochs = 3", "params = {epoch = 3") ==
        "[[training]] `params` must hold `epochs`, from 1 to 10000.");
  CHECK(complaint_of_tables("params = {epochs = 3", "params = {epochs = 0.5") ==
        "[[training]] `params` must hold `epochs`, from 1 to 10000.");
  CHECK(complaint_of_tables("params = {epochs = 3", "params = {seed = 1, epochs = 3") ==
        "[[training]] `params` holds `seed`, which the grader adds.");
  CHECK(complaint_of_tables("seconds = 40", "second = 40") == "[[training]] unknown key `second`.");
  CHECK(complaint_of_tables("params = {batch = 256}", "parameters = {batch = 256}") ==
        "[gpu] unknown key `parameters`.");
  CHECK_THAT(complaint_of_tables("train = 4000", ""),
             Catch::EndsWith("[[training]] `train` is missing."));
}

TEST_CASE("a mistake in [[sweep]] or [[ladder]] is named with its file, line and key") {
  CHECK(complaint_of_tables("file = \"b.cu\"", "file = \"c.cu\"") ==
        "[[sweep]] `file` \"c.cu\" is not in `files`.");
  CHECK(complaint_of_tables("speed = \"small\"", "speed = \"large\"") ==
        "[[sweep]] `speed` \"large\" is not the name of a [[speed]].");
  CHECK(complaint_of_tables("axes = [\"TILE_N\", \"TILE_K\"]", "axes = [\"TILE_N\", \"TILE_M\"]") ==
        "[[sweep]] `axes` must be two of the macros: across, then down.");
  std::string doubled = "[sweep.macros]\n";  // 2^64 combinations
  for (int i = 0; i < 64; ++i) doubled += "DOUBLED_" + std::to_string(i) + " = [1, 2]\n";
  CHECK_THAT(complaint_of_tables("[sweep.macros]\n", doubled),
             Catch::EndsWith("combinations; 400 at most."));
  CHECK(complaint_of_tables("TILE_K = [8]", "TILE_K = 8") ==
        "[[sweep]] `TILE_K` must be an array of whole numbers.");
  CHECK(complaint_of_tables("TILE_K = [8]", "\"TILE K\" = [8]") ==
        "[[sweep]] `TILE K` is not the name of a macro.");
  CHECK(complaint_of_tables("TILE_K = [8]", "TILE_K = [8.5]") ==
        "[[sweep]] `TILE_K` must be an integer.");
  CHECK(complaint_of_tables("from = \"baseline\"", "from = \"../baseline\"") ==
        "[[step]] `from` must be a path in the stage's folder.");
  CHECK(
      complaint_of_tables("from = \"baseline\"", "rung = \"../a.cuh\"\nin_place_of = \"a.cuh\"") ==
      "[[step]] `rung` must be a path in the solution's folder.");
  CHECK(complaint_of_tables("from = \"baseline\"", "in_place_of = \"/a.cuh\"\nrung = \"a.cuh\"") ==
        "[[step]] `in_place_of` must be a path in the solution's folder.");
  CHECK(complaint_of_tables("from = \"baseline\"", "rung = \"ladder/a.cuh\"") ==
        "[[step]] `rung` and `in_place_of` must be given together.");
  CHECK(complaint_of_tables("from = \"baseline\"", "in_place_of = \"a.cuh\"") ==
        "[[step]] `rung` and `in_place_of` must be given together.");
  CHECK(complaint_of_tables(
            "from = \"baseline\"",
            "from = \"baseline\"\nrung = \"ladder/a.cuh\"\nin_place_of = \"a.cuh\"") ==
        "[[step]] a step has `from` or `rung`, not both.");
  CHECK(complaint_of_tables("from = \"baseline\"", "peer = 1") ==
        "[[step]] `peer` must be true or false.");
  CHECK_THAT(complaint_of_tables("shape = \"2 x 2\"", "speed = \"small\""),
             Catch::EndsWith("[[ladder]] `speed` already gives `terms`; leave it out."));
}

TEST_CASE("a size is a sum of products of numbers and names") {
  const auto value = [](const std::string& text) {
    const auto formula = SizeFormula::parse(text);
    REQUIRE(formula);
    return formula->value({{"c", {3, true}}, {"kh", {5, true}}});
  };
  CHECK(value("7") == 7);
  CHECK(value("c") == 3);
  CHECK(value("2*c*kh + 1") == 31);
  CHECK(value("c+kh") == 8);
  for (const std::string text : {"", "c*", "c kh", "-1", "c/2", "(c)", "1e3x", "+"}) {
    CHECK_FALSE(SizeFormula::parse(text));
  }
  CHECK_THROWS_WITH(SizeFormula::parse("c*m")->value({{"c", {3, true}}}),
                    "`c*m`: there is no parameter `m`.");
}

TEST_CASE("a size beyond 64 bits is refused") {
  const Params largest = {{"c", {65536, true}}};
  CHECK(SizeFormula::parse("c*c*c")->value(largest) == int64_t{1} << 48);
  for (const std::string text : {"c*c*c*c", "c*c*c*16384*2", "c*c*c*16384 + c*c*c*16384"}) {
    CHECK_THROWS_WITH(SizeFormula::parse(text)->value(largest),
                      "`" + text + "` does not fit 64 bits.");
  }
}

}  // namespace convkit
