// SPDX-License-Identifier: MIT
#include "stage/cases.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "convkit/kit_error.h"
#include "convkit/sha256.h"

namespace convkit {
namespace {

using nlohmann::json;

json read_json(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) {
    throw KitError(
        fmt::format("{} cannot be read. Staff: ./convkit refgen makes it anew.", file.string()));
  }
  try {
    return json::parse(in);
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
  const auto file = std::filesystem::path(in.at("file").get<std::string>());
  if (file.has_parent_path()) throw KitError("`file` must be a plain file name.");
  spec.file = directory / file;
  spec.sha256 = in.at("sha256").get<std::string>();
  for (const auto& [key, value] : in.at("params").items()) {
    spec.params[key] = {value.get<double>(), value.is_number_integer()};
  }
  spec.inputs = in.at("inputs").get<std::vector<std::string>>();
  for (const json& output : in.at("outputs")) {
    spec.outputs.push_back(
        {output.at("name").get<std::string>(), output.at("terms").get<double>()});
  }
  return spec;
}

void check_tensors(const CaseSpec& spec, const std::map<std::string, NpyArray>& tensors) {
  const auto need = [&](const std::string& name) -> const NpyArray& {
    const auto found = tensors.find(name);
    if (found == tensors.end()) {
      throw KitError(fmt::format("{} holds no `{}`.", spec.file.string(), name));
    }
    return found->second;
  };
  for (const std::string& input : spec.inputs) need("in." + input);
  for (const OutputSpec& output : spec.outputs) {
    const NpyArray& expected = need("out." + output.name);
    if (expected.dtype == DType::int32) continue;
    if (expected.dtype != DType::float64) {
      throw KitError(
          fmt::format("{}: `out.{}` must be float64 or int32.", spec.file.string(), output.name));
    }
    if (output.terms == 0) continue;
    const NpyArray& magnitude = need("mag." + output.name);
    if (magnitude.dtype != DType::float64 || magnitude.dims != expected.dims) {
      throw KitError(fmt::format("{}: `mag.{}` does not have the type and shape of `out.{}`.",
                                 spec.file.string(), output.name, output.name));
    }
  }
}

}  // namespace

CaseSet load_case_set(const std::filesystem::path& directory, const Stage& stage) {
  const auto file = directory / "manifest.json";
  const json manifest = read_json(file);
  CaseSet set;
  std::vector<CaseSpec>& cases = set.cases;
  std::string at = "its head";
  try {
    if (manifest.at("schema") != "convkit-manifest-1") throw KitError("unknown schema.");
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
        throw KitError(fmt::format("its group `{}` is not in stage.toml.", group));
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
  if (!std::filesystem::exists(spec.file, error)) {
    throw KitError(
        fmt::format("{} is missing although manifest.json lists it.", spec.file.string()));
  }
  if (sha256_file(spec.file) != spec.sha256) {
    throw KitError(fmt::format("{} does not match manifest.json (sha256).", spec.file.string()));
  }
  try {
    auto tensors = read_npz(spec.file);
    check_tensors(spec, tensors);
    return tensors;
  } catch (const FormatError& format) {
    throw KitError(format.what());
  }
}

}  // namespace convkit
