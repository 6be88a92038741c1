// SPDX-License-Identifier: MIT
// Puts a diagnosis together: what was seen and expected, where, and what is known about it.
#include "compare/diagnose.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "compare/field.h"
#include "compare/formula/mistakes.h"
#include "compare/network/mistakes.h"
#include "compare/patterns.h"
#include "compare/region_map.h"
#include "compare/wording.h"

namespace convkit {
namespace {

// One pass over the wrong elements: the first of each kind, and the worst that is a number.
struct Examples {
  int64_t first[5] = {-1, -1, -1, -1, -1};  // by ElementState
  int64_t worst = -1;
  double worst_ratio = -1;

  explicit Examples(const Field& field) {
    double worst_difference = -1;
    for (int64_t i = 0; i < field.size(); ++i) {
      const ElementState state = field.state(i);
      if (state == ElementState::right) continue;
      int64_t& first_of_kind = first[size_t(state)];
      if (first_of_kind < 0) first_of_kind = i;
      if (state != ElementState::wrong) continue;
      double difference = std::fabs(field.got(i) - field.expected(i));
      if (!std::isfinite(difference)) difference = INFINITY;
      const double allowed = field.allowed(i);
      const double ratio = allowed > 0 ? difference / allowed : INFINITY;
      if (ratio > worst_ratio || (ratio == worst_ratio && difference > worst_difference)) {
        worst = i;
        worst_ratio = ratio;
        worst_difference = difference;
      }
    }
  }
  int64_t first_of(ElementState state) const { return first[size_t(state)]; }
};

std::string expected_at(const Field& field, int64_t index) {
  const double expected = field.expected(index);
  return field.is_int() ? fmt::format("{:.0f}", expected) : fmt::format("{:.5g}", expected);
}

std::string unwritten_sentence(const Field& field, int64_t count, const Examples& examples) {
  const std::string& name = field.evidence().got.name;
  if (count == field.size()) {
    return fmt::format(
        "Nothing was written to {}: {} as the grader left {}.", name,
        count == 1 ? "its only element is" : fmt::format("all {} outputs are", count),
        count == 1 ? "it" : "them");
  }
  const int64_t first = examples.first_of(ElementState::unwritten);
  return fmt::format("{} of {} outputs {} never written. First: {} (expected {}).", count,
                     field.size(), count == 1 ? "was" : "were", field.name(first),
                     expected_at(field, first));
}

std::string from_unwritten_sentence(const Field& field, int64_t count, const Examples& examples) {
  const int64_t first = examples.first_of(ElementState::from_unwritten);
  return fmt::format(
      "{} of {} outputs {} computed from elements of "
      "{} that were never set. First: {} (expected {}).",
      count, field.size(), count == 1 ? "was" : "were", field.evidence().got.name,
      field.name(first), expected_at(field, first));
}

std::string nan_sentence(const Field& field, int64_t count, const Examples& examples) {
  const int64_t first = examples.first_of(ElementState::nan);
  bool reference_has_nan = false;
  for (int64_t i = 0; i < field.size(); ++i) {
    reference_has_nan = reference_has_nan || std::isnan(field.expected(i));
  }
  return fmt::format("{} of {} values {} NaN; the reference {}. First: {} (expected {}).", count,
                     field.size(), count == 1 ? "is" : "are",
                     reference_has_nan ? "has numbers there" : "has none", field.name(first),
                     expected_at(field, first));
}

std::string difference_sentence(const Field& field, int64_t count, const Examples& examples) {
  const int64_t first = examples.first_of(ElementState::wrong);
  const bool exact = field.allowed(first) == 0;
  const std::string how_far = exact ? "they must be exact"
                              : std::isinf(examples.worst_ratio)
                                  ? "the worst is infinite"
                                  : "worst is " + times_allowed(examples.worst_ratio);
  std::string text = fmt::format("{} of {} {} ({}). First: {} {}.", count,
                                 counted(field.size(), "output"), count == 1 ? "differs" : "differ",
                                 how_far, field.name(first), field.expected_and_got(first));
  if (examples.worst != first) {
    text += fmt::format("\nWorst: {} {}", field.name(examples.worst),
                        field.expected_and_got(examples.worst));
    const double allowed = field.allowed(examples.worst);
    text += allowed > 0 ? fmt::format("; the allowed error is {:.2g}.", allowed) : ".";
  }
  return text;
}

std::string counts(const Field& field) {
  const Comparison& seen = field.evidence().comparison;
  const Examples examples(field);
  std::string text;
  const auto add = [&](int64_t count, auto sentence) {
    if (count == 0) return;
    if (!text.empty()) text += '\n';
    text += sentence(field, count, examples);
  };
  add(seen.unwritten, unwritten_sentence);
  add(seen.from_unwritten, from_unwritten_sentence);
  add(seen.nan, nan_sentence);
  add(seen.wrong - seen.unwritten - seen.from_unwritten - seen.nan, difference_sentence);
  return text;
}

// Guesses of formulas and of networks.
void add_searched(const Evidence& evidence, Symptoms& found) {
  auto [edits, all_edits, none] = guesses_of_formulas(evidence);
  // What many edits lead to says little about any of them; nor does an output without values, or a
  // division of 0 by 0.
  constexpr size_t kTelling = 10;
  const bool no_values = holds_no_values(evidence);
  size_t different = 0;
  bool of_groups = false;  // of several sizes, which count once
  for (const Guess& guess : edits) {
    const bool is_of_groups = guess.kind == Guess::Kind::whole_groups;
    different += !guess.needs_support && !is_of_groups;
    of_groups = of_groups || is_of_groups;
  }
  different += of_groups;
  for (Guess& guess : edits) {
    guess.needs_support = guess.needs_support || no_values;
    guess.of_two = guess.of_two || different > kTelling;
    found.guesses.push_back(std::move(guess));
  }
  auto [programs, all_programs, layers] = guesses_of_networks(evidence);
  found.layers = std::move(layers);
  found.layers.insert(found.layers.end(), evidence.calls.begin(), evidence.calls.end());
  for (Guess& guess : programs) found.guesses.push_back(std::move(guess));
  found.complete = all_edits || all_programs;
}

}  // namespace

Symptoms examine(const Evidence& evidence) {
  const Field field(evidence);
  Symptoms found;
  found.facts = counts(field);
  found.map = region_map(field);
  for (const auto& [model, weight, needs_support] : matching_mistakes(evidence)) {
    const bool has_own = evidence.on_device && model->hint_on_device;
    found.guesses.push_back({model->id, model->sentence,
                             has_own ? model->hint_on_device : model->hint, Guess::Basis::model});
    found.guesses.back().weight = weight;
    found.guesses.back().needs_support = needs_support;
  }
  add_searched(evidence, found);
  const auto add_fact = [&](const std::string& sentence) {
    if (!sentence.empty()) found.facts += '\n' + sentence;
  };
  const size_t predicted = found.guesses.size();
  if (const auto where = where_wrong(field)) {
    add_fact(where->sentence);
    if (composed_op(evidence.op)) {
      // In one of the parts it may be elsewhere.
    } else if (where->id.empty()) {
      found.hint = where->hint;
    } else {
      found.guesses.push_back({where->id, "", where->hint});
    }
  }
  if (!composed_op(evidence.op) && found.guesses.size() == predicted) {
    if (std::string edges = beyond_edges(field); !edges.empty()) found.hint = std::move(edges);
  }
  if (const auto values = value_relation(field)) {
    if (values->id.empty()) {
      add_fact(values->sentence);
      if (found.hint.empty()) found.hint = values->hint;
    } else {
      found.guesses.push_back({values->id, values->sentence, values->hint});
      found.guesses.back().needs_support = values->needs_support;
    }
  }
  return found;
}

namespace {

bool may_be_told(const Guess& guess) {
  if (guess.needs_support || guess.of_two) return false;
  // Of one mistake more outputs would be as the model says than not.
  if (!guess.was_searched() && guess.weight.unexplained > guess.weight.outputs) return false;
  if (!guess.was_searched() && guess.weight.contradicted > 0) {
    Weight weight = guess.weight;
    weight.values += weight.nans;  // of a model, which was not searched for
    return certainty_of(weight) != Certainty::none && !says_too_little(weight);
  }
  return !guess.was_searched() || certainty_of(guess.weight) != Certainty::none;
}

// Of one basis, the first of each sentence, and of those that hold sizes of one cause alike.
std::vector<const Guess*> told_of(std::span<const Guess> guesses, Guess::Basis basis) {
  std::vector<const Guess*> told;
  for (const Guess& guess : guesses) {
    const bool is_new = std::ranges::none_of(
        told, [&](const Guess* known) { return known->same_in_cases() == guess.same_in_cases(); });
    if (guess.basis == basis && is_new && may_be_told(guess)) told.push_back(&guess);
  }
  return told;
}

// A model by hand is told if no other explains as much. Of what was searched for several are told
// together, and none where there are too many.
bool can_be_told(const std::vector<const Guess*>& guesses) {
  if (guesses[0]->was_searched()) return guesses.size() <= kMostToldTogether;
  return std::ranges::all_of(guesses,
                             [&](const Guess* guess) { return guess->id == guesses[0]->id; });
}

constexpr const char* kOnBothAxes = ", for rows and for columns";

// Of "A, for rows and for columns." and "A.", of which no case tells which it is, the second stays.
// Whether there is such a pair.
bool leave_columns_open(std::vector<const Guess*>& guesses) {
  return std::erase_if(guesses, [&](const Guess* guess) {
           std::string rows = guess->sentence;
           const size_t at = rows.find(kOnBothAxes);
           if (at == rows.npos) return false;
           rows.erase(at, std::string_view(kOnBothAxes).size());
           return std::ranges::any_of(guesses,
                                      [&](const Guess* one) { return one->sentence == rows; });
         }) > 0;
}

// "oh is used wherever ow belongs." and "Nothing tests whether the row lies inside x: ..." say too
// much beside "Where s is taken apart, oh stands for ow: ..." and "Nothing tests whether the row of
// x is below 0: ...", which give the same outputs.
void drop_what_says_too_much(std::vector<const Guess*>& guesses) {
  constexpr std::string_view kUsed = " is used wherever ", kBelongs = " belongs";
  constexpr std::string_view kInside = " lies inside ", kBelow = " is below 0: ";
  std::erase_if(guesses, [&](const Guess* guess) {
    const std::string& all = guess->sentence;
    const auto begins_of_another = [&](const std::string& begin, std::string_view then) {
      return std::ranges::any_of(guesses, [&](const Guess* one) {
        const size_t at = one->sentence.find(begin);
        return at != all.npos && one->sentence.find(then, at) != all.npos;
      });
    };
    const size_t inside = all.find(kInside);
    if (inside != all.npos) {
      const size_t tensor = inside + kInside.size();
      const std::string of = all.substr(tensor, all.find(':', tensor) - tensor);
      return begins_of_another(all.substr(0, inside) + " of " + of, kBelow);
    }
    const size_t used = all.find(kUsed), belongs = all.find(kBelongs);
    if (used == all.npos || belongs == all.npos || belongs < used) return false;
    const size_t other = used + kUsed.size();
    return begins_of_another(
        all.substr(0, used) + " stands for " + all.substr(other, belongs - other), ":");
  });
}

void tell_doubt(const std::vector<const Guess*>& guesses, std::string& message) {
  const bool searched = guesses[0]->was_searched();
  const Weight& weight = guesses[0]->weight;
  if (!searched && weight.contradicted == 0 && weight.unexplained == 0) return;
  if (guesses.size() == 1 && certainty_of(guesses[0]->weight) == Certainty::certain) return;
  message.insert(message.rfind('\n') + 1, "Probably: ");
  if (!searched) return;
  for (size_t i = 1; i < guesses.size(); ++i) {
    message += fmt::format("\nOr, with the same outputs: {}", guesses[i]->sentence);
  }
}

}  // namespace

Diagnosis diagnosis_of(const Symptoms& symptoms, std::span<const Guess> guesses) {
  Diagnosis result{"", symptoms.facts, symptoms.map, symptoms.hint};
  const auto add = [&](const Guess& guess) {
    if (!guess.sentence.empty()) result.message += '\n' + guess.sentence;
    // The most specific mistake comes first.
    if (result.hint.empty() || result.id.empty()) result.hint = guess.hint;
    if (result.id.empty()) result.id = guess.id;
  };
  // What explains every element outranks what is only related; and a model by hand, which speaks of
  // a whole mistake, a known way to get a network wrong, and that an edit of a formula.
  for (const auto basis : {Guess::Basis::model, Guess::Basis::program, Guess::Basis::formula}) {
    std::vector<const Guess*> told = told_of(guesses, basis);
    if (told.empty()) continue;
    if (!can_be_told(told)) break;
    const bool columns_are_open = leave_columns_open(told);
    drop_what_says_too_much(told);
    add(*told[0]);
    tell_doubt(told, result.message);
    if (columns_are_open) result.message += "\nNo case tells whether it is so for columns, too.";
    return result;
  }
  for (const Guess& guess : guesses) {
    if (!guess.predicts()) add(guess);
  }
  return result;
}

Diagnosis diagnose(const Evidence& evidence) {
  if (evidence.comparison.passed()) {
    return {"",
            fmt::format("All {} agree with the reference.",
                        counted(evidence.comparison.elements, "output")),
            "", ""};
  }
  const Symptoms symptoms = examine(evidence);
  return diagnosis_of(symptoms, symptoms.guesses);
}

}  // namespace convkit
