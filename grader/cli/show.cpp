// SPDX-License-Identifier: MIT
// `show N CASE`: what a visible case is: its sizes, its inputs and what is expected; and what the
// student's work puts out.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>
#include <sstream>

#include "cli/case_choice.h"
#include "cli/commands.h"
#include "cli/device_choice.h"
#include "compare/by_hand.h"
#include "compare/field.h"
#include "compare/region_map.h"
#include "convkit/kit_error.h"
#include "grade/judge_output.h"
#include "grade/stage_grader.h"
#include "grade/stored_case.h"
#include "machine/console.h"
#include "report/plain_text.h"
#include "work/work_folder.h"

namespace convkit {
namespace {

struct ShowOptions {
  std::string stage, name;
  std::filesystem::path folder;  // empty: the student's work folder
  bool all = false;
  bool mine = false;     // there must be work
  bool no_mine = false;  // it is not run
};

// What a terminal shows at a glance. A number takes eleven columns.
constexpr int64_t kMostElements = 256, kMostColumns = 9;

// An element as a number, whatever its type.
double value_at(const NpyArray& array, int64_t at) {
  const auto read = [&]<class T>(T value) {
    std::memcpy(&value, array.bytes.data() + static_cast<size_t>(at) * sizeof value, sizeof value);
    return static_cast<double>(value);
  };
  switch (array.dtype) {
    case DType::float32:
      return read(float{});
    case DType::float64:
      return read(double{});
    case DType::int32:
      return read(int32_t{});
    default:
      return read(uint8_t{});
  }
}

// "[2][0]", the place of a plane in the dimensions before its rows and columns.
std::string place_of(int64_t plane, const std::vector<int64_t>& dims) {
  std::string place;
  for (size_t i = dims.size() - 2; i-- > 0; plane /= dims[i]) {
    place = fmt::format("[{}]", plane % dims[i]) + place;
  }
  return place;
}

// Rows of the last dimension; an empty line and the place before each plane. `mark` stands behind
// each element: a character or "".
void print_table(const std::string& name, const NpyArray& array, int64_t elements,
                 const std::function<const char*(int64_t)>& mark = {}) {
  const std::vector<int64_t>& dims = array.dims;
  const int64_t columns = dims.empty() ? 1 : dims.back();
  const int64_t rows = dims.size() < 2 ? 1 : dims[dims.size() - 2];
  for (int64_t at = 0; at < elements; ++at) {
    if (dims.size() > 2 && at % (rows * columns) == 0) {
      fmt::print("  {}{}\n", name, place_of(at / (rows * columns), dims));
    }
    fmt::print("{:>{}.5g}{}{}", value_at(array, at), mark ? 10 : 11, mark ? mark(at) : "",
               (at + 1) % columns == 0 ? "\n" : "");
  }
}

void print_range(const NpyArray& array, int64_t elements) {
  double least = INFINITY, most = -INFINITY;
  for (int64_t at = 0; at < elements; ++at) {
    least = std::fmin(least, value_at(array, at));
    most = std::fmax(most, value_at(array, at));
  }
  fmt::print("  {} elements from {:.5g} to {:.5g}; --all prints them\n", elements, least, most);
}

int64_t elements_of(const NpyArray& array) {
  int64_t elements = 1;
  for (const int64_t dim : array.dims) elements *= dim;
  return elements;
}

bool is_small(const NpyArray& array) {
  return elements_of(array) <= kMostElements &&
         (array.dims.empty() || array.dims.back() <= kMostColumns);
}

void print_title(const char* what, const std::string& name, const NpyArray& array) {
  std::string dims;
  for (const int64_t dim : array.dims) dims += fmt::format("[{}]", dim);
  fmt::print("\n{} {} {}\n", what, name, dims);
}

void print_tensor(const char* what, const std::string& name, const NpyArray& array, bool all) {
  print_title(what, name, array);
  const int64_t elements = elements_of(array);
  if (elements > 0 && (all || is_small(array))) {
    print_table(name, array, elements);
  } else if (elements > 0) {
    print_range(array, elements);
  }
}

std::string number(const Param& param) {
  return param.integer ? fmt::format("{}", static_cast<int64_t>(param.value))
                       : fmt::format("{:g}", param.value);
}

// A case that `check` has and that no file holds.
void must_have_a_file(const Kit& kit, const Stage& stage, const std::string& name) {
  StageOptions visible;
  visible.hidden = false;
  const StageGrader grader(kit, stage, {}, {}, visible);
  const std::vector<CaseSpec> stored = visible_cases(kit, stage, {});
  if (std::ranges::find(stored, name, &CaseSpec::name) != stored.end()) return;
  const std::vector<std::string> all = names_of(grader.all_cases());
  if (std::ranges::find(all, name) == all.end()) {
    throw UsageError(no_such_case(stage, name, all));
  }
  throw UsageError(fmt::format(
      "{} is not stored: its inputs are made while it is checked, so there is nothing to show.",
      name));
}

// What the work put out, with a mark behind every wrong element.
void print_got(const Field& field, const NpyArray& got) {
  print_title("got", field.evidence().got.name, got);
  const auto mark = [&](int64_t at) {
    switch (field.state(at)) {
      case ElementState::right:
        return " ";
      case ElementState::unwritten:
        return "?";
      case ElementState::from_unwritten:
        return "+";
      default:
        return "*";
    }
  };
  print_table(field.evidence().got.name, got, field.size(), mark);
  fmt::print("  * is wrong{}{}\n",
             field.evidence().comparison.unwritten > 0 ? ", ? was never written" : "",
             field.evidence().comparison.from_unwritten > 0
                 ? ", + was computed from what was never written"
                 : "");
}

void print_indented(const std::string& text, const char* by) {
  std::istringstream lines(plain_text(text));
  for (std::string line; std::getline(lines, line);) fmt::print("{}{}\n", by, line);
}

// The student's output of the case, held against what is expected. Judged as `check` judges it.
void show_own(const Kit& kit, const Stage& stage, const CaseSpec& spec, const WorkFolder& work,
              bool all) {
  std::vector<std::vector<std::byte>> outputs;
  StageOptions options;
  options.wanted = [&](const CaseHead& head) { return head.name == spec.name; };
  options.hidden = options.speed = false;
  options.check_mode = true;
  options.see_outputs = [&](const CaseHead&, std::span<const std::vector<std::byte>> seen) {
    outputs.assign(seen.begin(), seen.end());
  };
  StageGrader grader(kit, stage, work.folder, work.files, options);
  {
    Builder builder = kit.builder();
    ThreadPool pool;
    StatusLine status;
    grader.run_cases(builder, pool, status, [](const StageResult&) {});
  }
  const StageResult& result = grader.result();
  if (result.cases.empty() || built_nothing(result)) {
    fmt::print("\nyours: {}\n", name_of(result.status));
    print_indented(result.message, "  ");
    return;
  }
  const CaseResult& verdict = result.cases.front();
  fmt::print("\nyours: {}\n", name_of(verdict.status));
  print_indented(verdict.message, "  ");
  if (!verdict.hint.empty()) print_indented("Hint: " + verdict.hint, "  ");
  if (verdict.status != Status::wrong) return;
  const StoredTrial stored(stage, spec);
  for (size_t i = 0; i < outputs.size(); ++i) {
    Evidence evidence = stored.evidence_with(i, outputs[i]);
    evidence.comparison = compared(evidence);
    if (evidence.comparison.passed()) continue;
    const Field field(evidence);
    NpyArray got;
    got.dtype = stored.outputs()[i].dtype;
    got.dims = evidence.got.dims;
    got.bytes = outputs[i];
    if (all || is_small(got)) print_got(field, got);
    const std::string map = region_map(field);
    if (!map.empty()) fmt::print("\n{}\n", map);
    const std::string steps = by_hand(evidence, telling_element(evidence));
    if (!steps.empty()) fmt::print("\n{}", steps);
  }
}

// Whose output is shown beside the case; nothing where there is no work yet.
std::optional<WorkFolder> own_work(const Kit& kit, const Stage& stage, const ShowOptions& options) {
  if (options.no_mine) return std::nullopt;
  std::error_code error;
  const bool asked = options.mine || !options.folder.empty();
  if (!asked && !std::filesystem::is_directory(kit.work(stage), error)) return std::nullopt;
  return open_work(kit, stage, options.folder);
}

int run_show(const Kit& kit, const ShowOptions& options) {
  const Stage& stage = kit.stage(options.stage);
  must_have_a_file(kit, stage, options.name);
  const CaseSpec spec = visible_cases(kit, stage, {options.name}).front();
  const std::optional<WorkFolder> work = own_work(kit, stage, options);
  const auto tensors = load_tensors(spec);
  fmt::print("{} / {}: {}\nTask {}, {}\n", stage.id, spec.name, spec.summary, spec.task, spec.op);
  std::vector<std::string> params;
  for (const auto& [name, param] : spec.params) {
    params.push_back(fmt::format("{} = {}", name, number(param)));
  }
  for (size_t at = 0; at < params.size(); at += 7) {
    const auto end = params.begin() + static_cast<std::ptrdiff_t>(std::min(at + 7, params.size()));
    fmt::print("  {}\n", fmt::join(params.begin() + static_cast<std::ptrdiff_t>(at), end, ", "));
  }
  for (const std::string& name : spec.inputs) {
    print_tensor("input", name, tensors.at("in." + name), options.all);
  }
  for (const OutputSpec& output : spec.outputs) {
    print_tensor("expected", output.name, tensors.at("out." + output.name), options.all);
  }
  std::fflush(stdout);  // compiling takes a moment
  if (work) show_own(kit, stage, spec, *work, options.all);
  return 0;
}

class ShowCommand final : public CliCommand {
 public:
  ShowCommand()
      : CliCommand("show", "a visible case: its sizes and inputs, what is expected, what you got",
                   "./convkit show 1 one_channel_3x3") {}

  void declare(const Options& options) override {
    device_.declare(options);
    options.value("stage", o_.stage, kStageHelp).required();
    options.value("case", o_.name, "the case, as `check` names it").required();
    options.flag("--all", o_.all, "every element, also of large tensors");
    options.value("--dir", o_.folder, kFolderHelp);
    const Option mine = options.flag("--mine", o_.mine,
                                     "what your work puts out, and the worst element by hand; as "
                                     "it is done where there is work");
    options.flag("--no-mine", o_.no_mine, "the case alone: your work is not run").excludes(mine);
  }
  int run(Kit& kit) override {
    if (!o_.no_mine) device_.apply(kit, {o_.stage});
    return run_show(kit, o_);
  }

 private:
  DeviceChoice device_;
  ShowOptions o_;
};

}  // namespace

std::unique_ptr<CliCommand> show_command() {
  return std::make_unique<ShowCommand>();
}

}  // namespace convkit
