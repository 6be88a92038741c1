// SPDX-License-Identifier: MIT
#include "stage/cases.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "convkit/sha256.h"
#include "json_text.h"

namespace convkit {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* kSchema = "convkit-manifest-2";

// The limit for all cases of a stage together. A hidden set may have thousands of large cases.
constexpr NpzLimits kArchiveLimits = {.total_bytes = uint64_t{1} << 40, .members = 1'000'000};

json read_json(const std::filesystem::path& file, unsigned stage) {
  if (!std::ifstream(file)) {
    throw KitError(
        fmt::format("{} cannot be read. Staff: ./convkit refgen --stage {} makes it again.",
                    file.string(), stage));
  }
  try {
    return parse_json(file_text(file));
  } catch (const json::exception& error) {
    throw KitError(fmt::format("{} is not valid JSON: {}", file.string(), error.what()));
  }
}

CaseSpec read_case(const json& in, const std::filesystem::path& directory) {
  CaseSpec spec;
  spec.name = in.at("name").get<std::string>();
  spec.op = in.at("op").get<std::string>();
  spec.task = in.at("task").get<std::string>();
  spec.group = in.at("group").get<std::string>();
  spec.summary = in.at("summary").get<std::string>();
  spec.hidden = !in.at("visible").get<bool>();
  spec.archive = directory / "cases.npz";
  for (const auto& [name, tensor] : in.at("tensors").items()) {
    spec.tensors[name] = {tensor.at("dtype").get<std::string>(),
                          tensor.at("shape").get<std::vector<int64_t>>(),
                          tensor.at("sha256").get<std::string>()};
  }
  for (const auto& [key, value] : in.at("params").items()) {
    spec.params[key] = {value.get<double>(), value.is_number_integer()};
  }
  spec.inputs = in.at("inputs").get<std::vector<std::string>>();
  for (const json& output : in.at("outputs")) {
    spec.outputs.push_back(
        {output.at("name").get<std::string>(), output.at("terms").get<double>()});
  }
  spec.sha256 = sha256_hex(json_line(in));
  return spec;
}

// The name of a case's tensor in the archive.
std::string member_of(const CaseSpec& spec, const std::string& tensor) {
  return spec.name + "/" + tensor;
}

void check_tensors(const CaseSpec& spec, const std::map<std::string, NpyArray>& tensors) {
  const auto need = [&](const std::string& name) -> const NpyArray& {
    const auto found = tensors.find(name);
    if (found == tensors.end()) {
      throw KitError(
          fmt::format("{} holds no `{}`.", spec.archive.string(), member_of(spec, name)));
    }
    return found->second;
  };
  for (const std::string& input : spec.inputs) need("in." + input);
  for (const OutputSpec& output : spec.outputs) {
    const NpyArray& expected = need("out." + output.name);
    if (expected.dtype == DType::int32) continue;
    if (expected.dtype != DType::float64) {
      throw KitError(fmt::format("{}: `{}` must be float64 or int32.", spec.archive.string(),
                                 member_of(spec, "out." + output.name)));
    }
    if (output.terms == 0) continue;
    const NpyArray& magnitude = need("mag." + output.name);
    if (magnitude.dtype != DType::float64 || magnitude.dims != expected.dims) {
      throw KitError(fmt::format("{}: `{}` does not have the type and shape of `out.{}`.",
                                 spec.archive.string(), member_of(spec, "mag." + output.name),
                                 output.name));
    }
  }
}

}  // namespace

CaseSet load_case_set(const std::filesystem::path& directory, const Stage& stage) {
  const auto file = directory / "manifest.json";
  const json manifest = read_json(file, stage.number);
  CaseSet set;
  std::vector<CaseSpec>& cases = set.cases;
  std::string at = "its head";
  try {
    if (manifest.at("schema") != kSchema) {
      throw KitError(
          fmt::format("its schema is not {}. Staff: ./convkit refgen --stage {} makes the cases "
                      "again, hidden ones with their --seed.",
                      kSchema, stage.number));
    }
    if (manifest.at("stage") != stage.id) {
      throw KitError(fmt::format("it belongs to stage {}, not {}.",
                                 manifest.at("stage").get<std::string>(), stage.id));
    }
    if (const auto seed = manifest.find("seed"); seed != manifest.end() && !seed->is_null()) {
      set.seed = seed->get<std::string>();
    }
    for (const json& entry : manifest.at("cases")) {
      at = fmt::format("case {}", entry.value("name", std::to_string(cases.size() + 1)));
      cases.push_back(read_case(entry, directory));
      const auto& groups = stage.groups;
      const std::string& group = cases.back().group;
      if (std::none_of(groups.begin(), groups.end(),
                       [&](const Group& g) { return g.name == group; })) {
        throw KitError(
            fmt::format("its group `{}` is not in stage.toml. After a change of cases.toml, staff "
                        "run ./convkit refgen --stage {}.",
                        group, stage.number));
      }
    }
  } catch (const std::exception& error) {
    throw KitError(fmt::format("{}, {}: {}", file.string(), at, error.what()));
  }
  if (cases.empty()) throw KitError(fmt::format("{} lists no case.", file.string()));
  set.manifest_sha256 = sha256_file(file);
  return set;
}

std::vector<CaseSpec> load_cases(const std::filesystem::path& directory, const Stage& stage) {
  return load_case_set(directory, stage).cases;
}

std::map<std::string, NpyArray> load_tensors(const CaseSpec& spec) {
  std::error_code error;
  if (!std::filesystem::exists(spec.archive, error)) {
    throw KitError(fmt::format("{} is missing although manifest.json lists case {}.",
                               spec.archive.string(), spec.name));
  }
  try {
    const NpzArchive archive(spec.archive, kArchiveLimits);
    std::map<std::string, NpyArray> tensors;
    for (const auto& [name, listed] : spec.tensors) {
      const std::string member = member_of(spec, name);
      if (!archive.contains(member)) continue;
      NpyArray tensor = archive.read(member);
      if (name_of(tensor.dtype) != listed.dtype || tensor.dims != listed.dims ||
          sha256_hex(tensor.bytes) != listed.sha256) {
        throw KitError(fmt::format("{}: `{}` does not match manifest.json (type, shape, sha256).",
                                   spec.archive.string(), member));
      }
      tensors.emplace(name, std::move(tensor));
    }
    check_tensors(spec, tensors);
    return tensors;
  } catch (const FormatError& format) {
    throw KitError(fmt::format("Case {}: {}", spec.name, format.what()));
  }
}

}  // namespace convkit
