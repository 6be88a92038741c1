// SPDX-License-Identifier: MIT
// `show N CASE`: what a visible case is: its sizes, its inputs and what is expected.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>

#include "cli/case_choice.h"
#include "cli/commands.h"
#include "convkit/kit_error.h"
#include "grade/stage_grader.h"

namespace convkit {
namespace {

struct ShowOptions {
  std::string stage, name;
  bool all = false;
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

// Rows of the last dimension; an empty line and the place before each plane.
void print_table(const std::string& name, const NpyArray& array, int64_t elements) {
  const std::vector<int64_t>& dims = array.dims;
  const int64_t columns = dims.empty() ? 1 : dims.back();
  const int64_t rows = dims.size() < 2 ? 1 : dims[dims.size() - 2];
  for (int64_t at = 0; at < elements; ++at) {
    if (dims.size() > 2 && at % (rows * columns) == 0) {
      fmt::print("  {}{}\n", name, place_of(at / (rows * columns), dims));
    }
    fmt::print("{:>11.5g}{}", value_at(array, at), (at + 1) % columns == 0 ? "\n" : "");
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

void print_tensor(const char* what, const std::string& name, const NpyArray& array, bool all) {
  std::string dims;
  int64_t elements = 1;
  for (const int64_t dim : array.dims) dims += fmt::format("[{}]", dim), elements *= dim;
  fmt::print("\n{} {} {}\n", what, name, dims);
  const bool small =
      elements <= kMostElements && (array.dims.empty() || array.dims.back() <= kMostColumns);
  if (elements > 0 && (all || small)) {
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
  if (std::ranges::find(grader.case_names(), name) == grader.case_names().end()) {
    throw UsageError(no_such_case(stage, name, grader.case_names()));
  }
  throw UsageError(fmt::format(
      "{} is not stored: its inputs are made while it is checked, so there is nothing to show.",
      name));
}

int run_show(const Kit& kit, const ShowOptions& options) {
  const Stage& stage = kit.stage(options.stage);
  must_have_a_file(kit, stage, options.name);
  const CaseSpec spec = visible_cases(kit, stage, {options.name}).front();
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
  return 0;
}

class ShowCommand final : public CliCommand {
 public:
  ShowCommand()
      : CliCommand("show", "a visible case: its sizes, its inputs and what is expected",
                   "./convkit show 1 one_channel_3x3") {}

  void declare(const Options& options) override {
    options.value("stage", o_.stage, kStageHelp).required();
    options.value("case", o_.name, "the case, as `check` names it").required();
    options.flag("--all", o_.all, "every element, also of large tensors");
  }
  int run(Kit& kit) override { return run_show(kit, o_); }

 private:
  ShowOptions o_;
};

}  // namespace

std::unique_ptr<CliCommand> show_command() {
  return std::make_unique<ShowCommand>();
}

}  // namespace convkit
