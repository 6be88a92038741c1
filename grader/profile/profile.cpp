// SPDX-License-Identifier: MIT
#include "profile/profile.h"

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
                             {"most_on_one_address", &ProfiledLine::most_on_one_address}};

std::string found_in(const fs::path& sources, const std::string& file) {
  const fs::path path = file;
  std::error_code error;
  if (path.empty() || sources.empty() || (path.is_absolute() && fs::exists(path, error))) {
    return file;
  }
  const fs::path at_top = sources / path.filename();
  if (fs::exists(at_top, error)) return at_top.string();
  for (const auto& entry : fs::recursive_directory_iterator(sources)) {
    if (entry.path().filename() == path.filename()) return entry.path().string();
  }
  return file;
}

ProfiledKernel kernel_of(const ordered_json& json, const fs::path& sources) {
  ProfiledKernel kernel;
  kernel.name = json.at("name");
  while (kernel.name.ends_with(' ')) kernel.name.pop_back();
  kernel.launches = json.at("launches");
  kernel.blocks = json.at("blocks");
  kernel.threads_per_block = json.at("threads_per_block");
  kernel.not_counted = json.at("not_counted");
  kernel.limiter = json.at("limiter");
  kernel.sentence = json.at("sentence");
  for (const ordered_json& from : json.at("lines")) {
    ProfiledLine& line = kernel.lines.emplace_back();
    line.file = found_in(sources, from.at("file"));
    line.line = from.at("line");
    line.kind = from.at("kind");
    for (const Field& field : kFields) line.*field.member = from.value(field.name, uint64_t{0});
  }
  for (const ordered_json& from : json.at("barriers")) {
    kernel.barriers.push_back(
        {found_in(sources, from.at("file")), from.at("line"), from.at("times")});
  }
  return kernel;
}

}  // namespace

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

ordered_json json_of(const ProfiledKernel& kernel) {
  ordered_json lines = ordered_json::array(), barriers = ordered_json::array();
  for (const ProfiledLine& line : kernel.lines) {
    ordered_json& out = lines.emplace_back(
        ordered_json{{"file", line.file}, {"line", line.line}, {"kind", line.kind}});
    for (const Field& field : kFields) {
      if (line.*field.member != 0) out[field.name] = line.*field.member;
    }
  }
  for (const ProfiledBarrier& barrier : kernel.barriers) {
    barriers.push_back({{"file", barrier.file}, {"line", barrier.line}, {"times", barrier.times}});
  }
  return {{"name", kernel.name},
          {"launches", kernel.launches},
          {"blocks", kernel.blocks},
          {"threads_per_block", kernel.threads_per_block},
          {"not_counted", kernel.not_counted},
          {"limiter", kernel.limiter},
          {"sentence", kernel.sentence},
          {"lines", lines},
          {"barriers", barriers}};
}

}  // namespace convkit
