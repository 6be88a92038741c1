// SPDX-License-Identifier: MIT
// `profile`: what a profiler of a GPU would count of a student's kernels, on the CPU device.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "cli/case_choice.h"
#include "cli/commands.h"
#include "cli/handed_over.h"
#include "convkit/atomic_file.h"
#include "convkit/kit_error.h"
#include "grade/device/device.h"
#include "json_text.h"
#include "machine/console.h"
#include "machine/output_file.h"
#include "profile/card.h"
#include "profile/kernel_resources.h"
#include "profile/page.h"
#include "profile/pictures.h"
#include "profile/roofline.h"
#include "profile/terminal_view.h"
#include "profile/words.h"
#include "work/submission_library.h"
#include "work/work_folder.h"

namespace convkit {
namespace {

struct ProfileOptions {
  std::string stage;
  CaseChoice choice;
  std::filesystem::path folder;      // empty: the student's work folder
  std::filesystem::path before;      // a folder or a file to compare with; empty: none
  std::filesystem::path json, html;  // empty: nothing is written
  std::string card = cards().front().option;
  std::string trace;          // "BLOCK:WARP"; empty: none
  std::filesystem::path svg;  // a picture of the trace; empty: none is drawn
};

constexpr uint64_t kMostPrinted = 64ull << 20;

int64_t output_elements(const CaseSpec& spec) {
  int64_t sum = 0;
  for (const auto& [name, tensor] : spec.tensors) {
    if (name.starts_with("out.")) sum += TensorShape{name, tensor.dims}.elements();
  }
  return sum;
}

// A trace of fewer outputs would leave lanes of the warp without any.
constexpr int64_t kFewOutputs = 32;

// The named cases; of each function that is asked for otherwise, the one with the most outputs, or
// for a trace with few.
std::vector<CaseSpec> chosen_cases(const Kit& kit, const Stage& stage, const CaseChoice& choice,
                                   bool few) {
  std::vector<CaseSpec> all = visible_cases(kit, stage, choice.cases);
  std::erase_if(all, [wanted = wanted_by(choice)](const CaseSpec& spec) { return !wanted(spec); });
  if (all.empty()) must_choose_some(stage, choice, {});
  if (!choice.cases.empty()) return all;
  const auto better = [few](const CaseSpec& one, const CaseSpec& other) {
    const int64_t outputs = output_elements(one), others = output_elements(other);
    if (!few) return outputs > others;
    const bool enough = outputs >= kFewOutputs;
    return enough != (others >= kFewOutputs) ? enough
           : enough                          ? outputs < others
                                             : outputs > others;
  };
  std::vector<CaseSpec> best;
  for (const CaseSpec& spec : all) {
    const auto known = std::ranges::find(best, spec.op, &CaseSpec::op);
    if (known == best.end()) {
      best.push_back(spec);
    } else if (better(spec, *known)) {
      *known = spec;
    }
  }
  return best;
}

// "2:1": the third block, counted by x, y, z, and its second warp.
void must_be_a_warp(const std::string& trace) {
  static const std::regex kBlockAndWarp("\\d{1,9}:\\d{1,2}");
  if (std::regex_match(trace, kBlockAndWarp)) return;
  throw UsageError(fmt::format(
      "--trace takes the number of a block and of a warp in it, such as 0:1, and not `{}`.",
      trace));
}

// One call in a process of its own, so that what is counted is of this case.
ProfiledCase profiled(const SessionOptions& how, const Stage& stage, const CaseSpec& spec,
                      const std::filesystem::path& sources) {
  ProfiledCase profile{spec.op, spec.name, size_words(spec.params), "", {}};
  Session session(how);
  Answer answer = session.start();
  if (answer.kind == Answer::Kind::ok) answer = call_case(session, stage, spec);
  profile.problem = problem_of(answer, stage, spec);
  session.finish();
  if (!profile.problem.empty()) return profile;
  profile.kernels = read_profile(session.output(), sources).kernels;
  if (profile.kernels.empty() && answer.todo_reached > 0) {
    profile.problem =
        fmt::format("{} is not started.", answer.todo.empty() ? spec.op : answer.todo);
  }
  return profile;
}

void print(const ProfiledCase& profile) {
  fmt::print("{}\n", case_line(profile));
  if (!profile.problem.empty()) fmt::print("  {}\n", profile.problem);
  if (profile.problem.empty() && profile.kernels.empty()) fmt::print("  It launches no kernel.\n");
  for (const ProfiledKernel& kernel : profile.kernels) fmt::print("\n{}", annotated_source(kernel));
  fmt::print("\n");
}

void print_trace(const ProfiledCase& profile, const std::string& trace) {
  fmt::print("{}\n", case_line(profile));
  if (!profile.problem.empty()) fmt::print("  {}\n", profile.problem);
  for (const ProfiledKernel& kernel : profile.kernels) {
    if (kernel.trace) {
      fmt::print("\n{}", trace_text(kernel));
    } else {
      fmt::print("\n{}: its first launch has no block and warp {} that accesses memory; {}.\n",
                 kernel.name, trace, launch_words(kernel));
    }
  }
  fmt::print("\n");
}

// Of the first kernel that was traced; false where none was.
bool draw_trace_into(const std::filesystem::path& file, const std::vector<ProfiledCase>& profiles) {
  for (const ProfiledCase& profile : profiles) {
    for (const ProfiledKernel& kernel : profile.kernels) {
      if (!kernel.trace) continue;
      write_whole(file, draw_trace(kernel));
      return true;
    }
  }
  return false;
}

// From nvcc, which needs no GPU to compile; nothing where there is none, or of what it does not
// compile.
std::map<std::string, KernelResources> compiled_resources(const Kit& kit, const Stage& stage,
                                                          const WorkFolder& work,
                                                          const Card& card) {
  Kit with_nvcc = kit;
  with_nvcc.device = {true, card.name, find_nvcc(), card.architecture};
  if (with_nvcc.device.nvcc.empty()) return {};
  StatusLine status;
  status.doing("asking nvcc for registers");
  BuildRequest request = with_nvcc.build_request(stage, work.folder, work.files, SimtMode::plain);
  request.flags.insert(request.flags.end(), {"-Xptxas", "-v"});
  ThreadPool pool;
  return kernel_resources(kit.builder().build(request, pool).log);
}

void add_occupancy(std::vector<ProfiledKernel>& kernels, const Card& card,
                   const std::map<std::string, KernelResources>& resources) {
  for (ProfiledKernel& kernel : kernels) {
    const auto found = resources.find(unqualified_name(kernel.name));
    const KernelResources known = found == resources.end() ? KernelResources() : found->second;
    const BlockNeeds needs{static_cast<unsigned>(kernel.threads_per_block), known.registers,
                           known.shared_bytes + kernel.dynamic_shared_bytes};
    kernel.occupancy = {&card, needs, known.local_bytes, known.spilled_bytes,
                        occupancy(card, needs)};
  }
}

void add_rooflines(std::vector<ProfiledKernel>& kernels, const Card& card) {
  for (ProfiledKernel& kernel : kernels) {
    const OperationCounts counts = operations_of(kernel);
    if (!kernel.arithmetic_unknown.empty() || counts == OperationCounts()) continue;
    kernel.roofline = roofline(card, counts, traffic_of(kernel));
  }
}

// Calls `done` with each when it is known; without a card none tells of occupancy and roofline.
// Ends early on Ctrl-C.
std::vector<ProfiledCase> profiles_of(const Kit& kit, const Stage& stage,
                                      const std::vector<CaseSpec>& cases,
                                      const std::filesystem::path& folder, const Card* card,
                                      const std::string& trace,
                                      const std::function<void(const ProfiledCase&)>& done) {
  const WorkFolder work = open_work(kit, stage, folder);
  SessionOptions how = kit.session_options(
      stage, build_library(kit, stage, work, false, SimtMode::profile), SimtMode::profile);
  // The profiler reads the lines of the source from the library, which a confined runner may not.
  how.watch({});
  how.limits.output_bytes = kMostPrinted;
  how.environment.emplace_back("CONVKIT_PROFILE_JSON=-");
  if (!trace.empty()) how.environment.push_back("CONVKIT_PROFILE_TRACE=" + trace);
  std::map<std::string, KernelResources> resources;
  if (card) resources = compiled_resources(kit, stage, work, *card);
  std::vector<ProfiledCase> profiles;
  for (const CaseSpec& spec : cases) {
    if (interrupted()) break;
    profiles.push_back(profiled(how, stage, spec, work.folder));
    if (card) {
      add_occupancy(profiles.back().kernels, *card, resources);
      add_rooflines(profiles.back().kernels, *card);
    }
    done(profiles.back());
  }
  return profiles;
}

int profile(const Kit& kit, const ProfileOptions& options) {
  const Stage& stage = kit.stage(options.stage);
  if (stage.device != "gpu") {
    throw UsageError(fmt::format("{} has no kernels; `profile` is for GPU stages.", stage.id));
  }
  must_be_writable(options.json, Format::json);
  must_be_writable(options.html, Format::html);
  must_be_writable(options.svg, Format::svg);
  if (!options.trace.empty()) {
    must_be_a_warp(options.trace);
    if (!options.before.empty()) {
      throw UsageError(
          "--compare tells counts, --trace and --svg show steps: give one or the other.");
    }
  }
  const Card& card = card_named(options.card);
  const CaseChoice choice = completed(stage, options.choice);
  const std::vector<CaseSpec> cases = chosen_cases(kit, stage, choice, !options.trace.empty());
  std::vector<ProfiledCase> before;
  if (!options.before.empty()) {
    before = std::filesystem::is_directory(options.before)
                 ? profiles_of(kit, stage, cases, options.before, nullptr, "", [](const auto&) {})
                 : saved_profile(options.before, stage.id);
  }
  if (interrupted()) return 130;
  const auto show = [&](const ProfiledCase& profile) {
    if (!options.trace.empty()) return print_trace(profile, options.trace);
    if (options.before.empty()) return print(profile);
    const auto same = std::ranges::find_if(before, [&](const ProfiledCase& one) {
      return one.op == profile.op && one.name == profile.name;
    });
    if (same != before.end()) {
      fmt::print("{}\n", comparison(*same, profile));
    } else {
      fmt::print("{}, case {}  is not in {}.\n\n", profile.op, profile.name,
                 options.before.string());
    }
  };
  const auto profiles = profiles_of(kit, stage, cases, options.folder,
                                    options.trace.empty() ? &card : nullptr, options.trace, show);
  if (interrupted()) return 130;
  if (!options.json.empty()) write_whole(options.json, json_text(json_of(stage.id, profiles)));
  if (!options.svg.empty() && !draw_trace_into(options.svg, profiles)) {
    throw UsageError(
        fmt::format("No kernel has that block and warp: {} is not written.", options.svg.string()));
  }
  if (!options.html.empty()) {
    write_whole(options.html, profile_page("Profile of " + stage.id, profiles));
  }
  const auto failed = [](const ProfiledCase& one) { return !one.problem.empty(); };
  return std::ranges::any_of(profiles, failed) ? 1 : 0;
}

class ProfileCommand final : public CliCommand {
 public:
  ProfileCommand() : CliCommand(kProfile.text) {}

  void declare(const Options& options) override {
    options.value("stage", o_.stage, kStageHelp).required();
    options.value("task", o_.choice.task, "the functions of this task only, such as 03.2");
    options.value("--case", o_.choice.cases,
                  "this case (may be repeated); default: of each function, the case with the "
                  "largest outputs");
    options.value("--dir", o_.folder, kFolderHelp);
    options.value("--card", o_.card, "whose occupancy and roofline are told: " + known_cards());
    options.value("--compare", o_.before,
                  "say what changed since: a folder with the stage's files as they were, or a file "
                  "that --json wrote");
    options.value("--trace", o_.trace,
                  "show instead what one warp accesses, step by step: BLOCK:WARP, such as 0:0 "
                  "for the first warp of the first block; default case: one with few outputs");
    options.value("--svg", o_.svg, "draw that of the first kernel into this file");
    options.value("--json", o_.json, "write the counts into this file, too");
    options.value("--html", o_.html, "write a page with the source and the share of each line");
  }
  int run(Kit& kit) override {
    if (!o_.svg.empty() && o_.trace.empty()) o_.trace = "0:0";
    return profile(kit.without_gpu(), o_);
  }

 private:
  ProfileOptions o_;
};

}  // namespace

std::unique_ptr<CliCommand> profile_command() {
  return std::make_unique<ProfileCommand>();
}

}  // namespace convkit
