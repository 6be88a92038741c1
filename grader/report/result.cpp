// SPDX-License-Identifier: MIT
#include "report/result.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "json_text.h"

namespace convkit {
namespace {

using nlohmann::ordered_json;

double six_digits(double value) {
  return value == 0 ? 0 : std::stod(fmt::format("{:.6g}", value));
}

ordered_json case_json(const CaseResult& c) {
  ordered_json out = {{"name", c.name},
                      {"group", c.group},
                      {"task", c.task},
                      {"op", c.op},
                      {"status", name_of(c.status)},
                      {"message", c.message},
                      {"hint", c.hint},
                      {"hidden", c.hidden}};
  if (!c.sizes.empty()) out["sizes"] = c.sizes;
  if (!c.mistake.empty()) out["mistake"] = c.mistake;
  if (!c.map.empty()) out["map"] = c.map;
  if (!c.printed.empty()) out["printed"] = c.printed;
  if (!c.warnings.empty()) out["warnings"] = c.warnings;
  if (c.left_out != LeftOut::no) out["left_out"] = name_of(c.left_out);
  return out;
}

ordered_json speed_json(const SpeedResult& s) {
  ordered_json out = {{"name", s.name},
                      {"title", s.title},
                      {"status", name_of(s.status)},
                      {"message", s.message},
                      {"points", to_two_decimals(s.points)},
                      {"max_points", to_two_decimals(s.max_points)},
                      {"pending_points", to_two_decimals(s.pending_points)}};
  if (s.pairs > 0) {
    out["pairs"] = s.pairs;
    out["ratio"] = {{"median", six_digits(s.ratio)},
                    {"lower_quartile", six_digits(s.ratio_low)},
                    {"upper_quartile", six_digits(s.ratio_high)}};
    out["submission_ms"] = six_digits(s.submission_ms);
    out["baseline_ms"] = six_digits(s.baseline_ms);
    out["gflops"] = six_digits(s.gflops);
  }
  return out;
}

ordered_json stage_json(const StageResult& s) {
  ordered_json out = {{"id", s.id},
                      {"title", s.title},
                      {"status", name_of(s.status)},
                      {"message", s.message},
                      {"points", to_two_decimals(s.points)},
                      {"max_points", to_two_decimals(s.max_points)},
                      {"pending_points", to_two_decimals(s.pending_points)},
                      {"build_s", six_digits(s.build_s)},
                      {"run_s", six_digits(s.run_s)},
                      {"notes", s.notes}};
  if (!s.kept.empty()) out["kept"] = s.kept;
  if (!s.failed_files.empty()) {
    out["failed_files"] = ordered_json::array();
    for (const FailedFile& f : s.failed_files) {
      out["failed_files"].push_back(
          {{"file", f.file}, {"status", name_of(f.status)}, {"message", f.message}});
    }
  }
  if (!s.log.empty()) out["log"] = s.log;
  out["references"] = ordered_json::array();
  for (const ReferenceSet& r : s.references) {
    out["references"].push_back({{"set", r.set},
                                 {"cases", r.cases},
                                 {"seed", r.seed.empty() ? ordered_json() : ordered_json(r.seed)},
                                 {"manifest_sha256", r.manifest_sha256}});
  }
  out["groups"] = ordered_json::array();
  for (const GroupResult& g : s.groups) {
    out["groups"].push_back({{"name", g.name},
                             {"title", g.title},
                             {"passed", g.passed},
                             {"total", g.total},
                             {"points", to_two_decimals(g.points)},
                             {"max_points", to_two_decimals(g.max_points)}});
  }
  out["cases"] = ordered_json::array();
  for (const CaseResult& c : s.cases) out["cases"].push_back(case_json(c));
  out["speed"] = ordered_json::array();
  for (const SpeedResult& speed : s.speed) out["speed"].push_back(speed_json(speed));
  return out;
}

template <class Get>
double sum(const std::vector<StageResult>& stages, Get get) {
  double total = 0;
  for (const StageResult& stage : stages) total += get(stage);
  return total;
}

}  // namespace

double to_two_decimals(double points) {
  return std::round(points * 100) / 100;
}

const char* name_of(Status status) {
  static constexpr std::array kNames = {
      "PASS",   "WRONG", "NOT_STARTED", "BUILD_FAILED", "CRASHED",      "TIMED_OUT", "LIMIT",
      "POLICY", "SLOW",  "SKIPPED",     "PENDING",      "GRADER_ERROR", "UNFINISHED"};
  return kNames[static_cast<size_t>(status)];
}

Status status_named(std::string_view name) {
  for (auto status = Status::pass;; status = static_cast<Status>(static_cast<int>(status) + 1)) {
    if (name == name_of(status) || status == Status::grader_error) return status;
  }
}

const char* name_of(LeftOut why) {
  static constexpr std::array kNames = {
      "", "not_built", "not_loaded", "given_up", "time_used_up", "machine_busy", "interrupted"};
  return kNames[static_cast<size_t>(why)];
}

bool has_failed(Status status) {
  return status == Status::wrong || status == Status::crashed || was_cut_off(status);
}

bool was_cut_off(Status status) {
  return status == Status::timed_out || status == Status::limit;
}

bool is_judged(Status status) {
  return status != Status::pending && status != Status::grader_error;
}

double Result::points() const {
  return sum(stages, [](const StageResult& s) { return s.points; });
}
double Result::max_points() const {
  return sum(stages, [](const StageResult& s) { return s.max_points; });
}
double Result::pending_points() const {
  return sum(stages, [](const StageResult& s) { return s.pending_points; });
}

int Result::exit_code() const {
  bool short_of = !error.empty() || interrupted || stages.empty();
  for (const StageResult& stage : stages) {
    if (stage.status == Status::grader_error) return 3;
    short_of = short_of || stage.status != Status::pass;
  }
  return short_of ? 1 : 0;
}

std::string to_json(const Result& result) {
  ordered_json out = {
      {"schema", "convkit-result-1"},
      {"kit_version", result.kit_version},
      {"started", result.started},
      {"device", result.device},
      {"sandbox", result.sandbox},
      {"submission", {{"name", result.submission_name}, {"sha256", result.submission_sha256}}},
      {"nonce", result.nonce},
      {"depends", result.depends},
      {"fingerprints", result.fingerprints},
      {"choices", result.choices},
      {"points", to_two_decimals(result.points())},
      {"max_points", to_two_decimals(result.max_points())},
      {"pending_points", to_two_decimals(result.pending_points())},
      {"interrupted", result.interrupted},
      {"notes", result.notes}};
  if (!result.error.empty()) out["error"] = result.error;
  out["stages"] = ordered_json::array();
  for (const StageResult& stage : result.stages) out["stages"].push_back(stage_json(stage));
  return json_text(out);
}

bool built_nothing(const StageResult& stage) {
  return stage.status == Status::build_failed &&
         std::ranges::all_of(stage.cases,
                             [](const CaseResult& c) { return c.status == Status::skipped; });
}

Status combine(const StageResult& stage) {
  const bool begun = std::ranges::any_of(
      stage.cases, [](const CaseResult& c) { return c.status == Status::pass; });
  static constexpr std::array kGravestFirst = {
      Status::grader_error, Status::policy,  Status::build_failed, Status::limit,
      Status::timed_out,    Status::crashed, Status::wrong,        Status::not_started,
      Status::pending,      Status::skipped, Status::slow};
  for (Status status : kGravestFirst) {
    const auto has_it = [&](const auto& part) { return part.status == status; };
    if (std::any_of(stage.cases.begin(), stage.cases.end(), has_it)) {
      return status == Status::not_started && begun ? Status::unfinished : status;
    }
    // Speed that was not measured in this run does not make a stage any less than right.
    if (status == Status::pending || status == Status::skipped) continue;
    if (std::any_of(stage.speed.begin(), stage.speed.end(), has_it)) return status;
  }
  return Status::pass;
}

}  // namespace convkit
