// SPDX-License-Identifier: MIT
#include "grade/earlier_verdicts.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "grade/depends.h"
#include "json_text.h"

namespace convkit {
namespace {

using nlohmann::ordered_json;

CaseResult case_of(const ordered_json& in) {
  CaseResult c;
  in.at("name").get_to(c.name), in.at("group").get_to(c.group), in.at("task").get_to(c.task);
  in.at("op").get_to(c.op), in.at("message").get_to(c.message), in.at("hint").get_to(c.hint);
  in.at("hidden").get_to(c.hidden);
  c.status = status_named(in.at("status").get<std::string>());
  c.sizes = in.value("sizes", ""), c.mistake = in.value("mistake", "");
  c.map = in.value("map", ""), c.printed = in.value("printed", "");
  c.warnings = in.value("warnings", std::vector<std::string>());
  if (in.contains("left_out")) c.left_out = LeftOut::given_up;  // others are not kept
  return c;
}

SpeedResult speed_of(const ordered_json& in) {
  SpeedResult s;
  in.at("name").get_to(s.name), in.at("title").get_to(s.title);
  in.at("message").get_to(s.message);
  s.status = status_named(in.at("status").get<std::string>());
  in.at("points").get_to(s.points), in.at("max_points").get_to(s.max_points);
  in.at("pending_points").get_to(s.pending_points);
  in.at("pairs").get_to(s.pairs), in.at("ratio").at("median").get_to(s.ratio);
  in.at("ratio").at("lower_quartile").get_to(s.ratio_low);
  in.at("ratio").at("upper_quartile").get_to(s.ratio_high);
  in.at("submission_ms").get_to(s.submission_ms), in.at("baseline_ms").get_to(s.baseline_ms);
  in.at("gflops").get_to(s.gflops);
  return s;
}

// Its own verdict, or the one of its function: not that of the stage, or of the machine.
bool has_verdict(const ordered_json& one) {
  const std::string why = one.value("left_out", "");
  return is_judged(status_named(one.at("status").get<std::string>())) &&
         (why.empty() || why == name_of(LeftOut::given_up));
}

bool passes(const ordered_json& one) {
  return one.at("status") == name_of(Status::pass);
}

enum class Change { same, some_higher, some_lower };

Change compare_limits(const Stage& stage, const ordered_json& before) {
  Change result = Change::same;
  for (const auto& [name, limit] : limits_of_cases(stage)) {
    const std::string key = key_of_limit(stage, name);
    const uint64_t was = std::stoull(before.value(key, "18446744073709551615"));
    if (limit < was) return Change::some_lower;
    if (limit > was) result = Change::some_higher;
  }
  return result;
}

}  // namespace

struct EarlierResult::Document {
  ordered_json json;
  Nonce nonce;
};

EarlierResult::EarlierResult(const std::filesystem::path& file)
    : document_(std::make_unique<Document>()) {
  try {
    document_->json = parse_json(file_text(file));
    const ordered_json& in = document_->json;
    document_->nonce = {in.at("nonce"), in.at("submission").at("sha256")};
    if (in.at("fingerprints").is_object() && in.at("choices").is_object() &&
        in.at("stages").is_array() && !document_->nonce.digits.empty() &&
        !document_->nonce.sha256.empty()) {
      return;
    }
  } catch (const nlohmann::json::exception&) {
  }
  throw UsageError(fmt::format(
      "--keep-verdicts takes the result file of a grading, but {} is none.", file.string()));
}

EarlierResult::~EarlierResult() = default;

const Nonce& EarlierResult::nonce() const {
  return document_->nonce;
}

KeptVerdicts EarlierResult::kept(const Stage& stage, const Result& now) const try {
  const ordered_json& before = document_->json;
  const ordered_json& prints = before.at("fingerprints");
  const auto is_as_before = [&](const std::string& key) {
    const auto is = now.fingerprints.find(key);
    return is != now.fingerprints.end() && prints.value(key, "") == is->second;
  };
  if (before.at("submission").at("sha256") != now.submission_sha256 ||
      before.at("sandbox") != now.sandbox || before.at("choices") != ordered_json(now.choices) ||
      before.at("interrupted") != false || !is_as_before(key_of_all_functions(stage))) {
    return {};
  }
  const Change limits = compare_limits(stage, prints);
  const auto found = std::ranges::find_if(
      before.at("stages"), [&](const ordered_json& one) { return one.at("id") == stage.id; });
  if (limits == Change::some_lower || found == before.at("stages").end()) return {};

  std::map<std::string, bool> keeps;  // by function
  bool keeps_all = true;
  for (const ordered_json& one : found->at("cases")) {
    const std::string op = one.at("op");
    bool& keep = keeps.try_emplace(op, is_as_before(key_of_function(stage, op))).first->second;
    keep = keep && has_verdict(one) && (limits == Change::same || passes(one));
  }
  const auto is_training = [&](const std::string& op) {
    return std::ranges::find(stage.training, op, &TrainingTable::op) != stage.training.end();
  };
  for (const auto& [op, keep] : keeps) keeps_all = keeps_all && (keep || is_training(op));
  for (const ordered_json& one : found->at("cases")) {
    if (!keeps_all && is_training(one.at("op")) && !passes(one)) keeps[one.at("op")] = false;
  }

  KeptVerdicts kept;
  for (const auto& [op, keep] : keeps) {
    if (keep) kept.functions.insert(op);
  }
  for (const ordered_json& one : found->at("cases")) {
    if (keeps[one.at("op")]) kept.cases.push_back(case_of(one));
  }
  for (const ordered_json& one : found->at("speed")) {
    if (one.contains("pairs") && is_as_before(key_of_timing(stage, one.at("name")))) {
      kept.speed.push_back(speed_of(one));
    }
  }
  return kept;
} catch (const std::exception&) {  // of another version, or damaged: nothing is certain
  return {};
}

}  // namespace convkit
