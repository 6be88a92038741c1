// SPDX-License-Identifier: MIT
#include "grade/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <system_error>

#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "json_text.h"

namespace convkit {
namespace {

using nlohmann::ordered_json;

constexpr const char* kSchema = "convkit-journal-7";

bool is_named(int fd, const std::filesystem::path& file) {
  struct stat open {
  }, named{};
  return ::fstat(fd, &open) == 0 && ::stat(file.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

ordered_json to_json(const Weight& weight) {
  return {weight.values,  weight.missing,  weight.open,        weight.elements,
          weight.outputs, weight.accesses, weight.unexplained, weight.contradicted};
}

Weight weight_of(const ordered_json& in) {
  return {in.at(0), in.at(1), in.at(2), in.at(3), in.at(4), in.at(5), in.at(6), in.at(7)};
}

// What the cases of a function say together is found again by a grading that goes on.
ordered_json to_json(const Symptoms& symptoms) {
  ordered_json guesses = ordered_json::array();
  for (const Guess& guess : symptoms.guesses) {
    guesses.push_back({guess.id, guess.sentence, guess.hint, int(guess.basis), guess.needs_support,
                       guess.of_two, guess.function, guess.cause, int(guess.kind),
                       to_json(guess.weight)});
  }
  return {{"facts", symptoms.facts},   {"complete", symptoms.complete},
          {"hint", symptoms.hint},     {"map", symptoms.map},
          {"layers", symptoms.layers}, {"guesses", std::move(guesses)}};
}

Symptoms symptoms_of(const ordered_json& in) {
  Symptoms symptoms{in.at("facts"), in.at("hint"), in.at("map"), {}, in.at("complete")};
  in.at("layers").get_to(symptoms.layers);
  for (const ordered_json& guess : in.at("guesses")) {
    symptoms.guesses.push_back({guess.at(0), guess.at(1), guess.at(2),
                                Guess::Basis(guess.at(3).get<int>()), guess.at(4), guess.at(5),
                                guess.at(6), guess.at(7), Guess::Kind(guess.at(8).get<int>()),
                                weight_of(guess.at(9))});
  }
  return symptoms;
}

// visit(name, member) for every member of a result.
template <class R, class Visit>
void members_of(R& r, Visit visit) requires std::is_same_v<std::remove_const_t<R>, CaseResult> {
  visit("name", r.name), visit("group", r.group), visit("task", r.task), visit("op", r.op);
  visit("message", r.message), visit("hint", r.hint), visit("map", r.map);
  visit("mistake", r.mistake), visit("printed", r.printed), visit("sizes", r.sizes),
      visit("warnings", r.warnings);
  visit("hidden", r.hidden), visit("left_out", r.left_out);
}

template <class R, class Visit>
void members_of(R& r, Visit visit) requires std::is_same_v<std::remove_const_t<R>, SpeedResult> {
  visit("name", r.name), visit("title", r.title), visit("message", r.message);
  visit("points", r.points), visit("max_points", r.max_points);
  visit("pending_points", r.pending_points), visit("pairs", r.pairs), visit("ratio", r.ratio);
  visit("ratio_low", r.ratio_low), visit("ratio_high", r.ratio_high);
  visit("submission_ms", r.submission_ms), visit("baseline_ms", r.baseline_ms);
  visit("gflops", r.gflops);
}

template <class R>
ordered_json to_line(const R& result) {
  ordered_json out = {{"status", name_of(result.status)}};
  members_of(result, [&](const char* name, const auto& member) { out[name] = member; });
  return out;
}

template <class R>
R from_line(const ordered_json& in) {
  R result;
  result.status = status_named(in.at("status").get<std::string>());
  members_of(result, [&](const char* name, auto& member) { in.at(name).get_to(member); });
  return result;
}

}  // namespace

Journal::~Journal() {
  if (fd_ < 0) return;
  struct stat status {};
  // Made for the lock only.
  if (::fstat(fd_, &status) == 0 && status.st_size == 0 && is_named(fd_, file_)) {
    ::unlink(file_.c_str());
  }
  ::close(fd_);
}

void Journal::lock() {
  while (!file_.empty() && fd_ < 0) {
    const int fd = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0666);
    if (fd < 0) {
      throw UsageError(fmt::format("{} cannot be written: {}.", file_.string(),
                                   std::generic_category().message(errno)));
    }
    // Some file systems have no locks.
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(fd);
      throw UsageError(fmt::format("{} is in use by another grading.", file_.string()));
    }
    if (is_named(fd, file_)) {
      fd_ = fd;
    } else {  // the other grading has ended meanwhile, and removed it
      ::close(fd);
    }
  }
}

StageJournal& Journal::of(const std::string& stage) {
  return stages_.try_emplace(stage, *this, stage).first->second;
}

std::optional<JournalHead> Journal::read() {
  const std::string text = file_.empty() ? std::string() : file_text(file_);
  std::optional<JournalHead> head;
  for (size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string line = text.substr(at, end - at);
    try {  // after a power cut a line may hold anything
      if (!head) {
        const ordered_json in = parse_json(line);
        if (in.at("schema") != kSchema) return std::nullopt;
        head = JournalHead{in.at("grading"), in.at("nonce"), in.at("started")};
      } else {
        take(line);
      }
    } catch (const nlohmann::json::exception&) {
      break;
    }
    known_bytes_ = static_cast<long>(end + 1);
  }
  for (auto& [name, stage] : stages_) {
    std::array<bool, 2> seen{};
    for (auto it = stage.cases_.rbegin(); it != stage.cases_.rend();) {
      bool& side = seen[it->second.result.hidden ? 1 : 0];
      const bool open = !it->second.final && !side;
      side = side || open;
      it = open ? decltype(it)(stage.cases_.erase(std::next(it).base())) : std::next(it);
    }
  }
  return head;
}

void Journal::take(const std::string& line) {
  const ordered_json in = parse_json(line);
  StageJournal& stage = of(in.at("stage"));
  if (in.contains("speed")) {
    const auto speed = from_line<SpeedResult>(in.at("speed"));
    stage.speed_[speed.name] = speed;
    return;
  }
  if (in.contains("kept")) {
    in.at("kept").get_to(stage.kept_.functions);
    for (const ordered_json& one : in.at("cases")) {
      stage.kept_.cases.push_back(from_line<CaseResult>(one));
    }
    for (const ordered_json& one : in.at("timings")) {
      stage.kept_.speed.push_back(from_line<SpeedResult>(one));
    }
    return;
  }
  CaseRecord record{from_line<CaseResult>(in.at("case")),
                    in.at("final"),
                    in.at("notes"),
                    in.at("run_s"),
                    in.at("charged_s"),
                    {},
                    {}};
  record.result.symptoms = symptoms_of(in.at("symptoms"));
  record.memory = {in.at("cannot_load"), in.at("given_up"), in.at("slow_crashes")};
  record.checked = {in.at("at_fault"), in.at("check_notes")};
  stage.cases_[in.at("index").get<size_t>()] = std::move(record);
}

void Journal::open(const JournalHead& head) {
  if (file_.empty()) return;
  lock();
  const bool goes_on = known_bytes_ > 0;
  if (::ftruncate(fd_, known_bytes_) != 0) {
    throw KitError(fmt::format("{} cannot be written: {}.", file_.string(),
                               std::generic_category().message(errno)));
  }
  if (goes_on) return;
  append(json_line({{"schema", kSchema},
                    {"grading", head.grading},
                    {"nonce", head.nonce},
                    {"started", head.started}}));
  const std::string folder = file_.has_parent_path() ? file_.parent_path().string() : ".";
  const int parent = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (parent < 0) return;
  ::fsync(parent);  // the name of the file, too
  ::close(parent);
}

void Journal::append(const std::string& line) {
  if (fd_ < 0) return;
  const std::lock_guard lock(mutex_);
  const std::string text = line + "\n";
  for (size_t done = 0; done < text.size();) {
    const ssize_t wrote = ::write(fd_, text.data() + done, text.size() - done);
    if (wrote < 0 && errno != EINTR) {
      throw KitError(fmt::format("{} cannot be written: {}.", file_.string(),
                                 std::generic_category().message(errno)));
    }
    if (wrote > 0) done += static_cast<size_t>(wrote);
  }
  ::fdatasync(fd_);
}

void Journal::remove() {
  std::error_code ignored;
  if (!file_.empty()) std::filesystem::remove(file_, ignored);
}

const CaseRecord* StageJournal::known(size_t index) const {
  const auto found = cases_.find(index);
  return found == cases_.end() ? nullptr : &found->second;
}

const SpeedResult* StageJournal::known_speed(const std::string& name) const {
  const auto found = speed_.find(name);
  return found == speed_.end() ? nullptr : &found->second;
}

void StageJournal::add(size_t index, const CaseRecord& record) {
  const ordered_json line = {{"stage", stage_},
                             {"index", index},
                             {"case", to_line(record.result)},
                             {"symptoms", to_json(record.result.symptoms)},
                             {"final", record.final},
                             {"notes", record.notes},
                             {"run_s", record.run_s},
                             {"charged_s", record.charged_s},
                             {"cannot_load", record.memory.cannot_load},
                             {"given_up", record.memory.given_up},
                             {"slow_crashes", record.memory.slow_crashes},
                             {"at_fault", record.checked.at_fault},
                             {"check_notes", record.checked.notes}};
  journal_.append(json_line(line));
}

void StageJournal::add(const KeptVerdicts& kept) {
  ordered_json line = {{"stage", stage_},
                       {"kept", kept.functions},
                       {"cases", ordered_json::array()},
                       {"timings", ordered_json::array()}};
  for (const CaseResult& one : kept.cases) line["cases"].push_back(to_line(one));
  for (const SpeedResult& one : kept.speed) line["timings"].push_back(to_line(one));
  journal_.append(json_line(line));
}

void StageJournal::add(const SpeedResult& result) {
  const ordered_json line = {{"stage", stage_}, {"speed", to_line(result)}};
  journal_.append(json_line(line));
}

}  // namespace convkit
