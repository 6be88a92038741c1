// SPDX-License-Identifier: MIT
// Relations between each wrong value and the one expected in its place.
#include "compare/patterns.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "compare/closeness.h"
#include "convkit/sentinel.h"

namespace convkit {
namespace {

// Fewer elements than this fit a rule by accident.
constexpr int64_t kFewestValues = 4;

// Where the call says that nothing is to be added, the old values may stand in a product with 0.
std::string not_as_a_factor(const Field& field) {
  for (const char* name : {"accumulate", "beta"}) {
    const auto found = field.evidence().params.find(name);
    if (found == field.evidence().params.end() || found->second != 0) continue;
    return fmt::format(
        " Or is what it held multiplied by {}? That is 0 here, and 0 times NaN is NaN: it must not "
        "be read at all.",
        name);
  }
  return "";
}

std::optional<Pattern> added_to_unwritten(const Field& field) {
  if (field.evidence().comparison.from_unwritten == 0) return std::nullopt;
  const std::string& name = field.evidence().got.name;
  return Pattern{
      "accumulates_into_output", fmt::format("The result was added to what {} held before.", name),
      fmt::format(
          "The output is not initialised: sum in a local variable that starts at "
          "0 and store it once, {0}[...] = sum, not {0}[...] += ..., or set all of {0} to 0 "
          "before anything is added: {1} counts bytes.{2}",
          name, field.evidence().on_device ? "cudaMemset" : "memset", not_as_a_factor(field))};
}

// Of an output that is changed in place.
std::optional<Pattern> kept_old_values(const Field& field) {
  const std::string& name = field.evidence().got.name;
  const auto& inputs = field.evidence().inputs;
  const auto old = std::ranges::find(inputs, name + "0", &CaseTensor::name);
  if (field.is_int() || old == inputs.end() || int64_t(old->f32.size()) != field.size()) {
    return std::nullopt;
  }
  int64_t kept = 0;
  for (int64_t i = 0; i < field.size(); ++i) {
    if (!field.bad(i)) continue;
    if (field.got(i) != double(old->f32[size_t(i)])) return std::nullopt;
    ++kept;
  }
  if (kept < kFewestValues) return std::nullopt;
  return Pattern{
      "",
      fmt::format("Every wrong element of {0} is what it was before the call: no new value is "
                  "stored there.",
                  name),
      fmt::format("Which elements are stored back, and is one of them left in a variable? Every "
                  "element of {} gets its new value.",
                  name)};
}

// So often the old value belongs into the new one; nothing where that is no whole number.
std::optional<double> old_values_wanted(const Evidence& evidence) {
  for (const char* name : {"accumulate", "beta"}) {
    const auto found = evidence.params.find(name);
    if (found == evidence.params.end()) continue;
    return found->second == std::round(found->second) ? std::optional(found->second) : std::nullopt;
  }
  return std::nullopt;
}

// Of an output that is added to: the old value is there once for each thread, part or pass.
std::optional<Pattern> old_values_repeated(const Field& field) {
  const std::string& name = field.evidence().got.name;
  const auto& inputs = field.evidence().inputs;
  const auto old = std::ranges::find(inputs, name + "0", &CaseTensor::name);
  const auto wanted = old_values_wanted(field.evidence());
  if (!wanted || old == inputs.end() || int64_t(old->f32.size()) != field.size()) {
    return std::nullopt;
  }
  int64_t largest = 0;
  for (int64_t i = 0; i < field.size(); ++i) {
    if (std::fabs(old->f32[size_t(i)]) > std::fabs(old->f32[size_t(largest)])) largest = i;
  }
  const double more = std::round((field.got(largest) - field.expected(largest)) /
                                 double(old->f32[size_t(largest)]));
  if (!std::isfinite(more) || more < 1) return std::nullopt;
  const Closeness closeness(field.evidence(), 2);
  int64_t telling = 0;
  for (int64_t i = 0; i < field.size(); ++i) {
    const double added = more * double(old->f32[size_t(i)]);
    if (!closeness.close(field.got(i), field.expected(i) + added)) return std::nullopt;
    telling += !closeness.close(field.got(i), field.expected(i));
  }
  if (telling < kFewestValues) return std::nullopt;
  const double times = more + *wanted;
  const bool is_block =
      times >= 32 && times <= 1024 && std::exp2(std::round(std::log2(times))) == times;
  return Pattern{
      "old_value_repeated",
      fmt::format("What {} held before the call is added {}, and must be {}.{}", name,
                  times == 1 ? "once" : fmt::format("{:.0f} times", times),
                  *wanted == 0   ? "overwritten"
                  : *wanted == 1 ? "added once"
                                 : fmt::format("added {:.0f} times", *wanted),
                  is_block ? fmt::format(" (If a block or a group has {:.0f} threads, each of them "
                                         "begins its sum with the old value.)",
                                         times)
                           : ""),
      "A sum that is shared by threads, parts or passes gets the old value in one place only: one "
      "of them begins with it and all others with 0, or it is added behind the sum, by the one "
      "thread that stores."};
}

// Every NaN has the bits that the grader puts into a workspace.
bool all_from_scratch(const Field& field) {
  if (field.is_int()) return false;
  for (int64_t i = 0; i < field.size(); ++i) {
    if (field.state(i) != ElementState::nan) continue;
    const uint32_t bits = std::bit_cast<uint32_t>(field.evidence().got.f32[size_t(i)]) & 0x7fffffff;
    if (bits != kScratchBits && bits != kQuietedScratchBits) return false;
  }
  return true;
}

// Of elements computed one by one: NaN just where an input is far from 0, where e^x, or e^2x, is
// infinite.
std::optional<Pattern> nan_of_large_inputs(const Field& field) {
  constexpr float kOverflows = 44;  // e^(2 * 44.4) is infinite in float32, e^88.8 is, too
  const auto& inputs = field.evidence().inputs;
  if (inputs.size() != 1 || int64_t(inputs[0].f32.size()) != field.size()) return std::nullopt;
  float least = INFINITY;  // of the NaN
  for (int64_t i = 0; i < field.size(); ++i) {
    const float far = std::fabs(inputs[0].f32[size_t(i)]);
    if (std::isnan(far)) return std::nullopt;
    if (field.state(i) == ElementState::nan) least = std::min(least, far);
  }
  if (least < kOverflows) return std::nullopt;
  return Pattern{
      "", fmt::format("Each NaN is where {} is {:.3g} or more from 0.", inputs[0].name, least),
      "In float32 e^x is infinite from x = 89 on, and infinity / infinity and infinity - "
      "infinity are NaN: use a form that has e only of what is below 0."};
}

std::optional<Pattern> not_a_number(const Field& field) {
  if (field.evidence().comparison.nan == 0) return std::nullopt;
  if (auto pattern = nan_of_large_inputs(field)) return pattern;
  if (all_from_scratch(field)) {
    return Pattern{"workspace_not_set",
                   "It was computed from what the workspace held before the call: nobody has set "
                   "it.",
                   "What writes the workspace must write all that is read of it: compare the sizes "
                   "of both. And a sum in it begins with =, or with zeros, and goes on with +=."};
  }
  return Pattern{"nan_output", "",
                 "NaN comes from 0/0, inf - inf, inf/inf, 0*inf, or from memory that was never "
                 "set; it then spreads to everything computed from it."};
}

bool are_below_one(const Field& field) {
  for (int64_t i = 0; i < field.size(); ++i) {
    if (!(std::fabs(field.expected(i)) < 1)) return false;
  }
  return !field.is_int();
}

std::optional<Pattern> all_zero(const Field& field) {
  for (int64_t i = 0; i < field.size(); ++i) {
    if (field.bad(i) && field.got(i) != 0) return std::nullopt;
  }
  bool everything = true, expected_negative = true;
  for (int64_t i = 0; i < field.size(); ++i) {
    everything = everything && field.got(i) == 0;
    // Negative where it is wrong, and wrong wherever it is negative.
    expected_negative = expected_negative && (field.expected(i) < 0) == field.bad(i);
  }
  if (field.evidence().comparison.wrong < kFewestValues && !everything) return std::nullopt;
  if (expected_negative && !everything) {
    return Pattern{"clipped_at_zero", "Every output that should be negative is 0.",
                   "Nothing here asks for ReLU: store the sum as it is."};
  }
  const bool are_fractions = everything && are_below_one(field);
  const bool are_few = 2 * field.evidence().comparison.wrong < field.size();
  return Pattern{
      everything ? "all_zero" : "", everything ? "Every output is 0." : "Every wrong output is 0.",
      field.evidence().by_library ? "Is the result's memory given to the call, and alpha not 0?"
      : are_fractions
          ? "All values expected here are between -1 and 1: does an integer hold one on "
            "its way? Else: is the sum stored after the loops, and do they run at all?"
      : are_few
          ? "The others are right, so look for what leaves these out: a test that they do not "
            "pass, or a search whose first value none of their elements exceeds."
          : "Is the sum stored after the loops, do the loops run at all, and is nothing on its way "
            "an int?"};
}

std::optional<Pattern> all_the_same(const Field& field) {
  if (field.size() < kFewestValues) return std::nullopt;
  for (int64_t i = 1; i < field.size(); ++i) {
    if (field.got(i) != field.got(0)) return std::nullopt;
  }
  return Pattern{"all_the_same",
                 fmt::format("Every output has the same value, {:.5g}.", field.got(0)),
                 "Do the indices of input and output depend on the loop variables?"};
}

std::optional<Pattern> wrong_sign(const Field& field, const Closeness& closeness) {
  for (int64_t i = 0; i < field.size(); ++i) {
    if (!closeness.close(field.got(i), -field.expected(i))) return std::nullopt;
  }
  return Pattern{"wrong_sign", "Every output has the wrong sign.", ""};
}

// "9 is kh * kw": a number of loop iterations that equals `count`, or nothing.
std::string explained_count(const Evidence& evidence, int64_t count) {
  const auto of = [&](const char* name) {
    const auto found = evidence.params.find(name);
    return found == evidence.params.end() ? 1.0 : found->second;
  };
  const std::pair<const char*, double> products[] = {{"kh * kw", of("kh") * of("kw")},
                                                     {"c * kh * kw", of("c") * of("kh") * of("kw")},
                                                     {"h * w", of("h") * of("w")},
                                                     {"c", of("c")},
                                                     {"kh", of("kh")},
                                                     {"kw", of("kw")},
                                                     {"n", of("n")},
                                                     {"in", of("in")},
                                                     {"k", of("k")}};
  for (const auto& [name, product] : products) {
    if (product == double(count)) return fmt::format("; {} is {}", count, name);
  }
  return "";
}

// Factors that tell by themselves what has been taken for what.
struct KnownFactor {
  double value;
  const char* name;
  const char* cause;
};
constexpr KnownFactor kKnownFactors[] = {
    {1.4426950408889634, "1 / ln 2", "log2 stands where log, the natural logarithm, belongs"},
    {0.6931471805599453, "ln 2", "log, the natural logarithm, stands where log2 belongs"},
    {0.4342944819032518, "1 / ln 10", "log10 stands where log, the natural logarithm, belongs"},
    {2.302585092994046, "ln 10", "log, the natural logarithm, stands where log10 belongs"},
    {1.4142135623730951, "the root of 2", "a factor 2 is missing under a root, or is there twice"},
    {0.7071067811865476, "the root of 1 / 2", "a factor 2 is missing or too many under a root"},
    {3.141592653589793, "pi", "a factor pi is too many"},
    {0.3183098861837907, "1 / pi", "a factor pi is missing"},
};

const KnownFactor* known_factor(double factor) {
  for (const KnownFactor& known : kKnownFactors) {
    if (std::fabs(factor - known.value) < 1e-5 * known.value) return &known;
  }
  return nullptr;
}

std::optional<Pattern> constant_factor(const Field& field) {
  int64_t largest = 0;
  for (int64_t i = 0; i < field.size(); ++i) {
    if (std::fabs(field.expected(i)) > std::fabs(field.expected(largest))) largest = i;
  }
  double factor = field.got(largest) / field.expected(largest);
  if (!std::isfinite(factor) || factor <= 0) return std::nullopt;
  const auto snap = [](double value) {
    return std::fabs(value - std::round(value)) < 1e-4 * value ? std::round(value) : 0.0;
  };
  const double times = snap(factor), divisor = snap(1 / factor);
  const bool whole = times > 0 || divisor > 0;
  if (times > 0) factor = times;
  if (divisor > 0) factor = 1 / divisor;
  const KnownFactor* known = whole ? nullptr : known_factor(factor);
  if (known) factor = known->value;
  const bool tells = whole || known;
  if (factor == 1 || field.size() < (tells ? kFewestValues : 2 * kFewestValues))
    return std::nullopt;

  const Closeness closeness(field.evidence(), std::max(1.0, factor));
  for (int64_t i = 0; i < field.size(); ++i) {
    const double predicted = factor * field.expected(i);
    if (!closeness.close(field.got(i), predicted)) return std::nullopt;
  }
  if (closeness.close(field.got(largest), field.expected(largest))) return std::nullopt;
  const Evidence& evidence = field.evidence();
  if (times == 2) {
    return Pattern{"accumulated_twice",
                   "Every output is 2 times the expected value: it is accumulated twice.",
                   "Is a loop run twice, or a sum added to a result that already holds it?"};
  }
  if (times > 0) {
    return Pattern{"constant_factor",
                   fmt::format("Every output is {0:.0f} times the expected value{1}.", times,
                               explained_count(evidence, int64_t(times))),
                   "Is something added in every pass of an inner loop that belongs outside of it, "
                   "or is a division missing?"};
  }
  if (divisor > 0) {
    return Pattern{"constant_factor",
                   fmt::format("Every output is the expected value divided by {:.0f}{}.", divisor,
                               explained_count(evidence, int64_t(divisor))),
                   "Is there a division too many, or does a loop end early?"};
  }
  if (known) {
    return Pattern{"constant_factor",
                   fmt::format("Every output is {:.5g} times the expected value, and that is {}. "
                               "Probably {}.",
                               factor, known->name, known->cause),
                   "Write the formula with the units that the handout has: log(x) in C++ is the "
                   "natural logarithm, log2(x) is log(x) / log(2)."};
  }
  return Pattern{"constant_factor",
                 fmt::format("Every output is {:.5g} times the expected value.", factor), ""};
}

// got - expected of every channel, if it is one number throughout each channel.
std::optional<std::vector<double>> channel_offsets(const Field& field, const Closeness& closeness) {
  if (field.size() < 2 * field.channels()) return std::nullopt;
  std::vector<double> offset(size_t(field.channels()), std::numeric_limits<double>::quiet_NaN());
  for (int64_t i = 0; i < field.size(); ++i) {
    double& here = offset[size_t(field.cell(i).channel)];
    const double difference = field.got(i) - field.expected(i);
    if (std::isnan(here)) here = difference;
    if (!closeness.close(field.got(i), field.expected(i) + here)) return std::nullopt;
  }
  return offset;
}

// Which channel's bias a channel has got.
struct OtherBias {
  std::string sentence;
  std::vector<int64_t> of;  // by channel; -1: none that there is
};

std::vector<OtherBias> other_biases(int64_t channels) {
  std::vector<OtherBias> found;
  const auto add = [&](std::string sentence, auto of) {
    OtherBias one{std::move(sentence), {}};
    for (int64_t m = 0; m < channels; ++m) {
      const int64_t other = of(m);
      one.of.push_back(other < 0 || other >= channels ? -1 : other);
    }
    found.push_back(std::move(one));
  };
  for (int64_t k = 0; k < channels; ++k) {
    add(fmt::format("Every channel has got the bias of channel {}.", k),
        [=](int64_t) { return k; });
  }
  for (int64_t part = 2; part < channels; ++part) {
    add(fmt::format("From channel {0} on, the channels have got the biases of channels 0, 1, ...: "
                    "the bias is numbered within a part of {0} channels, not among all.",
                    part),
        [=](int64_t m) { return m % part; });
    add(fmt::format("Channel m has got the bias of channel m / {}.", part),
        [=](int64_t m) { return m / part; });
  }
  for (int64_t part = 2; part < channels; ++part) {
    add(fmt::format(
            "Channel m has got the bias of channel m / {0} * {0}, the first one of its {0}: "
            "each of them has a bias of its own.",
            part),
        [=](int64_t m) { return m / part * part; });
    for (int64_t block = 2 * part; block < channels; block += part) {
      add(fmt::format("In every block of {0} channels, those behind the first {1} have got the "
                      "biases of the first {1} again: the group's number (of {1} channels) is "
                      "missing in the index.",
                      block, part),
          [=](int64_t m) { return m / block * block + m % block % part; });
    }
  }
  for (const int64_t shift : {1, -1}) {
    add(fmt::format("Each channel has got the bias of the channel {} it.",
                    shift > 0 ? "after" : "before"),
        [=](int64_t m) { return m + shift; });
  }
  add("The biases are in the opposite order.", [=](int64_t m) { return channels - 1 - m; });
  return found;
}

// Each channel's bias, where only one gives its offset.
std::optional<OtherBias> single_biases(const CaseTensor& b, const Closeness& closeness,
                                       const std::vector<double>& offsets) {
  OtherBias found;
  std::string list;
  constexpr int kMostListed = 6;
  int others = 0;
  for (size_t m = 0; m < offsets.size(); ++m) {
    int64_t only = -1;
    for (size_t k = 0; k < offsets.size(); ++k) {
      if (!closeness.close(offsets[m], double(b.f32[k]) - double(b.f32[m]))) continue;
      if (only >= 0) return std::nullopt;
      only = int64_t(k);
    }
    if (only < 0) return std::nullopt;
    found.of.push_back(only);
    if (only == int64_t(m)) continue;
    if (++others > kMostListed) continue;
    list += fmt::format("{}channel {} {} of channel {}", list.empty() ? "" : ", ", m,
                        list.empty() ? "has got the bias" : "that", only);
  }
  if (others < 2) return std::nullopt;
  found.sentence = fmt::format("The biases of channels are mixed up: {}{}.", list,
                               others > kMostListed ? ", ..." : "");
  return found;
}

// The only order of the biases that gives all offsets.
std::optional<Pattern> bias_of_another(const Field& field, const Closeness& closeness,
                                       const std::vector<double>& offsets) {
  const int64_t channels = field.channels();
  constexpr int64_t kMost = 256;  // channels
  if (channels < 3 || channels > kMost) return std::nullopt;
  for (const CaseTensor& input : field.evidence().inputs) {
    if (input.name != "b" || int64_t(input.f32.size()) != channels) continue;
    const OtherBias* only = nullptr;
    const std::vector<OtherBias> all = other_biases(channels);
    for (const OtherBias& one : all) {
      int64_t telling = 0;
      bool fits = true;
      for (int64_t m = 0; m < channels && fits; ++m) {
        const int64_t other = one.of[size_t(m)];
        if (other < 0) continue;
        const double offset = double(input.f32[size_t(other)]) - double(input.f32[size_t(m)]);
        fits = closeness.close(offsets[size_t(m)], offset);
        telling += !closeness.close(offset, 0);
      }
      constexpr int64_t kFewest = 2;
      if (!fits || telling < kFewest) continue;
      if (only && only->of == one.of) continue;
      if (only) return std::nullopt;
      only = &one;
    }
    const auto single = only ? std::nullopt : single_biases(input, closeness, offsets);
    if (!only && !single) return std::nullopt;
    return Pattern{"bias_of_another", only ? only->sentence : single->sentence,
                   "Every output of feature map m gets b[m], where m counts all maps from 0."};
  }
  return std::nullopt;
}

// The only parameter of this value, or "".
std::string parameter_of_value(const Evidence& evidence, double value) {
  std::string found;
  for (const auto& [name, known] : evidence.params) {
    if (!(std::fabs(known - value) <= 1e-4 * std::fabs(value))) continue;
    if (!found.empty()) return "";
    found = name;
  }
  return found;
}

// A bias that is multiplied by what is no whole number, such as alpha.
std::optional<Pattern> scaled_bias(const Evidence& evidence, const Closeness& closeness,
                                   const CaseTensor& b, const std::vector<double>& offsets) {
  double products = 0, squares = 0;
  for (size_t m = 0; m < offsets.size(); ++m) {
    products += offsets[m] * double(b.f32[m]);
    squares += double(b.f32[m]) * double(b.f32[m]);
  }
  const double factor = products / squares + 1;
  int64_t telling = 0;
  for (size_t m = 0; m < offsets.size(); ++m) {
    const double offset = (factor - 1) * double(b.f32[m]);
    if (!closeness.close(offsets[m], offset)) return std::nullopt;
    telling += !closeness.close(offset, 0);
  }
  const std::string parameter = parameter_of_value(evidence, factor);
  // Two offsets meet one factor by accident seldom, one always.
  const int64_t fewest = parameter.empty() ? 3 : 2;
  if (telling < fewest || !std::isfinite(factor)) return std::nullopt;
  return Pattern{
      "bias_scaled",
      parameter.empty()
          ? fmt::format("The bias is multiplied by {:.4g}; it belongs there as it is.", factor)
          : fmt::format("The bias is multiplied by {} ({:.4g}), too; it belongs there as it is.",
                        parameter, factor),
      "Add b[m] once to every output of feature map m, behind all factors."};
}

Pattern bias_missing() {
  return {"missing_bias", "The bias is missing: every output is too small by b.",
          "Add b[m] once to every output of feature map m."};
}

Pattern bias_subtracted(double times) {
  return {"bias_subtracted",
          times == -2 ? std::string("The bias is subtracted instead of added.")
                      : fmt::format("The bias is subtracted {:.0f} "
                                    "times instead of added once.",
                                    -1 - times),
          "Add b[m] once to every output of feature map m."};
}

Pattern bias_repeated(const Field& field, double times) {
  return {
      "bias_repeated",
      fmt::format("The bias is added {:.0f} times{}.", times + 1,
                  explained_count(field.evidence(), int64_t(times) + 1)),
      "Add b[m] once to every output, outside of the loops that sum the products. Where several "
      "threads or parts share a sum, only one of them begins with the bias."};
}

std::optional<Pattern> constant_offset(const Field& field, const Closeness& closeness) {
  const auto offsets = channel_offsets(field, closeness);
  if (!offsets || field.size() < kFewestValues) return std::nullopt;
  for (const CaseTensor& input : field.evidence().inputs) {
    if (input.name != "b" || input.f32.size() != offsets->size()) continue;
    size_t largest = 0;
    for (size_t m = 0; m < offsets->size(); ++m) {
      if (std::fabs(input.f32[m]) > std::fabs(input.f32[largest])) largest = m;
    }
    const double times = std::round((*offsets)[largest] / double(input.f32[largest]));
    bool fits = std::isfinite(times) && times != 0;
    for (size_t m = 0; m < offsets->size(); ++m) {
      fits = fits && closeness.close((*offsets)[m], times * double(input.f32[m]));
    }
    if (!fits) {
      if (auto pattern = scaled_bias(field.evidence(), closeness, input, *offsets)) return pattern;
      continue;
    }
    if (const std::string name = parameter_of_value(field.evidence(), times + 1);
        name == "alpha" || name == "beta") {
      return scaled_bias(field.evidence(), closeness, input, *offsets);
    }
    if (times == -1) return bias_missing();
    return times < 0 ? bias_subtracted(times) : bias_repeated(field, times);
  }
  if (auto pattern = bias_of_another(field, closeness, *offsets)) return pattern;
  if (field.channels() == 1) {
    return Pattern{"constant_offset",
                   fmt::format("Every output is off by the same amount, {:.5g}.", (*offsets)[0]),
                   ""};
  }
  return Pattern{"constant_offset",
                 fmt::format("Every output of a channel is off by the same amount (channel 0 by "
                             "{:.5g}, channel 1 by {:.5g}).",
                             (*offsets)[0], (*offsets)[1]),
                 "Something is added once per channel: is it the right bias?"};
}

// Of an output with too few elements to tell by itself: all are off by one multiple of their bias.
std::optional<Pattern> bias_in_few(const Field& field, const Closeness& closeness) {
  for (const CaseTensor& input : field.evidence().inputs) {
    if (input.name != "b" || int64_t(input.f32.size()) != field.channels()) continue;
    const auto bias = [&](int64_t i) { return double(input.f32[size_t(field.cell(i).channel)]); };
    int64_t largest = 0;
    for (int64_t i = 0; i < field.size(); ++i) {
      if (std::fabs(bias(i)) > std::fabs(bias(largest))) largest = i;
    }
    const double times = std::round((field.got(largest) - field.expected(largest)) / bias(largest));
    if (!std::isfinite(times) || times == 0) return std::nullopt;
    for (int64_t i = 0; i < field.size(); ++i) {
      if (!closeness.close(field.got(i), field.expected(i) + times * bias(i))) return std::nullopt;
    }
    if (closeness.close(times * bias(largest), 0)) return std::nullopt;
    Pattern pattern = times == -1 ? bias_missing()
                      : times < 0 ? bias_subtracted(times)
                                  : bias_repeated(field, times);
    pattern.needs_support = true;
    return pattern;
  }
  return std::nullopt;
}

// A fact, not a mistake: too much leads to it.
std::optional<Pattern> bias_alone(const Field& field, const Closeness& closeness) {
  if (field.size() < kFewestValues || field.size() < 2 * field.channels()) return std::nullopt;
  for (const CaseTensor& input : field.evidence().inputs) {
    if (input.name != "b" || int64_t(input.f32.size()) != field.channels()) continue;
    for (int64_t i = 0; i < field.size(); ++i) {
      const double bias = double(input.f32[size_t(field.cell(i).channel)]);
      if (!closeness.close(field.got(i), bias)) return std::nullopt;
    }
    return Pattern{"", "Every output holds the bias of its channel alone.",
                   "Is the sum of the products stored, and the bias added to it, or does the bias "
                   "replace it?"};
  }
  return std::nullopt;
}

// The factor of each row (of the first dimension) that turns all expected values into what was got.
std::optional<std::vector<double>> row_factors(const Field& field, int64_t rows) {
  const int64_t length = field.size() / rows;
  constexpr int64_t kShortest = 3;
  if (rows < 2 || length < kShortest) return std::nullopt;
  std::vector<double> factors;
  int64_t telling = 0, wrong_rows = 0;
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t begin = row * length;
    int64_t largest = begin;
    for (int64_t i = begin; i < begin + length; ++i) {
      if (std::fabs(field.expected(i)) > std::fabs(field.expected(largest))) largest = i;
    }
    const double factor = field.got(largest) / field.expected(largest);
    if (!std::isfinite(factor)) return std::nullopt;
    // Of each element by itself: the small ones of a row tell as much as the largest.
    const double slack = 2 * std::max(1.0, std::fabs(factor));
    bool is_wrong = false;
    for (int64_t i = begin; i < begin + length; ++i) {
      const double predicted = factor * field.expected(i);
      const double allowed =
          slack * field.allowed(i) + 4 * double(FLT_EPSILON) * std::fabs(predicted);
      if (!(std::fabs(field.got(i) - predicted) <= allowed)) return std::nullopt;
      if (!field.bad(i)) continue;
      is_wrong = true, ++telling;
    }
    wrong_rows += is_wrong;
    factors.push_back(is_wrong ? factor : 1);
  }
  // One element of each row gives its factor.
  if (wrong_rows < 2 || telling < 2 * wrong_rows + kFewestValues) return std::nullopt;
  return factors;
}

bool rows_add_up_to_one(const Field& field, int64_t rows) {
  const int64_t length = field.size() / rows;
  for (int64_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (int64_t i = row * length; i < (row + 1) * length; ++i) sum += field.expected(i);
    if (!(std::fabs(sum - 1) < 1e-4)) return false;
  }
  return true;
}

// Of rows that must add up to 1 each: so many of them do together, in their order. 0 if none do.
int64_t rows_divided_together(const std::vector<double>& factors) {
  for (size_t together = 2; together <= 32 && together < 2 * factors.size(); together *= 2) {
    bool fits = true;
    for (size_t row = 0; row < factors.size() && fits; row += together) {
      double sum = 0;
      for (size_t k = row; k < std::min(row + together, factors.size()); ++k) sum += factors[k];
      fits = std::fabs(sum - 1) < 1e-3;
    }
    if (fits) return int64_t(together);
  }
  return 0;
}

// What all elements of a row are multiplied with, or divided by, is wrong.
std::optional<Pattern> factor_of_rows(const Field& field) {
  const std::vector<int64_t>& dims = field.evidence().got.dims;
  if (dims.size() < 2 || field.size() < 1) return std::nullopt;
  const auto factors = row_factors(field, dims[0]);
  if (!factors) return std::nullopt;
  const bool are_shares = rows_add_up_to_one(field, dims[0]);
  if (const int64_t together = are_shares ? rows_divided_together(*factors) : 0) {
    return Pattern{
        "rows_divided_together",
        fmt::format("Each row must add up to 1. Here {} neighbouring rows together do (rows 0 to "
                    "{}, and so on): each row is divided by the sum over {} rows.",
                    together, together - 1, together),
        field.evidence().on_device
            ? "Where several rows share a warp or a block, a sum over lanes or threads must end "
              "with those of its row: begin __shfl_xor_sync() with half the lanes of a row, and "
              "keep what rows have in shared memory apart."
            : "Begin the sum of a row with 0, and end it with the row."};
  }
  std::string list;
  constexpr size_t kMostListed = 3;
  for (size_t row = 0; row < std::min(factors->size(), kMostListed); ++row) {
    list += fmt::format("{}{:.4g} in row {}", row == 0 ? "" : ", ", (*factors)[row], row);
  }
  return Pattern{
      "factor_of_rows",
      fmt::format("In each row of {} all outputs are the expected ones times one number: {}{}. "
                  "What the elements of a row have in common, a factor or a divisor, is wrong.",
                  field.evidence().got.name, list, factors->size() > kMostListed ? ", ..." : ""),
      "Compute the factor of one row by hand, and print the one that the program takes: is it that "
      "of another row, or is it overwritten before it is used?"};
}

bool keeps_only_bits(const Field& field, uint32_t dropped) {
  for (int64_t i = 0; i < field.size(); ++i) {
    if (std::bit_cast<uint32_t>(float(field.got(i))) & dropped) return false;
  }
  return true;
}

// The input of which the errors are `times` its elements. What is rounded follows no input, but
// for what is cut off from one: of that this explains three quarters at most.
struct Followed {
  std::string name;
  double times;
};
std::optional<Followed> followed_input(const Field& field) {
  constexpr double kShare = 0.9;  // of the squares
  constexpr int64_t kFewest = 12;
  if (field.size() < kFewest) return std::nullopt;
  for (const CaseTensor& input : field.evidence().inputs) {
    if (int64_t(input.f32.size()) != field.size()) continue;
    double products = 0, errors = 0, squares = 0;
    for (int64_t i = 0; i < field.size(); ++i) {
      const double error = field.got(i) - field.expected(i), x = double(input.f32[size_t(i)]);
      products += error * x, errors += error * error, squares += x * x;
    }
    if (products * products > kShare * errors * squares) {
      return Followed{input.name, products / squares};
    }
  }
  return std::nullopt;
}

// Errors everywhere small against the summed magnitudes, too large for float32 but not for less.
std::optional<Pattern> lost_precision(const Field& field) {
  const Evidence& evidence = field.evidence();
  if (field.is_int() || evidence.magnitude.empty() || field.size() < kFewestValues)
    return std::nullopt;
  constexpr double kHalfPrecision = 0x1p-10;  // one unit in the last place of float16
  double errors = 0, values = 0, largest = 0;
  for (int64_t i = 0; i < field.size(); ++i) {
    const double error = std::fabs(field.got(i) - field.expected(i));
    const double magnitude = evidence.magnitude[size_t(i)];
    if (!(error <= kHalfPrecision * magnitude * evidence.tolerance.factor)) return std::nullopt;
    errors += error * error;
    values += field.expected(i) * field.expected(i);
    if (field.expected(i) != 0) largest = std::max(largest, error / magnitude);
  }
  if (errors > 0x1p-12 * values) return std::nullopt;
  if (const auto followed = followed_input(field)) {
    return Pattern{"errors_follow_input",
                   fmt::format("No error is random, as one of rounding would be: each is about "
                               "{:.3g} times the element of {} at its place.",
                               followed->times, followed->name),
                   fmt::format("Which term has {}, and is it missing, there twice, or multiplied "
                               "by something else?",
                               followed->name)};
  }
  std::string sentence = fmt::format(
      "Every error is small, at most {:.2g} of the summed magnitudes: precision is lost.", largest);
  if (keeps_only_bits(field, 0xffff)) {
    sentence += " Every output has at most 8 significant bits, as bfloat16 has.";
  } else if (keeps_only_bits(field, 0x1fff)) {
    sentence += " Every output has at most 11 significant bits, as float16 has.";
  }
  return Pattern{"lost_precision", sentence,
                 "Look for a lower precision than float, or for a "
                 "large intermediate result that cancels."};
}

}  // namespace

namespace {

// "which is -log(1e-07)"
std::string as_logarithm(double value) {
  const std::pair<std::string, double> known[] = {{"FLT_EPSILON", 0x1p-23}, {"FLT_MIN", 0x1p-126}};
  for (const auto& [name, of] : known) {
    if (std::fabs(value + std::log(of)) < 1e-5 * value) return fmt::format("-log({})", name);
  }
  for (int digits = 3; digits <= 40; ++digits) {
    const double tiny = std::pow(10, -digits);
    if (std::fabs(value + std::log(tiny)) < 1e-5 * value) return fmt::format("-log(1e-{})", digits);
  }
  return "";
}

// What should lie beyond a number is that number.
std::optional<Pattern> cut_off(const Field& field) {
  double limit = std::numeric_limits<double>::quiet_NaN();
  bool all_above = true, all_below = true;
  int64_t wrong = 0;
  for (int64_t i = 0; i < field.size(); ++i) {
    if (!field.bad(i)) continue;
    ++wrong;
    if (std::isnan(limit)) limit = field.got(i);
    if (field.got(i) != limit) return std::nullopt;
    all_above = all_above && field.expected(i) > limit;
    all_below = all_below && field.expected(i) < limit;
  }
  if (!std::isfinite(limit) || limit == 0 || (!all_above && !all_below)) return std::nullopt;
  for (int64_t i = 0; i < field.size(); ++i) {
    if (field.bad(i)) continue;
    if (all_above ? field.got(i) > limit : field.got(i) < limit) return std::nullopt;
  }
  const std::string logarithm = as_logarithm(limit);
  const bool enough = wrong >= kFewestValues && wrong < field.size();
  if (!enough && (logarithm.empty() || wrong < 2)) return std::nullopt;
  return Pattern{"cut_off",
                 fmt::format("No output is {} than {:.6g}, and those that should be are {:.6g}: "
                             "something is cut off there{}.",
                             all_above ? "larger" : "smaller", limit, limit,
                             logarithm.empty() ? "" : fmt::format(" ({})", logarithm)),
                 logarithm.empty()
                     ? "Is a limit, a clamp or a saturating conversion on the way?"
                     : "What the logarithm is taken of is kept from being too small: compute the "
                       "logarithm of the sum from the numbers themselves, less the largest, and no "
                       "limit is needed."};
}

// Numbers with digits after the point were expected, and whole ones came.
std::optional<Pattern> whole_numbers(const Field& field) {
  if (field.is_int()) return std::nullopt;
  int64_t wrong = 0, of_fractions = 0;
  bool any_but_zero = false;
  for (int64_t i = 0; i < field.size(); ++i) {
    if (!field.bad(i)) continue;
    if (field.state(i) != ElementState::wrong || field.got(i) != std::rint(field.got(i))) {
      return std::nullopt;
    }
    ++wrong;
    any_but_zero = any_but_zero || field.got(i) != 0;
    if (field.expected(i) != std::rint(field.expected(i))) ++of_fractions;
  }
  if (wrong < kFewestValues || !any_but_zero || 10 * of_fractions < 9 * wrong) return std::nullopt;
  return Pattern{"whole_numbers",
                 "Every wrong output is a whole number, and hardly any should be: the result, or "
                 "what it is summed up in, goes through an integer.",
                 "Is the sum, or something on its way, an int?"};
}

// What numbers in fixed point, or quantised ones, are multiples of.
struct Step {
  double size;
  std::string text;
};
std::vector<Step> known_steps() {
  std::vector<Step> steps;
  constexpr int kMostBits = 20, kMostDigits = 5;
  for (int bits = 1; bits <= kMostBits; ++bits) {
    steps.push_back({std::ldexp(1.0, -bits), fmt::format("1/{}", int64_t(1) << bits)});
  }
  for (int digits = 1; digits <= kMostDigits; ++digits) {
    steps.push_back({std::pow(10.0, -digits), fmt::format("{:g}", std::pow(10.0, -digits))});
  }
  for (const int levels : {127, 255}) steps.push_back({1.0 / levels, fmt::format("1/{}", levels)});
  std::ranges::sort(steps, std::ranges::greater(), &Step::size);
  return steps;
}

// As near as a float comes to it.
bool is_multiple(double value, double step) {
  const double times = value / step;
  return std::fabs(times - std::rint(times)) <= std::fabs(times) * 0x1p-23;
}

// So many bits of what floats near `value` can hold are 0 in multiples of the step.
double bits_told(double value, double step) {
  constexpr double kUnit = 0x1p-23;  // of a float's last place, against the float itself
  return value == 0 ? 0 : std::max(std::log2(step / (std::fabs(value) * kUnit)), 0.0);
}

// All outputs are multiples of one step, and those expected are not.
std::optional<Pattern> fixed_steps(const Field& field) {
  if (field.is_int()) return std::nullopt;
  // (Floats of a lower precision have their own sentence.)
  if (keeps_only_bits(field, 0x1fff)) return std::nullopt;
  constexpr double kTellingBits = 40;
  const double terms = std::max(field.evidence().tolerance.terms, 1.0);
  for (const Step& step : known_steps()) {
    int64_t wrong = 0, expected = 0;
    double told = 0;
    bool fits = true;
    for (int64_t i = 0; i < field.size() && fits; ++i) {
      const double got = field.got(i);
      fits = std::isfinite(got) && is_multiple(got, step.size);
      if (!fits || !field.bad(i)) continue;
      fits = std::fabs(got - field.expected(i)) <= terms * step.size;
      ++wrong;
      expected += is_multiple(double(float(field.expected(i))), step.size);
      told += bits_told(got, step.size);
    }
    if (!fits || wrong == 0 || 10 * expected > wrong) continue;
    const bool is_few = told < kTellingBits || wrong < kFewestValues;
    constexpr double kSomething = 6;  // bits; less is no support either
    if (is_few && told < kSomething) continue;
    return Pattern{
        "fixed_steps",
        fmt::format("Every output is a multiple of {}, and hardly any should be: the results, or "
                    "what they are summed up from, are rounded to this step, as numbers in fixed "
                    "point (integers that count units of {}) are.",
                    step.text, step.text),
        "Is something multiplied by a constant and rounded to an integer on its way? A float keeps "
        "24 bits of a small number, too; a fixed step loses them.",
        is_few};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Pattern> uniform_values(const Field& field) {
  const Closeness closeness(field.evidence());
  if (auto pattern = all_zero(field)) return pattern;
  if (auto pattern = bias_alone(field, closeness)) return pattern;
  if (auto pattern = all_the_same(field)) return pattern;
  if (auto pattern = whole_numbers(field)) return pattern;
  if (auto pattern = fixed_steps(field)) return pattern;
  if (const ComposedOp* composed = composed_op(field.evidence().op)) {
    return Pattern{"", "", composed->hint};
  }
  if (auto pattern = cut_off(field)) return pattern;
  // The rules that follow are coarser than the error bound: they explain large errors only.
  bool large = false;
  for (int64_t i = 0; i < field.size() && !large; ++i) {
    large = field.bad(i) && !closeness.close(field.got(i), field.expected(i));
  }
  if (!large) return lost_precision(field);
  if (auto pattern = constant_factor(field)) return pattern;
  if (field.size() >= kFewestValues) {
    if (auto pattern = wrong_sign(field, closeness)) return pattern;
  }
  if (auto pattern = constant_offset(field, closeness)) return pattern;
  if (auto pattern = factor_of_rows(field)) return pattern;
  const bool is_few = field.size() < kFewestValues || field.size() < 2 * field.channels();
  if (is_few) {
    if (auto pattern = bias_in_few(field, closeness)) return pattern;
  }
  return lost_precision(field);
}

// Each wrong output is the one before it in memory and what is expected here.
std::optional<Pattern> carried_over(const Field& field) {
  const Closeness closeness(field.evidence());
  int64_t carried = 0;
  for (int64_t i = 0; i < field.size(); ++i) {
    if (!field.bad(i)) continue;
    if (i == 0 || !closeness.close(field.got(i), field.got(i - 1) + field.expected(i))) {
      return std::nullopt;
    }
    // Where nothing is expected, it is a copy, which has other reasons.
    if (std::fabs(field.expected(i)) > closeness.allowed(field.expected(i))) ++carried;
  }
  if (carried == 0) return std::nullopt;
  return Pattern{"sum_carried_over",
                 "Every wrong output also holds the output before it: the sum goes on from one "
                 "output to the next.",
                 "Begin the sum anew for each output, inside the loops over the outputs.",
                 carried < kFewestValues};
}

std::optional<Pattern> value_relation(const Field& field) {
  const Comparison& seen = field.evidence().comparison;
  if (auto pattern = added_to_unwritten(field)) return pattern;
  if (auto pattern = not_a_number(field)) return pattern;
  if (seen.unwritten > 0 || field.is_int()) return std::nullopt;
  if (auto pattern = kept_old_values(field)) return pattern;
  if (auto pattern = old_values_repeated(field)) return pattern;
  if (auto pattern = elementwise_values(field)) return pattern;
  if (auto pattern = carried_over(field)) return pattern;
  if (auto pattern = uniform_values(field)) return pattern;
  return moved_values(field);
}

}  // namespace convkit
