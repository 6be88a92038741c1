// SPDX-License-Identifier: MIT
#include "grade/causes.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "compare/diagnose.h"
#include "compare/formula/mistakes.h"
#include "grade/device/device_report.h"

namespace convkit {
namespace {

using Failing = std::vector<CaseResult*>;

// The sentence of a relation holds numbers of its case; a model's says which of its kind it is.
bool is_same(const Guess& a, const Guess& b) {
  return a.id == b.id && a.basis == b.basis &&
         (!a.predicts() || a.same_in_cases() == b.same_in_cases());
}

size_t cases_with(const Guess& guess, const Failing& failing) {
  return static_cast<size_t>(std::ranges::count_if(failing, [&](const CaseResult* one) {
    return std::ranges::any_of(one->symptoms.guesses,
                               [&](const Guess& other) { return is_same(guess, other); });
  }));
}

// Some case suggests it, or two, by more than an output that holds nothing.
bool is_suggested(const Guess& guess, const Failing& failing) {
  const auto suggests = [&](const CaseResult* one) {
    return std::ranges::any_of(one->symptoms.guesses, [&](const Guess& other) {
      return !other.needs_support && is_same(guess, other);
    });
  };
  return std::ranges::count_if(failing, suggests) >= (guess.of_two ? 2 : 1);
}

// Cases of a function that passed: more are not looked at, nor are large ones.
constexpr size_t kMostPassed = 12;
constexpr size_t kLargeOutput = 1 << 16;

// The function's outputs that were right, with the trials that hold them: all of a case that
// passed, and those beside a wrong one.
class Passed {
 public:
  void add(const CaseResult& one, std::unique_ptr<Trial> trial) {
    for (Evidence& reference : trial->references()) {
      const size_t elements =
          std::max(reference.reference.f64.size(), reference.reference.i32.size());
      const auto& right = one.right_outputs;
      const bool counts =
          one.status == Status::pass || std::ranges::find(right, reference.got.name) != right.end();
      if (counts && elements <= kLargeOutput) outputs_.push_back({one.name, std::move(reference)});
    }
    trials_.push_back(std::move(trial));
  }
  bool is_full() const { return trials_.size() == kMostPassed; }

  // The names of the cases of outputs that contradict.
  std::vector<std::string> contradicting(const Guess& guess) const {
    std::vector<std::string> names;
    for (const auto& [name, reference] : outputs_) {
      if (would_show(guess, reference)) names.push_back(name);
    }
    return names;
  }

 private:
  std::vector<std::unique_ptr<Trial>> trials_;
  std::vector<std::pair<std::string, Evidence>> outputs_;
};

// The number that `text` begins with, which is taken off it.
std::optional<int64_t> take_number(std::string_view& text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

// Adds what "..., block (0,3,0), thread (5,0,0), ..." says of the thread.
BadAccess with_thread(BadAccess access, std::string_view report) {
  constexpr std::string_view kBlock = ", block (", kThread = ", thread (";
  std::array<int64_t, 6> numbers{};
  size_t at = report.find(kBlock);
  if (at == std::string_view::npos) return access;
  std::string_view rest = report.substr(at + kBlock.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto number = take_number(rest);
    if (!number) return access;
    numbers[i] = *number;
    const std::string_view between = i == 2 ? ")" : i == 5 ? ")" : ",";
    if (!rest.starts_with(between)) return access;
    rest.remove_prefix(between.size());
    if (i != 2) continue;
    if (!rest.starts_with(kThread)) return access;
    rest.remove_prefix(kThread.size());
  }
  access.block = {numbers[4] == 0 ? numbers[1] : 0, numbers[5] == 0 ? numbers[2] : 0};
  if (numbers[0] == 0 && numbers[4] == 0 && numbers[5] == 0) access.column = numbers[3];
  return access;
}

// "... reads ... as elements of 4 bytes, it has 24, and this is index 30"
std::optional<BadAccess> access_outside_in(std::string_view report) {
  constexpr std::string_view kSize = "it has ", kIndex = ", and this is index ";
  const size_t at = report.rfind(kSize, report.find(kIndex));
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = report.substr(at + kSize.size());
  const auto size = take_number(rest);
  if (!size || !rest.starts_with(kIndex)) return std::nullopt;
  rest.remove_prefix(kIndex.size());
  const auto index = take_number(rest);
  const size_t reads = report.find(" reads "), writes = report.find(" writes ");
  if (!index || std::min(reads, writes) > at) return std::nullopt;
  return with_thread(
      {reads < writes ? BadAccess::Kind::reads : BadAccess::Kind::writes, *size, *index}, report);
}

// "... writes element 16 (byte 64) of `y` (192 bytes) ..., and thread (4,3,0) wrote it at ..."
std::optional<BadAccess> access_twice_in(std::string_view report) {
  constexpr std::string_view kElement = " writes element ", kByte = " (byte ";
  const size_t at = report.find(kElement);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = report.substr(at + kElement.size());
  const auto element = take_number(rest);
  if (!element || !rest.starts_with(kByte) || rest.find(" wrote it at ") == std::string_view::npos)
    return std::nullopt;
  rest.remove_prefix(kByte.size());
  for (size_t open; (open = rest.find('(')) != std::string_view::npos;) {
    rest.remove_prefix(open + 1);
    const auto bytes = take_number(rest);
    if (bytes && rest.starts_with(" bytes")) {
      return BadAccess{BadAccess::Kind::writes_twice, *bytes / int64_t(sizeof(float)), *element};
    }
  }
  return std::nullopt;
}

// Of a report of the CPU device.
std::optional<BadAccess> access_in(std::string_view report) {
  const auto outside = access_outside_in(report);
  return outside ? outside : access_twice_in(report);
}

// Whether the report is of a thread that computes an output: of the first block, whose thread (x,
// y) has column x and row y. What lies beyond the last output is not its mistake.
bool is_of_thread_inside(std::string_view report, const Evidence& evidence) {
  constexpr std::string_view kThread = ", block (0,0,0), thread (";
  const std::vector<int64_t>& dims = evidence.reference.dims;
  const size_t at = report.find(kThread);
  if (at == std::string_view::npos || dims.size() < 2) return false;
  std::string_view rest = report.substr(at + kThread.size());
  const auto x = take_number(rest);
  if (!x || !rest.starts_with(',')) return false;
  rest.remove_prefix(1);
  const auto y = take_number(rest);
  // (A row of threads may be taken apart.)
  return y && *y > 0 && *x < dims.back() && *y < dims[dims.size() - 2];
}

constexpr size_t kMostEnded = 4;  // cases of a function; each takes 0.1 s

std::vector<Guess> guesses_of(const BadAccess& access, std::string_view report,
                              const Trial& trial) {
  std::vector<Guess> guesses;
  for (const Evidence& evidence : trial.references()) {
    auto more = guesses_of_access(evidence, access);
    if (access.kind != BadAccess::Kind::reads && is_of_thread_inside(report, evidence)) {
      std::erase_if(more, [](const Guess& one) { return one.kind == Guess::Kind::just_past; });
    }
    guesses.insert(guesses.end(), more.begin(), more.end());
  }
  return guesses;
}

// The failing cases of a function.
struct Failures {
  Failing examined;  // whose outputs were wrong
  // Ended by an access that some edits of the formula make and others do not.
  Failing ended;
};

class Cause {
 public:
  Cause(const Failures& failures, std::function<Passed()> passed,
        std::function<std::unique_ptr<Trial>(const CaseResult*)> trial_of)
      : failing_(failures.examined),
        ended_(failures.ended),
        load_passed_(std::move(passed)),
        trial_of_(std::move(trial_of)) {}

  std::vector<Guess> supported(const CaseResult& one) {
    size_t most = 0;
    for (const Guess& guess : one.symptoms.guesses) {
      if (guess.predicts() && is_suggested(guess)) most = std::max(most, support_of(guess));
    }
    const auto in_enough = [&](const Guess& guess) {
      if (most >= 2 || 2 * most >= failing_.size()) return true;
      return most > 0 && 2 * most >= failing_.size() - cases_left_open(guess);
    };
    std::vector<Guess> kept;
    std::ranges::copy_if(one.symptoms.guesses, std::back_inserter(kept), [&](const Guess& guess) {
      if (!guess.predicts()) return cases_with(guess, failing_) == failing_.size();
      return support_of(guess) == most && is_suggested(guess) && in_enough(guess);
    });
    for (Guess& guess : kept) {
      if (!guess.predicts()) keep_common_number(guess);
      guess.needs_support = guess.of_two = false;
      guess.weight = weight_of(guess);
    }
    keep_least_contradicted(kept);
    const bool is_of_all_sizes = std::ranges::any_of(kept, [](const Guess& guess) {
      return guess.predicts() && guess.kind != Guess::Kind::instance;
    });
    if (is_of_all_sizes) {
      std::erase_if(kept, [](const Guess& guess) { return guess.kind == Guess::Kind::instance; });
    }
    return kept;
  }

  // "A case that passes would show it, too: ..."; "" where no case contradicts what is told.
  std::string doubt(const Diagnosis& told, std::span<const Guess> kept) {
    const auto guess = std::ranges::find_if(kept, [&](const Guess& one) {
      return one.predicts() && one.id == told.id && one.weight.contradicted > 0;
    });
    if (guess == kept.end() || told.message.find(guess->sentence) == std::string::npos) return "";
    // So many numbers, or a second output, are no accident.
    constexpr int64_t kBeyondDoubt = 16;
    const Weight& weight = guess->weight;
    const bool is_sure = weight.unexplained == 0 && (weight.values >= kBeyondDoubt ||
                                                     (weight.outputs > 1 && weight.values > 1));
    return fmt::format(
        "\nBut {} passes, where this would show, too: {}", contradicting(*guess).front(),
        is_sure ? "the mistake is in code that only the cases that fail run (a branch, or an "
                  "instance of a template), or in the test that chooses it; or something makes up "
                  "for it in the others."
                : "is there code of its own for the cases that fail?");
  }

 private:
  size_t support_of(const Guess& guess) const {
    return cases_with(guess, failing_) + cases_with(guess, ended_);
  }

  bool is_suggested(const Guess& guess) const {
    if (!failing_.empty()) return convkit::is_suggested(guess, failing_);
    return is_told_by_accesses(guess);
  }

  // No output was left to look at. Something that goes one too far, or a block's rest, is what much
  // else looks like; and what else makes the accesses must make all of them.
  bool is_told_by_accesses(const Guess& guess) const {
    constexpr size_t kFewestAccesses = 3;
    if (ended_.size() < kFewestAccesses || cases_with(guess, ended_) < ended_.size()) return false;
    return std::ranges::none_of(ended_[0]->symptoms.guesses, [&](const Guess& other) {
      return other.kind == Guess::Kind::just_past && cases_with(other, ended_) == ended_.size();
    });
  }

  // Of all failing cases together.
  Weight weight_of(const Guess& guess) {
    Weight sum;
    for (const Failing* cases : {&failing_, &ended_}) {
      for (const CaseResult* one : *cases) {
        const auto same = std::ranges::find_if(
            one->symptoms.guesses, [&](const Guess& other) { return is_same(guess, other); });
        const bool is_there = same != one->symptoms.guesses.end();
        if (is_there) sum += same->weight;
        const bool counts = !is_there && cases == &failing_ && one->symptoms.complete;
        const bool is_model = guess.basis == Guess::Basis::model;
        if (counts && !is_model && !leaves_open(guess, one)) ++sum.unexplained;
      }
    }
    if (guess.basis == Guess::Basis::model) sum.unexplained = cases_missed(guess, sum.outputs);
    return sum;
  }

  // Where more than `most` speak against the model, it is not told anyway.
  int64_t cases_missed(const Guess& guess, int64_t most) {
    int64_t missed = 0;
    for (const CaseResult* one : failing_) {
      const bool is_there = std::ranges::any_of(
          one->symptoms.guesses, [&](const Guess& other) { return is_same(guess, other); });
      if (missed <= most) missed += !is_there && is_missed(guess, one);
    }
    return missed;
  }

  // The wrong output of a case is another than the model would give. (One of its kind may be right
  // there: an axis that is exchanged in one place, say, and in all.)
  bool is_missed(const Guess& guess, const CaseResult* one) {
    const bool is_of_kind = std::ranges::any_of(one->symptoms.guesses, [&](const Guess& other) {
      return other.basis == guess.basis && other.id == guess.id;
    });
    if (is_of_kind) return false;
    const auto [known, is_new] = missed_.try_emplace({guess.id, guess.sentence, one});
    if (is_new) {
      const std::unique_ptr<Trial> trial = trial_of_(one);
      const std::vector<Evidence> references = trial->references();
      known->second = std::ranges::any_of(
          references, [&](const Evidence& reference) { return misses(guess, reference); });
    }
    return known->second;
  }

  // "The bias is added 2 times; 2 is n.": what the number is must hold in every case, else it is an
  // accident.
  void keep_common_number(Guess& guess) const {
    const auto meaning = [](const std::string& sentence) {
      const size_t begin = sentence.rfind("; "), is = sentence.find(" is ", begin);
      const bool has = begin != std::string::npos && is != std::string::npos &&
                       std::isdigit(static_cast<unsigned char>(sentence[begin + 2])) != 0;
      return has ? sentence.substr(is, sentence.size() - is) : std::string();
    };
    const std::string own = meaning(guess.sentence);
    const bool is_common = std::ranges::all_of(failing_, [&](const CaseResult* one) {
      return std::ranges::any_of(one->symptoms.guesses, [&](const Guess& other) {
        return is_same(other, guess) && meaning(other.sentence) == own;
      });
    });
    if (!own.empty() && !is_common) {
      guess.sentence = guess.sentence.substr(0, guess.sentence.rfind("; ")) + ".";
    }
  }

  size_t cases_left_open(const Guess& guess) const {
    return size_t(std::ranges::count_if(
        failing_, [&](const CaseResult* one) { return leaves_open(guess, one); }));
  }

  // Such a case neither supports the guess nor speaks against it.
  bool leaves_open(const Guess& guess, const CaseResult* one) const {
    if (guess.basis != Guess::Basis::formula) return false;
    const std::unique_ptr<Trial> trial = trial_of_(one);
    const std::vector<Evidence> references = trial->references();
    return std::ranges::any_of(references, [&](const Evidence& reference) {
      return formula_leaves_open(guess, reference);
    });
  }

  void keep_least_contradicted(std::vector<Guess>& guesses) {
    size_t fewest = SIZE_MAX;
    for (Guess& guess : guesses) {
      if (!guess.predicts()) continue;
      guess.weight.contradicted = std::ssize(contradicting(guess));
      fewest = std::min(fewest, contradicting(guess).size());
    }
    std::erase_if(guesses, [&](const Guess& guess) {
      return guess.predicts() && contradicting(guess).size() > fewest;
    });
  }

  const std::vector<std::string>& contradicting(const Guess& guess) {
    const auto [known, is_new] = contradicting_.try_emplace({guess.id, guess.same_in_cases()});
    if (is_new) {
      if (!passed_) passed_ = load_passed_();
      known->second = passed_->contradicting(guess);
    }
    return known->second;
  }

  const Failing& failing_;
  const Failing& ended_;
  std::function<Passed()> load_passed_;
  std::function<std::unique_ptr<Trial>(const CaseResult*)> trial_of_;
  std::optional<Passed> passed_;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> contradicting_;
  std::map<std::tuple<std::string, std::string, const CaseResult*>, bool> missed_;
};

// Whether cases of this function are cases of the layer that a network calls `layer`. Several
// functions compute a convolution, and which one the network calls is not known.
bool is_function_of(const std::string& layer, const std::string& function) {
  if (layer == function) return true;
  for (const char* gradient : {"conv2d_xgrad", "conv2d_wgrad", "conv2d_bgrad"}) {
    if (layer.starts_with(gradient)) return function.starts_with(gradient);
  }
  static constexpr const char* kForward[] = {"conv2d_forward", "conv2d_fast", "conv2d_cudnn"};
  return std::ranges::find(kForward, layer) != std::end(kForward) &&
         std::ranges::find(kForward, function) != std::end(kForward);
}

// Of a network's layers, the functions that fail cases of their own.
std::vector<std::string> failing_layers(const CaseResult& network,
                                        std::span<const CaseResult> cases) {
  std::vector<std::string> found;
  for (const CaseResult& one : cases) {
    if (one.hidden || one.op == network.op || !has_failed(one.status)) continue;
    const bool is_layer = std::ranges::any_of(
        network.symptoms.layers,
        [&](const std::string& layer) { return is_function_of(layer, one.op); });
    if (is_layer && std::ranges::find(found, one.op) == found.end()) found.push_back(one.op);
  }
  return found;
}

// Where a layer fails by itself, the network fails with it, and what calls a function with that.
// What else might explain the output, a layer that passes its own cases or the order of the layers,
// is not told.
void keep_what_blames(const std::vector<std::string>& layers, std::vector<Guess>& guesses) {
  std::erase_if(guesses, [&](const Guess& guess) {
    return std::ranges::none_of(layers, [&](const std::string& layer) {
      return !guess.function.empty() && is_function_of(guess.function, layer);
    });
  });
}

}  // namespace

bool drop_what_grid_contradicts(const std::string& kind, CaseResult& result) {
  if (!is_about_grid(kind)) return false;
  Symptoms& symptoms = result.symptoms;
  bool was_told = false;
  const auto dropped = std::erase_if(symptoms.guesses, [&](const Guess& guess) {
    const bool is_wrong = is_contradicted_by_grid(guess, kind == kGridRoundedDown);
    was_told |= is_wrong && guess.id == result.mistake;
    return is_wrong;
  });
  if (was_told) {
    Diagnosis told = diagnosis_of(symptoms, {});
    result.message = std::move(told.message);
    result.hint = std::move(told.hint);
    result.mistake = std::move(told.id);
  }
  return dropped > 0;
}

void agree_on_causes(std::span<CaseResult> cases, const TrialOf& trial_of) {
  std::map<std::string_view, Failures> of_function;
  for (size_t i = 0; i < cases.size(); ++i) {
    CaseResult& one = cases[i];
    if (one.hidden) continue;
    // A report of the device may have taken the place of the facts.
    const bool examined = one.status == Status::wrong && !one.symptoms.facts.empty() &&
                          one.message.starts_with(one.symptoms.facts);
    Failures& failures = of_function[one.op];
    if (examined) failures.examined.push_back(&one);
    if (const auto access =
            one.by_device && !one.explained ? access_in(one.message) : std::nullopt) {
      if (failures.ended.size() == kMostEnded) continue;
      one.symptoms = {one.message, one.hint, one.map,
                      guesses_of(*access, one.message, *trial_of(i)), false};
      failures.ended.push_back(&one);
    }
  }
  for (auto& [function, failures] : of_function) {
    // A stored case says more than a drawn shape, which is looked at where it is all there is.
    const bool has_stored = std::ranges::any_of(
        failures.examined, [](const CaseResult* one) { return one->drawn.empty(); });
    if (has_stored || !failures.ended.empty()) {
      std::erase_if(failures.examined, [](const CaseResult* one) { return !one->drawn.empty(); });
    }
    for (const CaseResult* seen : failures.examined) {
      for (CaseResult* one : failures.examined) drop_what_grid_contradicts(seen->grid, *one);
    }
    const auto load_passed = [&] {
      Passed passed;
      for (size_t i = 0; i < cases.size() && !passed.is_full(); ++i) {
        const CaseResult& one = cases[i];
        const bool holds_right = one.status == Status::pass || !one.right_outputs.empty();
        if (one.op == function && holds_right && !one.hidden) passed.add(one, trial_of(i));
      }
      return passed;
    };
    Cause cause(failures, load_passed,
                [&](const CaseResult* one) { return trial_of(size_t(one - cases.data())); });
    for (CaseResult* one : failures.examined) {
      std::vector<Guess> kept = cause.supported(*one);
      const std::vector<std::string> layers = failing_layers(*one, cases);
      if (!layers.empty()) keep_what_blames(layers, kept);
      Diagnosis told = diagnosis_of(one->symptoms, kept);
      if (!layers.empty() && told.id.empty()) {
        told.message +=
            fmt::format("\n{} {} own cases, and {} probably fails with {}.",
                        fmt::join(layers, ", "), layers.size() == 1 ? "fails its" : "fail their",
                        one->op, layers.size() == 1 ? "it" : "them");
        told.hint = fmt::format("Mend {} first: its own cases say more.", layers.front());
      }
      told.message += cause.doubt(told, kept);
      one->message = std::move(told.message);
      if (!one->explanation.empty()) one->message += "\n" + one->explanation;
      one->hint = std::move(told.hint);
      if (one->drawn.empty() || !told.id.empty()) one->mistake = std::move(told.id);
      one->explained = std::ranges::any_of(kept, &Guess::predicts);
    }
    for (CaseResult* one : failures.ended) {  // what the device has reported stays the mistake
      Diagnosis told = diagnosis_of(one->symptoms, cause.supported(*one));
      one->message = std::move(told.message);
      one->hint = std::move(told.hint);
      one->explained = told.id == "formula";
    }
  }
}

}  // namespace convkit
