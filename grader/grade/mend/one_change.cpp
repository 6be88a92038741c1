// SPDX-License-Identifier: MIT
#include "grade/mend/one_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <numeric>
#include <regex>
#include <set>

#include "convkit/atomic_file.h"
#include "convkit/file_text.h"
#include "convkit/temporary_folder.h"
#include "convkit/timing.h"
#include "cpu_device/rewrite/rewrite.h"
#include "cpu_device/rewrite/scopes.h"
#include "grade/case_runner.h"
#include "grade/mend/found_repairs.h"
#include "grade/mend/mutant_runner.h"
#include "grade/stage_build.h"
#include "repair/code.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using rewrite::Source;

// A change may make a loop endless: a call gets some times what the program takes as it is.
constexpr double kLeastLimit_s = 0.1, kMostLimit_s = 3, kTimesUnchanged = 6;
constexpr double kUnchangedLimit_s = 5;
constexpr size_t kBatch = 32;
constexpr double kFurther_s = 8;  // once there is a change that mends it
constexpr size_t kMostTold = 3;
// Ranks that a function loses where the report names another one.
constexpr unsigned kElsewhere = 2;
// From the line of an access out of bounds: so many steps, and the ranks of what is tried first.
constexpr unsigned kStepsBehind = 3, kNear = 2 * repair::kPlain + 1;
constexpr size_t kMostNear = 200;  // of one program
const std::regex kPlace("([A-Za-z0-9_./]+\\.[a-z]+):([0-9]+)");
constexpr int kMostCandidates = 8;  // that are built and run as any submission

bool has_reference(const Case& one) {
  return one.kind() == CaseKind::stored || one.kind() == CaseKind::drawn;
}

bool defines(const ChangeRequest& request, const std::string& file, const std::string& function) {
  const Source source(file_text(request.folder / file));
  const rewrite::Stream tokens(source);
  return std::ranges::any_of(rewrite::find_scopes(tokens, source, {}).functions,
                             [&](const rewrite::DeclaredFunction& one) {
                               return tokens[one.head.name].text == function &&
                                      tokens.is(tokens.match(one.head.parameters) + 1, "{");
                             });
}

// Where the function of the failing case is: students may move it. The task's file where the case
// is of several functions.
std::string home_of(const ChangeRequest& request, const CaseResult& failing) {
  const std::string& asked = request.stage.task(failing.task)->file;
  if (defines(request, asked, failing.op)) return asked;
  const auto home = std::ranges::find_if(request.files, [&](const std::string& file) {
    return !is_header(file) && defines(request, file, failing.op);
  });
  return home == request.files.end() ? asked : *home;
}

// The file and the headers of the submission that it includes.
std::set<std::string> with_its_headers(const ChangeRequest& request, const std::string& file) {
  std::set<std::string> found = {file};
  std::vector<std::string> open = {file};
  while (!open.empty()) {
    const Source source(file_text(request.folder / open.back()));
    open.pop_back();
    for (const rewrite::Include& include : rewrite::includes(source)) {
      if (std::ranges::find(request.files, include.name) == request.files.end()) continue;
      if (found.insert(include.name).second) open.push_back(include.name);
    }
  }
  return found;
}

// A guess of the numbers alone is told behind what was tried.
void put_before_guesses(std::string& message, const std::string& words) {
  const size_t guess = message.find("\nProbably: ");
  if (guess == message.npos) {
    message += '\n' + words;
  } else {
    message.insert(guess, '\n' + words);
  }
}

class Search {
 public:
  Search(const ChangeRequest& request, std::span<const std::unique_ptr<Case>> cases,
         std::span<const CaseResult> results, Builder& builder, ThreadPool& pool)
      : request_(request),
        cases_(cases),
        results_(results),
        builder_(builder),
        pool_(pool),
        all_mutants_(mutants_of(request)) {
    for (const std::string& file : request.files) {
      sources_.emplace(file, Source(file_text(request.folder / file)));
    }
  }

  bool has_time() const { return left_s() > 0 && !interrupted(); }

  struct Outcome {
    bool mends = false;
    std::string words;
  };

  // Of the function whose case is `failing`: by changes in its file and the headers there, and in
  // the other files.
  Outcome mend(size_t failing) {
    const std::string& op = results_[failing].op;
    until_s_ = std::min(all_.elapsed_s() + request_.limits.function_s, request_.limits.all_s);
    std::vector<Tried> tried = cases_to_try(op);
    if (tried.empty()) return {false, "No small change of it could be tried."};
    behind_ = lines_behind_access(results_[failing]);
    const auto is_near = [&](const FileMutant& one) {
      return rank_of(one) <= kNear && behind_.contains(line_of(one));
    };
    const std::string file = home_of(request_, results_[failing]);
    const std::set<std::string> own = with_its_headers(request_, file);
    FoundRepairs found;
    const auto look_at = [&](std::span<const FileMutant> mutants, size_t most) {
      found.known += mutants.size();
      for (const std::span<const FileMutant> chunk : chunks_of(mutants, most)) {
        if (!has_time() || is_settled(found, request_.stage)) return;
        look(failing, MutantProgram(request_, {chunk.begin(), chunk.end()}), tried, found);
      }
    };
    // What may decide where a wrong access goes makes small programs, of all files.
    look_at(likely_first(is_near, own), std::min(request_.limits.mutants, kMostNear));
    found.all_likely = false;
    // Its own file is compiled alone. Which functions of the others are called costs seconds.
    look_at(
        likely_first([&](const FileMutant& one) { return one.file == file && !is_near(one); }, own),
        request_.limits.mutants);
    if (has_time() && !is_settled(found, request_.stage) && !tried.empty()) {
      const std::set<Function> called = called_by(tried[0]);
      look_at(likely_first(
                  [&](const FileMutant& one) {
                    return one.file != file && called.contains(one.function()) && !is_near(one);
                  },
                  own),
              request_.limits.mutants);
    }
    if (!found.repairs.empty())
      return {true, words_of(std::move(found), request_.stage, op, visible_cases(op))};
    if (found.looked_at == 0) {
      return {false, has_time() ? "No small change of it could be tried."
                                : "The time was over before a small change of it could be tried."};
    }
    const std::string of = found.looked_at < found.known ? fmt::format(" of {}", found.known) : "";
    return {false, fmt::format("No small change that mends it was found: {}{} were tried.",
                               found.looked_at, of)};
  }

 private:
  using Function = std::pair<std::string, size_t>;
  using Runners = std::vector<std::unique_ptr<MutantRunner>>;
  struct Tried {
    size_t index;
    const CaseHead* head;
    std::unique_ptr<Trial> trial;
    double takes_s = 0;  // as the program is
    double limit_s = kUnchangedLimit_s;
  };

  repair::Line line_of(const FileMutant& one) const {
    return {one.file, sources_.at(one.file).place(one.mutant.edits[0].begin).line};
  }

  // In halves: two steps from an access count as much as a rank.
  unsigned rank_of(const FileMutant& one) const {
    const auto behind = behind_.find(line_of(one));
    return 2 * one.mutant.rank + (behind == behind_.end() ? 0 : behind->second);
  }

  // Of a case that an access ended, by the line in its report.
  std::map<repair::Line, unsigned> lines_behind_access(const CaseResult& failing) const {
    std::smatch place;
    if (!is_access(failing) || !std::regex_search(failing.message, place, kPlace)) return {};
    const auto file = std::ranges::find_if(
        request_.files, [&](const std::string& one) { return place.str(1).ends_with(one); });
    if (file == request_.files.end()) return {};
    return repair::lines_behind(sources_, {*file, std::stoul(place.str(2))}, kStepsBehind);
  }

  double left_s() const { return until_s_ - all_.elapsed_s(); }

  // The mutants of which `is` says yes, of those equally likely the ones in `own` first.
  std::vector<FileMutant> likely_first(const std::function<bool(const FileMutant&)>& is,
                                       const std::set<std::string>& own) const {
    std::vector<FileMutant> mutants;
    std::ranges::copy_if(all_mutants_, std::back_inserter(mutants), is);
    std::ranges::stable_sort(mutants, {}, [&](const FileMutant& one) {
      return std::pair(rank_of(one), !own.contains(one.file));
    });
    return mutants;
  }

  static bool is_likely(const FileMutant& one) { return one.mutant.rank <= repair::kPlain; }

  // For a program each of at most so many: the likely ones, and the rest.
  static std::vector<std::span<const FileMutant>> chunks_of(std::span<const FileMutant> mutants,
                                                            size_t most) {
    std::vector<std::span<const FileMutant>> chunks;
    const auto rest = std::ranges::find_if_not(mutants, is_likely);
    for (std::span<const FileMutant> part :
         {std::span(mutants.begin(), rest), std::span(rest, mutants.end())}) {
      for (; !part.empty(); part = part.subspan(chunks.back().size())) {
        chunks.push_back(part.first(std::min(part.size(), most)));
      }
    }
    return chunks;
  }

  void look(size_t failing, MutantProgram program, std::vector<Tried>& tried, FoundRepairs& found) {
    const size_t all = program.mutants().size();
    if (!has_time() || !program.build(builder_, pool_, left_s())) return;
    Runners runners = runners_of(program);
    if (found.looked_at == 0) keep_what_is_the_same(*runners[0], tried);
    if (tried.empty() || !has_failed(results_[tried[0].index].status)) return;
    const std::vector<int> order =
        in_order(program, failing, called_in(program, runners, tried[0]));
    found.known -= all - order.size();  // what is not called or does not compile
    find_repairs(program, order, tried, runners, results_[failing].op, found);
  }

  Runners runners_of(const MutantProgram& program) const {
    Runners runners;
    for (size_t r = 0; r <= pool_.size(); ++r) {
      runners.push_back(std::make_unique<MutantRunner>(request_, program, r));
    }
    return runners;
  }

  // The functions of the submission that a case calls.
  std::set<Function> called_by(const Tried& one) {
    MutantProgram program(request_, one_for_each_function(all_mutants_));
    if (!program.build(builder_, pool_, left_s())) return {};
    Runners runners = runners_of(program);
    return called_in(program, runners, one);
  }

  std::set<Function> called_in(const MutantProgram& program, Runners& runners, const Tried& one) {
    std::vector<int> firsts;  // the first mutant of each function
    std::set<Function> seen;
    for (size_t i = 0; i < program.mutants().size(); ++i) {
      if (seen.insert(program.mutants()[i].function()).second) {
        firsts.push_back(static_cast<int>(i) + 1);
      }
    }
    std::set<Function> called;
    for (const int number : those_of(firsts, runners, [&](MutantRunner&runner, int n) {
           return runner.reaches(n, *one.head, *one.trial, one.limit_s);
         })) {
      called.insert(program.numbered(number).function());
    }
    return called;
  }

  static int bucket_of(Status status) {
    return status == Status::wrong ? 0 : has_failed(status) ? 1 : 2;
  }

  // The smallest of the failing cases first, and those that end the process behind the others.
  std::vector<Tried> cases_to_try(const std::string& op) const {
    std::vector<Tried> tried;
    for (size_t i = 0; i < cases_.size(); ++i) {
      if (is_of(i, op) && has_reference(*cases_[i])) {
        tried.push_back({i, &cases_[i]->head(), cases_[i]->trial(0)});
      }
    }
    std::ranges::stable_sort(tried, {}, [&](const Tried& one) {
      uint64_t bytes = 0;
      for (const TensorSpec& tensor : one.trial->inputs()) bytes += tensor.bytes();
      return std::pair(bucket_of(results_[one.index].status), bytes);
    });
    if (!tried.empty()) add_other_functions(op, tried);
    return tried;
  }

  // What passes in other functions must go on to do so: they may share what is changed, and one who
  // refuses everything mends nothing.
  void add_other_functions(const std::string& op, std::vector<Tried>& tried) const {
    for (size_t i = 0; i < cases_.size(); ++i) {
      const CaseHead& head = cases_[i]->head();
      if (head.op == op || !is_of(i, head.op) || !has_reference(*cases_[i])) continue;
      if (results_[i].status != Status::pass) continue;
      tried.push_back({i, &head, cases_[i]->trial(0)});
    }
  }

  // The schema as it was must do what the submission does; and so long may a call take. What fails
  // soonest comes first.
  void keep_what_is_the_same(MutantRunner& runner, std::vector<Tried>& tried) const {
    std::erase_if(tried, [&](Tried& one) {
      const Stopwatch unchanged;
      const bool passes = runner.passes(0, *one.head, *one.trial, one.limit_s);
      one.takes_s = unchanged.elapsed_s();
      one.limit_s = std::clamp(kTimesUnchanged * one.takes_s, kLeastLimit_s, kMostLimit_s);
      return passes != (results_[one.index].status == Status::pass);
    });
    std::ranges::stable_sort(tried, {}, [&](const Tried& one) {
      return std::pair(bucket_of(results_[one.index].status), one.takes_s);
    });
  }

  // The numbers of the mutants of what is called, the likely ones first.
  std::vector<int> in_order(const MutantProgram& program, size_t index,
                            const std::set<Function>& called) const {
    std::vector<int> order(program.mutants().size());
    std::iota(order.begin(), order.end(), 1);
    std::erase_if(order, [&](int n) { return !called.contains(program.numbered(n).function()); });
    const std::set<Function> named = functions_named(program, index);
    std::ranges::stable_sort(order, {}, [&](int n) {
      const FileMutant& numbered = program.numbered(n);
      const bool is_named = named.contains(numbered.function());
      return rank_of(numbered) + (named.empty() || is_named ? 0 : 2 * kElsewhere) +
             (numbered.mutant.decides && request_.stage.device == "gpu" ? 2 * kElsewhere : 0);
    });
    return order;
  }

  // The functions in whose lines the report of a case sees the fault.
  std::set<Function> functions_named(const MutantProgram& program, size_t index) const {
    std::set<Function> named;
    const std::string& message = results_[index].message;
    for (std::sregex_iterator at(message.begin(), message.end(), kPlace), end; at != end; ++at) {
      const auto line = static_cast<size_t>(std::stoul(at->str(2)));
      for (const FileMutant& one : program.mutants()) {
        if (!one.file.ends_with(at->str(1))) continue;
        const Source& source = program.source(one.file);
        if (source.place(one.mutant.edits[0].begin).line == line) {
          named.insert(one.function());
        }
      }
    }
    return named;
  }

  // Those of which a runner says yes; several are asked at a time.
  std::vector<int> those_of(std::span<const int> numbers, Runners& runners,
                            const std::function<bool(MutantRunner&, int)>& says_yes) {
    std::vector<char> yes(numbers.size());
    std::mutex mutex;
    pool_.parallel_for(std::ssize(numbers), 1, [&](int64_t from, int64_t to) {
      std::unique_ptr<MutantRunner> runner;
      {
        const std::lock_guard lock(mutex);
        runner = std::move(runners.back());
        runners.pop_back();
      }
      for (auto k = static_cast<size_t>(from); k < static_cast<size_t>(to); ++k) {
        yes[k] = !interrupted() && says_yes(*runner, numbers[k]);
      }
      const std::lock_guard lock(mutex);
      runners.push_back(std::move(runner));
    });
    std::vector<int> chosen;
    for (size_t k = 0; k < numbers.size(); ++k) {
      if (yes[k]) chosen.push_back(numbers[k]);
    }
    return chosen;
  }

  // At most kMostTold; and not for long, once there is one.
  void find_repairs(const MutantProgram& program, std::span<const int> order,
                    std::span<const Tried> tried, Runners& runners, const std::string& op,
                    FoundRepairs& found) {
    size_t looked_at = 0;
    int candidates = 0;
    while (looked_at < order.size() && found.repairs.size() < kMostTold && has_time() &&
           candidates <= kMostCandidates) {
      const std::span batch =
          order.subspan(looked_at).first(std::min(kBatch, order.size() - looked_at));
      const auto passes = [&](MutantRunner& runner, int number) {
        return has_time() && std::ranges::all_of(tried, [&](const Tried& one) {
                 return runner.passes(number, *one.head, *one.trial, one.limit_s);
               });
      };
      for (const int number : those_of(batch, runners, passes)) {
        Repair repair = repair_by(program, number);
        const auto there = std::ranges::find_if(
            found.repairs, [&](const Repair& r) { return is_at_one_place(r, repair); });
        if (there != found.repairs.end()) there->is_one_of_several = true;
        if (there != found.repairs.end() && repair.length >= there->length) continue;
        if (there == found.repairs.end() && found.repairs.size() == kMostTold) break;
        if (++candidates > kMostCandidates) break;
        if (!mends(program, number, op)) continue;
        if (there != found.repairs.end()) {
          repair.is_one_of_several = true;
          *there = std::move(repair);
          continue;
        }
        if (computes(repair, request_.stage))
          until_s_ = std::min(until_s_, all_.elapsed_s() + kFurther_s);
        found.repairs.push_back(std::move(repair));
      }
      looked_at += batch.size();
    }
    found.looked_at += looked_at;
    found.all_likely = looked_at == order.size() ||
                       program.numbered(order[looked_at]).mutant.rank > repair::kPlain;
  }

  size_t visible_cases(const std::string& op) const {
    size_t cases = 0;
    for (size_t i = 0; i < cases_.size(); ++i) cases += is_of(i, op);
    return cases;
  }

  bool is_of(size_t i, const std::string& op) const {
    const CaseHead& head = cases_[i]->head();
    return head.op == op && !head.hidden && !cases_[i]->own_limit();
  }

  // Whether the submission, changed, passes all visible cases of the function, and those of other
  // functions that it passes as it is.
  bool mends(const MutantProgram& program, int number, const std::string& op) {
    const TemporaryFolder scratch("change");
    for (const std::string& file : request_.files) {
      fs::create_directories((scratch.path() / file).parent_path());
      fs::copy_file(request_.folder / file, scratch.path() / file);
    }
    write_whole(scratch.path() / program.numbered(number).file, program.changed_text(number));
    BuildRequest request =
        request_.kit.build_request(request_.stage, scratch.path(), request_.files, request_.mode);
    request.partial = true;
    const BuildResult built = build_or_explain(builder_, request, pool_);
    if (built.status != BuildResult::Status::ok) return false;
    CaseRunner runner(request_.stage,
                      request_.kit.session_options(request_.stage, built.library, request_.mode));
    const auto must_pass = [&](size_t i, bool own) {
      if (cases_[i]->kind() == CaseKind::training || cases_[i]->own_limit()) return false;
      if (is_of(i, op)) return own;
      return !own && !cases_[i]->head().hidden && results_[i].status == Status::pass;
    };
    for (const bool own : {true, false}) {
      for (size_t i = 0; i < cases_.size(); ++i) {
        if (must_pass(i, own) && runner.run(*cases_[i]).status != Status::pass) return false;
      }
    }
    return true;
  }

  const ChangeRequest& request_;
  std::span<const std::unique_ptr<Case>> cases_;
  std::span<const CaseResult> results_;
  Builder& builder_;
  ThreadPool& pool_;
  std::vector<FileMutant> all_mutants_;
  std::map<std::string, Source> sources_;
  std::map<repair::Line, unsigned> behind_;  // of the access that is looked at
  Stopwatch all_;
  double until_s_ = request_.limits.all_s;  // of all_: when the search for a function ends
};

// The first failing case of each function, those whose cause is not told first.
std::vector<size_t> cases_to_mend(const ChangeRequest& request,
                                  std::span<const std::unique_ptr<Case>> cases,
                                  std::span<const CaseResult> results) {
  const std::string untold = function_untold(results);
  std::vector<size_t> failing;
  std::set<std::string> seen;
  for (size_t i = 0; i < results.size(); ++i) {
    const CaseResult& one = results[i];
    const bool may_be_mended = one.status == Status::wrong || one.status == Status::crashed;
    const Task* task = request.stage.task(one.task);
    const bool is_here = task && std::ranges::count(request.files, task->file) > 0;
    if (one.hidden || !may_be_mended || !is_here || !has_reference(*cases[i])) continue;
    if (request.limits.only_untold && one.op != untold) continue;
    if (seen.insert(one.op).second) failing.push_back(i);
  }
  std::ranges::stable_partition(failing, [&](size_t i) { return !tells_cause(results[i]); });
  return failing;
}

}  // namespace

void look_for_one_change(const ChangeRequest& request, std::span<const std::unique_ptr<Case>> cases,
                         std::span<CaseResult> results, Builder& builder, ThreadPool& pool,
                         const ChangeNews& news) {
  const std::vector<size_t> failing = cases_to_mend(request, cases, results);
  if (failing.empty()) return;
  Search search(request, cases, results, builder, pool);
  for (const size_t i : failing) {
    if (!search.has_time()) return;
    CaseResult& one = results[i];
    news.begins(one);
    const Search::Outcome outcome = search.mend(i);
    if (interrupted() && !outcome.mends) return;
    news.ends(outcome.mends, outcome.words);
    if (!outcome.mends) {
      one.message += '\n' + outcome.words;
      continue;
    }
    put_before_guesses(one.message, outcome.words);
    one.hint.clear();
    if (one.mistake.empty()) one.mistake = "one_change";
  }
}

}  // namespace convkit
