// SPDX-License-Identifier: MIT
#include "profile/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "convkit/kit_error.h"
#include "json_text.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// Each field of a line with its name in JSON.
struct Field {
  const char* name;
  uint64_t ProfiledLine::*member;
};
constexpr Field kFields[] = {{"requests", &ProfiledLine::requests},
                             {"lanes", &ProfiledLine::lanes},
                             {"possible_lanes", &ProfiledLine::possible_lanes},
                             {"sectors", &ProfiledLine::sectors},
                             {"bytes_used", &ProfiledLine::bytes_used},
                             {"bytes_moved", &ProfiledLine::bytes_moved},
                             {"wavefronts", &ProfiledLine::wavefronts},
                             {"bank_conflicts", &ProfiledLine::bank_conflicts},
                             {"addresses", &ProfiledLine::addresses},
                             {"passes", &ProfiledLine::passes},
                             {"most_on_one_address", &ProfiledLine::most_on_one_address},
                             {"words", &ProfiledLine::words}};

struct OperationField {
  const char* name;
  uint64_t OperationCounts::*member;
};
constexpr OperationField kOperationFields[] = {
    {"float_fma", &OperationCounts::float_fma},   {"float_mul", &OperationCounts::float_mul},
    {"float_add", &OperationCounts::float_add},   {"double_fma", &OperationCounts::double_fma},
    {"double_mul", &OperationCounts::double_mul}, {"double_add", &OperationCounts::double_add},
    {"special", &OperationCounts::special}};
constexpr uint64_t kSectorBytes = 32;

// One name for each file: the compiler may have seen a copy elsewhere, and knows barriers by what
// __FILE__ was.
std::string found_in(const fs::path& sources, const std::string& file) {
  const fs::path path = file;
  if (path.empty() || sources.empty()) return file;
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path);
  const fs::path inside = real.lexically_relative(fs::canonical(sources));
  if (fs::exists(real, error) && !inside.empty() && *inside.begin() != "..") return real.string();
  const fs::path at_top = sources / path.filename();
  if (fs::exists(at_top, error)) return fs::canonical(at_top).string();
  for (const auto& entry : fs::recursive_directory_iterator(sources)) {
    if (entry.path().filename() == path.filename()) return fs::canonical(entry.path()).string();
  }
  return real.string();
}

ProfiledTrace trace_of(const ordered_json& json, const fs::path& sources) {
  ProfiledTrace trace{json.at("block"), json.at("warp"), json.at("lanes"), json.at("left_out"), {}};
  for (const ordered_json& from : json.at("steps")) {
    ProfiledStep& step = trace.steps.emplace_back();
    step.file = found_in(sources, from.at("file"));
    step.line = from.at("line");
    step.kind = from.at("kind");
    if (step.kind == "barrier") continue;
    step.place = from.at("place");
    step.dims = from.at("dims").get<std::vector<int64_t>>();
    step.bytes = from.at("bytes");
    step.cost = from.at("cost");
    for (const int64_t element : from.at("elements")) {
      step.elements.push_back(element < 0 ? std::nullopt : std::optional(element));
    }
  }
  return trace;
}

ordered_json json_of(const ProfiledTrace& trace) {
  ordered_json steps = ordered_json::array();
  for (const ProfiledStep& step : trace.steps) {
    ordered_json& out = steps.emplace_back(
        ordered_json{{"file", step.file}, {"line", step.line}, {"kind", step.kind}});
    if (step.kind == "barrier") continue;
    out["place"] = step.place;
    out["dims"] = step.dims;
    out["bytes"] = step.bytes;
    out["cost"] = step.cost;
    for (const auto& element : step.elements) out["elements"].push_back(element.value_or(-1));
  }
  return {{"block", trace.block},
          {"warp", trace.warp},
          {"lanes", trace.lanes},
          {"left_out", trace.left_out},
          {"steps", steps}};
}

void read_arithmetic(const ordered_json& json, const fs::path& sources, ProfiledKernel& kernel) {
  kernel.arithmetic_unknown =
      json.value("arithmetic_unknown", "the profile was saved by a version that did not count it.");
  kernel.different_sectors_loaded = json.value("different_sectors_loaded", uint64_t{0});
  kernel.different_sectors_stored = json.value("different_sectors_stored", uint64_t{0});
  if (!json.contains("arithmetic")) return;
  for (const ordered_json& from : json["arithmetic"]) {
    ProfiledArithmetic& line = kernel.arithmetic.emplace_back();
    line.file = found_in(sources, from.at("file"));
    line.line = from.at("line");
    for (const OperationField& field : kOperationFields) {
      line.counts.*field.member = from.value(field.name, uint64_t{0});
    }
  }
}

ordered_json json_of(const ProfiledArithmetic& line) {
  ordered_json out = {{"file", line.file}, {"line", line.line}};
  for (const OperationField& field : kOperationFields) {
    if (line.counts.*field.member != 0) out[field.name] = line.counts.*field.member;
  }
  return out;
}

ordered_json json_of(const Roofline& roofline) {
  return {{"card", roofline.card->option},
          {"flop", roofline.flop},
          {"l1_bytes", roofline.traffic.l1_bytes},
          {"least_bytes", roofline.traffic.least_bytes},
          {"peak_gflops", roofline.peak},
          {"ceiling_gflops", roofline.ceiling},
          {"attainable_gflops", roofline.attainable},
          {"memory_gb_s", roofline.card->memory_gb_s},
          {"bound", roofline.memory_bound ? "memory" : "compute"}};
}

ProfiledKernel kernel_of(const ordered_json& json, const fs::path& sources) {
  ProfiledKernel kernel;
  kernel.name = json.at("name");
  while (kernel.name.ends_with(' ')) kernel.name.pop_back();
  kernel.launches = json.at("launches");
  kernel.blocks = json.at("blocks");
  kernel.threads_per_block = json.at("threads_per_block");
  kernel.not_counted = json.at("not_counted");
  kernel.dynamic_shared_bytes = json.value("dynamic_shared_bytes", uint64_t{0});
  kernel.limiter = json.at("limiter");
  kernel.sentence = json.at("sentence");
  for (const ordered_json& from : json.at("lines")) {
    ProfiledLine& line = kernel.lines.emplace_back();
    line.file = found_in(sources, from.at("file"));
    line.line = from.at("line");
    line.kind = from.at("kind");
    for (const Field& field : kFields) line.*field.member = from.value(field.name, uint64_t{0});
  }
  read_arithmetic(json, sources, kernel);
  for (const ordered_json& from : json.at("barriers")) {
    kernel.barriers.push_back(
        {found_in(sources, from.at("file")), from.at("line"), from.at("times")});
  }
  if (json.contains("trace")) kernel.trace = trace_of(json["trace"], sources);
  return kernel;
}

ordered_json json_of(const ProfiledKernel& kernel) {
  ordered_json lines = ordered_json::array(), arithmetic = ordered_json::array(),
               barriers = ordered_json::array();
  for (const ProfiledLine& line : kernel.lines) {
    ordered_json& out = lines.emplace_back(
        ordered_json{{"file", line.file}, {"line", line.line}, {"kind", line.kind}});
    for (const Field& field : kFields) {
      if (line.*field.member != 0) out[field.name] = line.*field.member;
    }
  }
  for (const ProfiledArithmetic& line : kernel.arithmetic) arithmetic.push_back(json_of(line));
  for (const ProfiledBarrier& barrier : kernel.barriers) {
    barriers.push_back({{"file", barrier.file}, {"line", barrier.line}, {"times", barrier.times}});
  }
  ordered_json result = {{"name", kernel.name},
                         {"launches", kernel.launches},
                         {"blocks", kernel.blocks},
                         {"threads_per_block", kernel.threads_per_block},
                         {"not_counted", kernel.not_counted},
                         {"dynamic_shared_bytes", kernel.dynamic_shared_bytes},
                         {"limiter", kernel.limiter},
                         {"sentence", kernel.sentence},
                         {"lines", lines},
                         {"arithmetic", arithmetic},
                         {"arithmetic_unknown", kernel.arithmetic_unknown},
                         {"different_sectors_loaded", kernel.different_sectors_loaded},
                         {"different_sectors_stored", kernel.different_sectors_stored},
                         {"barriers", barriers}};
  if (kernel.trace) result["trace"] = json_of(*kernel.trace);
  if (const auto& known = kernel.occupancy) {
    result["occupancy"] = {{"card", known->card->option},
                           {"registers", known->needs.registers},
                           {"shared_bytes", known->needs.shared_bytes},
                           {"local_bytes", known->local_bytes},
                           {"spilled_bytes", known->spilled_bytes},
                           {"blocks", known->of_one.blocks},
                           {"warps", known->of_one.warps},
                           {"limited_by", known->of_one.limited_by}};
  }
  if (kernel.roofline) result["roofline"] = json_of(*kernel.roofline);
  return result;
}

}  // namespace

std::string case_line(const ProfiledCase& profile) {
  return fmt::format("{}, case {}  {}", profile.op, profile.name, profile.sizes);
}

ProfiledRun read_profile(const std::string& output, const fs::path& sources) {
  const size_t begin = output.rfind("{\n  \"format\": \"convkit-profile\"");
  if (begin == std::string::npos) {
    throw KitError("The profiler has written nothing: the run ended before it could.");
  }
  ProfiledRun run;
  run.printed = output.substr(0, begin);
  try {
    const ordered_json document = parse_json(output.substr(begin));
    for (const ordered_json& kernel : document.at("kernels")) {
      run.kernels.push_back(kernel_of(kernel, sources));
    }
  } catch (const nlohmann::json::exception&) {
    throw KitError("What the profiler has written cannot be read.");
  }
  return run;
}

ProfiledLine& ProfiledLine::operator+=(const ProfiledLine& other) {
  for (const Field& field : kFields) {
    if (field.member == &ProfiledLine::most_on_one_address) continue;
    this->*field.member += other.*field.member;
  }
  most_on_one_address = std::max(most_on_one_address, other.most_on_one_address);
  return *this;
}

OperationCounts operations_of(const ProfiledKernel& kernel) {
  OperationCounts sum;
  for (const ProfiledArithmetic& line : kernel.arithmetic) sum += line.counts;
  return sum;
}

Traffic traffic_of(const ProfiledKernel& kernel) {
  Traffic traffic;
  for (const ProfiledLine& line : kernel.lines) {
    const bool global = line.kind == "global_load" || line.kind == "global_store";
    if (global) traffic.l1_bytes += kSectorBytes * line.sectors;
  }
  traffic.least_bytes =
      kSectorBytes * (kernel.different_sectors_loaded + kernel.different_sectors_stored);
  return traffic;
}

ordered_json json_of(const std::string& stage, const std::vector<ProfiledCase>& profiles) {
  ordered_json cases = ordered_json::array();
  for (const ProfiledCase& profile : profiles) {
    ordered_json kernels = ordered_json::array();
    for (const ProfiledKernel& kernel : profile.kernels) kernels.push_back(json_of(kernel));
    cases.push_back({{"case", profile.name}, {"op", profile.op}, {"kernels", kernels}});
    if (!profile.problem.empty()) cases.back()["problem"] = profile.problem;
  }
  return {{"stage", stage}, {"cases", cases}};
}

std::vector<ProfiledCase> saved_profile(const fs::path& file, const std::string& stage) {
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw UsageError(file.string() + " cannot be read.");
  std::vector<ProfiledCase> cases;
  std::string of;
  try {
    const ordered_json document = parse_json(text);
    of = document.at("stage");
    for (const ordered_json& from : document.at("cases")) {
      ProfiledCase& profile =
          cases.emplace_back(from.at("op"), from.at("case"), "", from.value("problem", ""));
      for (const ordered_json& kernel : from.at("kernels")) {
        profile.kernels.push_back(kernel_of(kernel, {}));
      }
    }
  } catch (const nlohmann::json::exception&) {
    throw UsageError(file.string() + " was not written by `profile --json`.");
  }
  if (of != stage)
    throw UsageError(file.string() + " is a profile of " + of + ", not of " + stage + ".");
  return cases;
}

}  // namespace convkit
