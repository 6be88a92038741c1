// SPDX-License-Identifier: MIT
#include "grade/across_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

namespace convkit {
namespace {

using Cases = std::span<const Params* const>;

// Sizes that programs take for one another.
constexpr std::pair<std::string_view, std::string_view> kPairs[] = {
    {"kh", "kw"},       {"stride_h", "stride_w"},
    {"pad_h", "pad_w"}, {"dilation_h", "dilation_w"},
    {"h", "w"},         {"c", "m"},
    {"in", "out"},      {"rows", "cols"},
    {"rows", "inner"},  {"inner", "cols"}};
constexpr int64_t kTiles[] = {4, 8, 16, 32};
// More conditions than this fit by accident.
constexpr size_t kMostConditions = 3;
constexpr size_t kFewestCases = 2;  // of those that fail, and of those that pass
constexpr size_t kFewestOfAll = 8;
// What the runner says of an error that no call of CUDA returned: the program has refused the case.
constexpr std::string_view kOwnCode = "the function's own code returned that";
// One case without images, say, is enough.
constexpr std::string_view kEmpty = " is 0";

// Whether all cases have the parameter, as a whole number.
bool have(Cases cases, const std::string& name) {
  return std::ranges::all_of(cases, [&](const Params* params) {
    const auto found = params->find(name);
    return found != params->end() && found->second.integer;
  });
}

double of(const Params& params, std::string_view name) {
  return params.find(std::string(name))->second.value;
}

template <class Holds>
bool tells_apart(Cases failed, Cases passed, const Holds& holds) {
  return std::ranges::all_of(failed, [&](const Params* one) { return holds(*one); }) &&
         std::ranges::none_of(passed, [&](const Params* one) { return holds(*one); });
}

class Conditions {
 public:
  Conditions(Cases failed, Cases passed) : failed_(failed), passed_(passed) {
    for (const auto& [name, param] : *failed[0]) {
      if (have(failed, name) && have(passed, name)) names_.push_back(name);
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
    for (const std::string& name : names_) limits(name);
    for (const std::string& name : names_) {
      for (const int64_t tile : kTiles) {
        const auto leaves_rest = [&](const Params& p) { return int64_t(of(p, name)) % tile != 0; };
        if (try_one(fmt::format("{} is not a multiple of {}", name, tile), leaves_rest)) break;
      }
    }
    return found_;
  }

 private:
  bool knows(std::string_view name) const {
    return std::ranges::find(names_, name) != names_.end();
  }

  template <class Holds>
  bool try_one(std::string sentence, const Holds& holds) {
    if (!tells_apart(failed_, passed_, holds)) return false;
    found_.push_back(std::move(sentence));
    return true;
  }

  void limits(const std::string& name) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Params* params : passed_) {
      low = std::min(low, of(*params, name));
      high = std::max(high, of(*params, name));
    }
    try_one(fmt::format("{} is above {:g}", name, high),
            [&](const Params& p) { return of(p, name) > high; });
    if (low < 1 || low > 1) {  // below 1 is 0, which has been tried
      try_one(fmt::format("{} is below {:g}", name, low),
              [&](const Params& p) { return of(p, name) < low; });
    }
  }

  Cases failed_, passed_;
  std::vector<std::string> names_, found_;
};

// Of a visible case.
std::string condition_of(std::string_view op, std::span<const std::unique_ptr<Case>> cases,
                         std::span<const CaseResult> results) {
  std::vector<const Params*> failed, passed;
  for (size_t i = 0; i < results.size(); ++i) {
    const CaseResult& one = results[i];
    if (one.op != op || one.hidden || !cases[i]->own_params()) continue;
    if (!is_judged(one.status)) return "";
    (one.status == Status::pass ? passed : failed).push_back(cases[i]->own_params());
  }
  const std::string condition = condition_of_failure(failed, passed);
  return condition.empty()
             ? ""
             : fmt::format("Of the {} cases of {}, {} in which {}.", failed.size() + passed.size(),
                           op,
                           failed.size() == 1 ? std::string("only the one fails")
                                              : fmt::format("exactly those {} fail", failed.size()),
                           condition);
}

// It fails for what an earlier call of the function has left. (After calls of other functions it
// was tried in a new process already.)
void tell_what_is_kept(Case& one, CaseResult& result, const RunAlone& run_alone) {
  for (int times = 0; times < 2; ++times) {
    if (run_alone(one).status != Status::pass) return;
  }
  result.message +=
      "\nAlone, as the first call of a new process, this case passes: something is kept from an "
      "earlier call, and it does not belong to this case.";
  result.hint =
      "Look for variables that are static or global, and for memory that is kept between calls: "
      "they still hold what belongs to the sizes or the inputs of an earlier call.";
  result.mistake = "kept_between_calls";
}

}  // namespace

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
  std::set<std::string> looked_at, called;
  for (size_t i = 0; i < results.size(); ++i) {
    CaseResult& one = results[i];
    if (one.hidden || cases[i]->own_limit()) continue;
    const bool is_first_call = called.insert(one.op).second;
    // An error that a library function returns says what it is about.
    const bool may_be_told = one.status == Status::wrong || one.by_device ||
                             one.message.find(kOwnCode) != std::string::npos;
    if (!may_be_told || !looked_at.insert(one.op).second || one.explained) continue;
    if (one.status == Status::wrong && !one.by_device && !is_first_call) {
      tell_what_is_kept(*cases[i], one, run_alone);
    }
    const std::string condition = condition_of(one.op, cases, results);
    if (!condition.empty()) one.message += '\n' + condition;
  }
}

}  // namespace convkit
