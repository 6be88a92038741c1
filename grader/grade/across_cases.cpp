// SPDX-License-Identifier: MIT
#include "grade/across_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace convkit {
namespace {

using Cases = std::span<const Params* const>;

// Sizes that programs take for one another.
constexpr std::pair<std::string_view, std::string_view> kPairs[] = {{"kh", "kw"},
                                                                    {"stride_h", "stride_w"},
                                                                    {"pad_h", "pad_w"},
                                                                    {"dilation_h", "dilation_w"},
                                                                    {"h", "w"},
                                                                    {"c", "m"},
                                                                    {"in", "out"},
                                                                    {"rows", "cols"},
                                                                    {"rows", "inner"},
                                                                    {"inner", "cols"},
                                                                    {"n", "workspace_images"}};
constexpr int64_t kTiles[] = {2, 4, 8, 16, 32};
// More conditions than this fit by accident.
constexpr size_t kMostConditions = 3;
constexpr size_t kFewestCases = 2;  // of those that fail, and of those that pass
constexpr size_t kFewestOfAll = 8;
// About 30 limits of sizes are tried: one fits by accident where few sets of cases may fail. (Of
// the planted mistakes without another cause: eleven by accident, of up to 210 sets, two true of
// 286.)
constexpr double kFewestChoices = 250;
// What the runner says of an error that no call of CUDA returned: the program has refused the case.
constexpr std::string_view kOwnCode = "the function's own code returned that";
// One case without images, say, is enough.
constexpr std::string_view kEmpty = " is 0";

// Sizes by which a function chooses between instances of a template, or loops of its own.
constexpr std::string_view kOfKernels[] = {"kh",       "kw",         "stride_h",
                                           "stride_w", "dilation_h", "dilation_w"};

// Whether all cases have the parameter, as a whole number.
bool have(std::span<const Params> cases, const std::string& name) {
  return std::ranges::all_of(cases, [&](const Params& params) {
    const auto found = params.find(name);
    return found != params.end() && found->second.integer;
  });
}

// With the sizes of the output, which the tiles of a grid cover.
std::vector<Params> with_outputs(Cases cases) {
  std::vector<Params> all;
  for (const Params* params : cases) {
    Params& own = all.emplace_back(*params);
    for (const char axis : {'h', 'w'}) {
      const auto windows = windows_of(*params, axis);
      if (windows) own[std::string("o") + axis] = {double(windows->outputs), true};
    }
  }
  return all;
}

// How many sets of so many cases there are.
double choices(size_t all, size_t chosen) {
  double count = 1;
  for (size_t i = 0; i < chosen; ++i) count *= double(all - i) / double(i + 1);
  return count;
}

double of(const Params& params, std::string_view name) {
  return params.find(std::string(name))->second.value;
}

template <class Holds>
bool tells_apart(std::span<const Params> failed, std::span<const Params> passed,
                 const Holds& holds) {
  return std::ranges::all_of(failed, holds) && std::ranges::none_of(passed, holds);
}

// The least that a size has where nothing is special about it.
double plain_value(std::string_view name) {
  return name.starts_with("pad_") ? 0 : 1;
}

class Conditions {
 public:
  Conditions(Cases failed, Cases passed)
      : failed_(with_outputs(failed)),
        passed_(with_outputs(passed)),
        may_be_of_any_size_(choices(failed.size() + passed.size(), failed.size()) >=
                            kFewestChoices) {
    for (const auto& [name, param] : failed_[0]) {
      if (have(failed_, name) && have(passed_, name)) names_.push_back(name);
    }
  }

  // The plainest first.
  std::vector<std::string> all() {
    for (const std::string& name : names_) {
      try_one(name + std::string(kEmpty), [&](const Params& p) { return of(p, name) == 0; });
    }
    for (const auto& [a, b] : kPairs) {
      if (!knows(a) || !knows(b)) continue;
      const auto differ = [&](const Params& p) { return of(p, a) != of(p, b); };
      if (try_one(fmt::format("{} differs from {}", a, b), differ)) continue;
      try_one(fmt::format("{} is larger than {}", a, b),
              [&](const Params& p) { return of(p, a) > of(p, b); });
      try_one(fmt::format("{} is smaller than {}", a, b),
              [&](const Params& p) { return of(p, a) < of(p, b); });
    }
    for (const char axis : {'h', 'w'}) phases(axis);
    // The output's sizes follow from the input's, and are told where those do not say it.
    for (const bool of_output : {false, true}) {
      if (of_output && !found_.empty()) break;
      for (const std::string& name : names_) {
        if (is_of_output(name) == of_output) limits(name);
      }
      for (const std::string& name : names_) {
        if (is_of_output(name) == of_output) rests(name);
      }
    }
    return found_;
  }

 private:
  // Of an image that is taken apart by the remainders of the stride.
  void phases(char axis) {
    const std::string pad = std::string("pad_") + axis, stride = std::string("stride_") + axis;
    if (!knows(pad) || !knows(stride)) return;
    const std::string condition = fmt::format(
        "{} is not a multiple of {} (a number of padding elements that is divided by the stride is "
        "rounded up)",
        pad, stride);
    try_one(condition, [&](const Params& p) {
      return of(p, stride) > 0 && std::fmod(of(p, pad), of(p, stride)) != 0;
    });
  }

  bool knows(std::string_view name) const {
    return std::ranges::find(names_, name) != names_.end();
  }

  template <class Holds>
  bool try_one(std::string sentence, const Holds& holds) {
    if (!tells_apart(failed_, passed_, holds)) return false;
    found_.push_back(std::move(sentence));
    return true;
  }

  static bool is_of_output(const std::string& name) { return name == "oh" || name == "ow"; }

  void rests(const std::string& name) {
    if (!may_be_of_any_size_) return;
    for (const int64_t tile : kTiles) {
      const auto leaves_rest = [&](const Params& p) { return int64_t(of(p, name)) % tile != 0; };
      if (try_one(fmt::format("{} is not a multiple of {}", name, tile), leaves_rest)) return;
    }
  }

  void limits(const std::string& name) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Params& params : passed_) {
      low = std::min(low, of(params, name));
      high = std::max(high, of(params, name));
    }
    if (may_be_of_any_size_ || high <= plain_value(name)) {
      try_one(fmt::format("{} is above {:g}", name, high),
              [&](const Params& p) { return of(p, name) > high; });
    }
    if (may_be_of_any_size_ && low != 1) {  // below 1 is 0, which has been tried
      try_one(fmt::format("{} is below {:g}", name, low),
              [&](const Params& p) { return of(p, name) < low; });
    }
  }

  std::vector<Params> failed_, passed_;
  bool may_be_of_any_size_;
  std::vector<std::string> names_, found_;
};

// "kw is 1": the one size of a kernel that all cases share that a function refuses, and no other.
std::string refused_size(Cases failed, Cases passed) {
  std::vector<std::string> found;
  for (const std::string_view name : kOfKernels) {
    const std::vector<Params> bad = with_outputs(failed), good = with_outputs(passed);
    if (!have(bad, std::string(name)) || !have(good, std::string(name))) continue;
    const double value = of(bad[0], name);
    const auto holds = [&](const Params& p) { return of(p, name) == value; };
    if (tells_apart(bad, good, holds)) found.push_back(fmt::format("{} is {:g}", name, value));
  }
  return found.size() == 1 ? found[0] : "";
}

// Of a visible case.
std::string condition_of(std::string_view op, std::span<const std::unique_ptr<Case>> cases,
                         std::span<const CaseResult> results) {
  bool is_refused = true;
  std::vector<const Params*> failed, passed;
  for (size_t i = 0; i < results.size(); ++i) {
    const CaseResult& one = results[i];
    if (one.op != op || one.hidden || !cases[i]->own_params()) continue;
    if (!is_judged(one.status)) return "";
    const bool passes = one.status == Status::pass;
    (passes ? passed : failed).push_back(cases[i]->own_params());
    is_refused &= passes || one.message.find(kOwnCode) != std::string::npos;
  }
  if (failed.empty() || passed.empty()) return "";
  const std::string size = is_refused ? refused_size(failed, passed) : "";
  const std::string condition =
      size.empty() ? condition_of_failure(failed, passed) + "."
                   : size + ": is there a branch, or an instance of the template, for that size?";
  if (condition == ".") return "";
  return fmt::format("Of the {} cases of {}, {} in which {}", failed.size() + passed.size(), op,
                     failed.size() == 1 ? std::string("only the one fails")
                                        : fmt::format("exactly those {} fail", failed.size()),
                     condition);
}

constexpr std::string_view kNothingWritten = "Nothing was written to ";

// Whether a shape has both above what is plain along one axis.
bool has_both(const std::map<std::string, double>& sizes, const std::string& a,
              const std::string& b) {
  const auto is_special = [&](const std::string& name) {
    const auto found = sizes.find(name);
    return found != sizes.end() && found->second > plain_value(name);
  };
  return (is_special(a + "_h") && is_special(b + "_h")) ||
         (is_special(a + "_w") && is_special(b + "_w"));
}

// What only the drawn shape has, of all that can be special about a window.
std::string only_of_drawn(const CaseResult& drawn, std::span<const std::unique_ptr<Case>> cases,
                          std::span<const CaseResult> results) {
  std::vector<std::map<std::string, double>> passed;
  for (size_t i = 0; i < results.size(); ++i) {
    const bool counts = results[i].op == drawn.op && results[i].status == Status::pass &&
                        !results[i].hidden && cases[i]->own_params();
    if (!counts) continue;
    auto& sizes = passed.emplace_back();
    for (const auto& [name, param] : *cases[i]->own_params()) sizes[name] = param.value;
  }
  constexpr size_t kFewestPassed = 6;
  if (passed.size() < kFewestPassed) return "";
  static constexpr std::array<const char*, 4> kOnes[] = {
      {"stride", "stride", "a stride above 1", ""},
      {"dilation", "dilation", "a dilation above 1", ""},
      {"pad", "pad", "padding", ""},
      {"stride", "dilation", "a stride and a dilation above 1", " along one axis"},
      {"stride", "pad", "a stride above 1 and padding", " along one axis"},
      {"dilation", "pad", "a dilation above 1 and padding", " along one axis"}};
  std::string found;
  for (const auto& [a, b, what, where] : kOnes) {
    const bool is_only =
        has_both(drawn.drawn, a, b) &&
        std::ranges::none_of(passed, [&](const auto& sizes) { return has_both(sizes, a, b); });
    if (!is_only) continue;
    if (!found.empty()) return "";
    found = fmt::format("None of the {} cases of {} that pass has {}{}, as this shape has.",
                        passed.size(), drawn.op, what, where);
  }
  return found;
}

// It fails for what an earlier call of the function has left. (After calls of other functions it
// was tried in a new process already.)
void tell_what_is_kept(Case& one, CaseResult& result, const RunAlone& run_alone) {
  for (int times = 0; times < 2; ++times) {
    // The trial that failed need not be the first.
    if (run_alone(one, one.trials()).status != Status::pass) return;
  }
  result.message +=
      "\nAlone, as the first call of a new process, this case passes: something is kept from an "
      "earlier call, and it does not belong to this case.";
  result.hint =
      "Look for variables that are static or global (of the device, too, such as a counter of "
      "blocks), and for memory that is kept between calls: they still hold what belongs to the "
      "sizes or the inputs of an earlier call.";
  result.mistake = "kept_between_calls";
}

}  // namespace

int64_t size_in(const Params& params, const std::string& name, int64_t otherwise) {
  const auto found = params.find(name);
  return found == params.end() ? otherwise : int64_t(found->second.value);
}

bool Windows::reach(int64_t place) const {
  for (int64_t tap = 0; tap < kernel; ++tap) {
    const int64_t from = place + pad - tap * dilation;
    if (from >= 0 && from % stride == 0 && from / stride < outputs) return true;
  }
  return false;
}

std::optional<Windows> windows_of(const Params& params, char axis) {
  const std::string h(1, axis);
  Windows windows{size_in(params, "pad_" + h, 0),
                  size_in(params, "stride_" + h, 1),
                  size_in(params, "dilation_" + h, 1),
                  size_in(params, "k" + h, 0),
                  size_in(params, h, 0),
                  0};
  if (windows.kernel < 1 || windows.extent < 1 || windows.stride < 1) return std::nullopt;
  const int64_t reach = windows.dilation * (windows.kernel - 1) + 1;
  windows.outputs = (windows.extent + 2 * windows.pad - reach) / windows.stride + 1;
  return windows;
}

std::string condition_of_failure(Cases failed, Cases passed) {
  const bool enough = !failed.empty() && passed.size() >= kFewestCases &&
                      failed.size() + passed.size() >= kFewestOfAll;
  if (!enough) return "";
  std::vector<std::string> found = Conditions(failed, passed).all();
  if (failed.size() < kFewestCases) {
    std::erase_if(found, [](const std::string& one) { return !one.ends_with(kEmpty); });
  }
  return found.empty() || found.size() > kMostConditions ? "" : found[0];
}

void look_across_cases(std::span<const std::unique_ptr<Case>> cases, std::span<CaseResult> results,
                       const RunAlone& run_alone) {
  std::set<std::string> looked_at, called, reported;
  for (size_t i = 0; i < results.size(); ++i) {
    CaseResult& one = results[i];
    if (one.hidden || cases[i]->own_limit()) continue;
    const bool is_first_call = called.insert(one.op).second;
    // An error that a library function returns says what it is about.
    const bool may_be_told = one.status == Status::wrong || one.by_device ||
                             one.message.find(kOwnCode) != std::string::npos;
    if (!may_be_told) continue;
    const bool is_wrong = one.status == Status::wrong && !one.by_device;
    // What the device reports of the first one may be a part of the mistake only. (A race, which
    // comes and goes, leaves an output wrong, but seldom unwritten.)
    const bool is_next =
        is_wrong && one.message.starts_with(kNothingWritten) && reported.erase(one.op) > 0;
    const bool is_first = looked_at.insert(one.op).second;
    if ((!is_first && !is_next) || one.explained) continue;
    if (is_wrong && !is_first_call) tell_what_is_kept(*cases[i], one, run_alone);
    if (!is_first) continue;
    if (one.by_device) reported.insert(one.op);
    const std::string condition = one.drawn.empty() ? condition_of(one.op, cases, results)
                                                    : only_of_drawn(one, cases, results);
    if (!condition.empty()) one.message += '\n' + condition;
  }
}

}  // namespace convkit
