// SPDX-License-Identifier: MIT
#include "compare/network/mistakes.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "compare/agreement.h"
#include "compare/formula/edits.h"
#include "compare/formula/mistakes.h"
#include "compare/network/op_case.h"
#include "compare/network/op_run.h"
#include "compare/network/variants.h"
#include "compare/network/wording.h"

namespace convkit {
namespace {

// Products for a case, about 1 ns each; a node of a formula takes ten.
constexpr int64_t kMostNetworkWork = 60'000'000;
constexpr int64_t kMostWorkOfFormulas = 20'000'000;
constexpr int64_t kWorkOfNode = 20;
constexpr size_t kMostNetworkGuesses = 40;

std::vector<NetworkOperation>& network_operations() {
  static std::vector<NetworkOperation> operations;
  return operations;
}

const NetworkOperation* operation_of(const std::string& op) {
  for (const NetworkOperation& one : network_operations()) {
    if (fnmatch(one.op, op.c_str(), 0) == 0) return &one;
  }
  return nullptr;
}

// Whether an output is what a program gives. What is wrong with it, its distance from the
// reference, must be the predicted distance but for a small part: mistakes are often small against
// the values themselves, and the bounds of a network's outputs are wide.
class NetworkAgreement {
 public:
  explicit NetworkAgreement(const Evidence& evidence) : evidence_(evidence) {}

  size_t size() const { return evidence_.reference.f64.size(); }
  double expected(size_t i) const { return evidence_.reference.f64[i]; }

  // What the mistake does not determine, from memory outside a tensor, is hardly ever right.
  bool agrees(size_t i, double predicted) const {
    if (is_special(predicted, predicted_anything())) return is_wrong(i);
    const uint32_t bits = std::bit_cast<uint32_t>(evidence_.got.f32[i]);
    if (is_special(predicted, predicted_unwritten())) return is_unwritten(bits);
    if (is_unwritten(bits)) return false;
    const double got = double(evidence_.got.f32[i]);
    if (std::isnan(predicted) || std::isnan(got)) return std::isnan(predicted) == std::isnan(got);
    if (std::isinf(predicted) || std::isinf(got)) return got == predicted;
    constexpr double kPart = 1e-3;
    const double allowed = 2 * bound(i) + kPart * std::fabs(predicted - expected(i));
    return std::fabs(got - predicted) <= allowed;
  }

  bool is_wrong(size_t i) const { return !within(i, double(evidence_.got.f32[i])); }
  bool differs_from_reference(size_t i, double predicted) const {
    return !is_special(predicted, predicted_anything()) && !within(i, predicted, 2);
  }

 private:
  double bound(size_t i) const { return evidence_.tolerance.allowed(evidence_.magnitude[i]); }
  bool within(size_t i, double value, double factor = 1) const {
    if (std::isnan(value) || std::isnan(expected(i))) {
      return std::isnan(value) == std::isnan(expected(i));
    }
    return std::fabs(value - expected(i)) <= factor * bound(i);
  }

  const Evidence& evidence_;
};

class NetworkTrial {
 public:
  NetworkTrial(const Evidence& evidence, const NetworkProgram& program)
      : evidence_(evidence), agreement_(evidence), program_(program), right_(program) {
    const std::vector<double>& result = right_.of(program.result);
    is_right_ = result.size() == agreement_.size();
    for (size_t i = 0; is_right_ && i < result.size(); ++i) {
      is_right_ = !agreement_.differs_from_reference(i, result[i]);
    }
    if (!is_right_ || evidence.got.f32.empty()) return;
    for (size_t i = 0; i < result.size(); ++i) {
      if (agreement_.is_wrong(i)) wrong_.push_back(i);
    }
    const size_t part = result.size() / size_t(program.images);
    if (!wrong_.empty()) image_ = int64_t(wrong_[wrong_.size() / 2] / part);
  }

  // The program gives the reference.
  bool is_right() const { return is_right_; }
  // One wrong element meets some prediction by accident.
  bool tells_anything() const { return wrong_.size() >= std::min<size_t>(2, agreement_.size()); }

  bool explained_by(const NetworkProgram& changed_program, const std::vector<bool>& changed,
                    bool moves_images = false) {
    if (program_.images > 1 && !moves_images) {
      const NetworkRun one(changed_program, right_, changed, image_);
      work_ += one.work();
      const size_t part = agreement_.size() / size_t(program_.images);
      if (!agrees(one.of(changed_program.result), size_t(image_) * part, part)) return false;
    }
    const NetworkRun all(changed_program, right_, changed, -1);
    work_ += all.work();
    return explains(all.of(changed_program.result));
  }
  bool explained_by(const NetworkProgram& other) {
    const NetworkRun run(other);
    work_ += run.work();
    return explains(run.of(other.result));
  }

  bool shows(const std::vector<double>& result) const {
    for (size_t i = 0; i < result.size() && result.size() == agreement_.size(); ++i) {
      if (agreement_.differs_from_reference(i, result[i])) return true;
    }
    return false;
  }

  bool goes_on() const { return work_ < kMostNetworkWork; }
  void add_work(int64_t work) { work_ += work; }
  const NetworkRun& right() const { return right_; }
  const Evidence& evidence() const { return evidence_; }
  const Weight& weight() const { return weight_; }  // of the program that explained it last

 private:
  bool explains(const std::vector<double>& result) {
    if (!agrees(result, 0, agreement_.size())) return false;
    size_t known = 0;
    Weigher weigher;
    for (const size_t i : wrong_) {
      known += !is_special(result[i], predicted_anything());
      if (is_special(result[i], predicted_anything())) {
        weigher.open();
      } else if (is_special(result[i], predicted_unwritten())) {
        weigher.missing();
      } else if (agreement_.differs_from_reference(i, result[i])) {
        weigher.value(evidence_.got.f32[i]);
      } else {
        weigher.close();
      }
    }
    weight_ = weigher.weight();
    return known >= std::min<size_t>(2, wrong_.size());
  }

  bool agrees(const std::vector<double>& result, size_t begin, size_t count) const {
    if (result.size() != agreement_.size()) return false;
    size_t known = 0;
    for (size_t i = begin; i < begin + count; ++i) {
      if (!agreement_.agrees(i, result[i])) return false;
      known += !is_special(result[i], predicted_anything());
    }
    return 2 * known >= count;
  }

  const Evidence& evidence_;
  NetworkAgreement agreement_;
  const NetworkProgram& program_;
  NetworkRun right_;
  bool is_right_ = false;
  std::vector<size_t> wrong_;
  int64_t image_ = 0, work_ = 0;
  Weight weight_;
};

std::vector<const std::vector<double>*> inputs_of(const NetworkOp& op, const NetworkRun& run) {
  std::vector<const std::vector<double>*> inputs;
  for (const int in : op.in) inputs.push_back(&run.of(in));
  return inputs;
}

Guess guess_of(std::string sentence, const char* hint, std::string cause, Guess::Basis basis,
               const Weight& weight) {
  Guess guess{"network", std::move(sentence), hint, basis};
  guess.cause = std::move(cause);
  guess.weight = weight;
  guess.needs_support = says_little(weight);
  return guess;
}

// Mistakes of the one operation that gives the output, which are known where it is a case of its
// own: by models and by formulas.
struct LastOp {
  const NetworkOp* op = nullptr;
  size_t output = 0;
};
LastOp last_op(const NetworkProgram& program) {
  LastOp found;
  for (const NetworkOp& op : program.ops) {
    for (size_t k = 0; k < op.out.size(); ++k) {
      if (op.out[k] == program.result) found = {&op, k};
    }
  }
  return found;
}

std::string cause_in(const NetworkOp& op, const std::string& sentence) {
  return kind_name(op.kind) + ": " + sentence;
}

void add_guesses_of_last_op(const NetworkTrial& trial, const NetworkProgram& program,
                            const char* hint, std::vector<Guess>& guesses) {
  const auto [op, output] = last_op(program);
  if (!op) return;
  OpCase as_case(*op, inputs_of(*op, trial.right()), output, true);
  if (!as_case.is_known()) return;
  Evidence& evidence = as_case.evidence;
  evidence.got.f32 = trial.evidence().got.f32;
  evidence.reference.f64 = trial.evidence().reference.f64;
  evidence.magnitude = trial.evidence().magnitude;
  evidence.tolerance = trial.evidence().tolerance;
  evidence.comparison = trial.evidence().comparison;
  const auto add = [&](const std::string& sentence, Guess::Basis basis, const Weight& weight) {
    guesses.push_back(guess_of(fmt::format("{}: {}", where_in(*op, op->layer), sentence), hint,
                               cause_in(*op, sentence), basis, weight));
  };
  for (const MatchingMistake& one : matching_mistakes(evidence)) {
    if (one.needs_support) continue;
    add(one.model->sentence, Guess::Basis::program, one.weight);
  }
  for (const Guess& guess : guesses_of_formulas(evidence).guesses) {
    add(guess.sentence, Guess::Basis::formula, guess.weight);
  }
}

using What = Edit::What;

// To be tried first, as there is not the time for all.
bool is_plain(const Edit& edit) {
  switch (edit.what) {
    case What::other_name:
    case What::other_name_always:
    case What::other_tensor:
    case What::multiplied_by:
    case What::divided_by:
    case What::other_number:
    case What::other_layout:
    case What::indices_exchanged:
    case What::also_over:
    case What::carried:
    case What::whole_parts:
    case What::whole_parts_computed:
      return false;
    default:
      return true;
  }
}

// visit(program, changed, sentence, cause) for every edit of the formula of an operation that the
// output depends on through others.
template <class Visit>
void for_each_formula_variant(const NetworkTrial& trial, const NetworkProgram& program,
                              Visit visit) {
  const auto [last, output] = last_op(program);
  std::vector<OpGroup> groups = groups_of(program);
  std::ranges::stable_sort(groups, {}, [&](const OpGroup& group) {
    int64_t work = 0;
    for (const size_t at : group.ops) work += work_of(program.ops[at]);
    return work;
  });
  for (const OpGroup& group : groups) {
    const NetworkOp& one = program.ops[group.ops[0]];
    if (group.ops.size() == 1 && &one == last) continue;  // looked at in full
    for (size_t k = 0; k < one.out.size(); ++k) {
      const OpCase as_case(one, inputs_of(one, trial.right()), k, false);
      if (!as_case.is_known()) continue;
      for (const OperationFormula* text : formulas_for(as_case.evidence)) {
        if (text->finds_taps) continue;
        const Formula formula(text->text);
        std::vector<Edit> edits = edits_of(formula);
        std::ranges::stable_partition(edits, [](const Edit& edit) { return is_plain(edit); });
        for (const Edit& edit : edits) {
          const auto changed_formula = std::make_shared<const Formula>(edited(formula, edit));
          NetworkProgram changed_program = program;
          std::vector<bool> changed(program.ops.size(), false);
          for (const size_t at : group.ops) {
            changed_program.ops[at].formula = changed_formula;
            changed_program.ops[at].formula_of = k;
            changed[at] = true;
          }
          const std::string sentence = sentence_of(formula, edit);
          const bool goes_on = visit(
              changed_program, changed, fmt::format("{}: {}", where_in(one, group.place), sentence),
              cause_in(one, sentence), work_of(one) * kWorkOfNode * int64_t(group.ops.size()));
          if (!goes_on) return;
        }
        break;
      }
    }
  }
}

}  // namespace

RegisterNetworks::RegisterNetworks(std::span<const NetworkOperation> operations) {
  network_operations().insert(network_operations().end(), operations.begin(), operations.end());
}

namespace {

// The program of the evidence's operation; nothing where an input that it needs is not in the case.
std::optional<NetworkProgram> program_of(const NetworkOperation& operation,
                                         const Evidence& evidence) {
  std::optional<NetworkProgram> program = operation.program(evidence);
  if (!program) return std::nullopt;
  std::vector<bool> computed(program->values.size());
  for (const NetworkOp& op : program->ops) {
    for (const int value : op.out) computed[size_t(value)] = true;
  }
  for (const NetworkOp& op : program->ops) {
    for (const int in : op.in) {
      const NetworkValue& value = program->values[size_t(in)];
      const bool is_there = value.size > 0 && int64_t(value.given.size()) >= value.size;
      if (!computed[size_t(in)] && !is_there) return std::nullopt;
    }
  }
  return program;
}

}  // namespace

namespace {

Guesses guesses_in(const NetworkOperation* one, const NetworkProgram& program,
                   const Evidence& evidence) {
  Guesses found;
  std::vector<Guess>& guesses = found.guesses;
  NetworkTrial trial(evidence, program);
  if (!trial.is_right() || !trial.tells_anything()) return found;
  for_each_variant(program, [&](const NetworkVariant& variant) {
    if (trial.explained_by(variant.program, variant.changed, variant.moves_images)) {
      const auto basis = variant.is_plain ? Guess::Basis::program : Guess::Basis::formula;
      guesses.push_back(
          guess_of(variant.sentence, one->hint, variant.cause, basis, trial.weight()));
    }
    return trial.goes_on() && guesses.size() < kMostNetworkGuesses;
  });
  if (one->others) {
    one->others(evidence, [&](const NetworkProgram& other, const std::string& sentence) {
      if (trial.explained_by(other)) {
        guesses.push_back(
            guess_of(sentence, one->hint, sentence, Guess::Basis::program, trial.weight()));
      }
      return trial.goes_on() && guesses.size() < kMostNetworkGuesses;
    });
  }
  found.complete = trial.goes_on() && guesses.size() < kMostNetworkGuesses;
  add_guesses_of_last_op(trial, program, one->hint, guesses);
  if (!guesses.empty()) return found;
  int64_t work = 0;
  for_each_formula_variant(
      trial, program,
      [&](const NetworkProgram& changed_program, const std::vector<bool>& changed,
          std::string sentence, std::string cause, int64_t cost) {
        work += cost / program.images;
        if (trial.explained_by(changed_program, changed)) {
          guesses.push_back(guess_of(std::move(sentence), one->hint, std::move(cause),
                                     Guess::Basis::formula, trial.weight()));
        }
        return work < kMostWorkOfFormulas && guesses.size() < kMostNetworkGuesses;
      });
  return found;
}

}  // namespace

Guesses guesses_of_networks(const Evidence& evidence) {
  Guesses found;
  const NetworkOperation* one = operation_of(evidence.op);
  if (!one || evidence.reference.f64.empty()) return found;
  const std::optional<NetworkProgram> program = program_of(*one, evidence);
  if (!program) return found;
  // What holds no number agrees with whatever gives none, and nothing is known by that.
  if (!holds_no_values(evidence)) found = guesses_in(one, *program, evidence);
  for (const NetworkOp& op : program->ops) {
    const std::string function = function_of(op), of_kind = kind_name(op.kind) + ": ";
    if (function.empty()) continue;
    const bool is_known = std::ranges::find(found.layers, function) != found.layers.end();
    if (!is_known) found.layers.push_back(function);
    for (Guess& guess : found.guesses) {
      if (guess.cause.starts_with(of_kind)) guess.function = function;
    }
  }
  return found;
}

bool network_would_show(const Guess& guess, const Evidence& evidence) {
  const NetworkOperation* one = operation_of(evidence.op);
  if (!one || evidence.reference.f64.empty()) return false;
  const std::optional<NetworkProgram> program = program_of(*one, evidence);
  if (!program) return false;
  const NetworkTrial trial(evidence, *program);
  if (!trial.is_right()) return false;
  bool shows = false;
  for_each_variant(*program, [&](const NetworkVariant& variant) {
    if (variant.cause == guess.cause) {
      const NetworkRun run(variant.program, trial.right(), variant.changed, -1);
      shows = trial.shows(run.of(variant.program.result));
    }
    return !shows;
  });
  if (!shows && one->others) {
    one->others(evidence, [&](const NetworkProgram& other, const std::string& sentence) {
      if (sentence == guess.cause) shows = trial.shows(NetworkRun(other).of(other.result));
      return !shows;
    });
  }
  return shows;
}

}  // namespace convkit
