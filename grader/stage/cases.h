// SPDX-License-Identifier: MIT
// The cases of a stage: manifest.json, and cases.npz beside it with the tensors of all of them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "convkit/npz.h"
#include "stage/stage.h"

namespace convkit {

// A tensor as the manifest lists it.
struct ListedTensor {
  std::string dtype;
  std::vector<int64_t> dims;
  std::string sha256;  // of its elements
};

struct OutputSpec {
  std::string name;
  double terms = 0;
};

// What every case has, even one without a file.
struct CaseHead {
  std::string name, op, task, group;
  std::string summary;  // the one sentence that is public even of a hidden case
  bool hidden = false;
};

struct CaseSpec : CaseHead {
  std::filesystem::path archive;                // cases.npz
  std::map<std::string, ListedTensor> tensors;  // "in.x", "out.y", "mag.y"
  Params params;
  std::vector<std::string> inputs;
  std::vector<OutputSpec> outputs;
  std::string sha256;  // of its entry in the manifest, which covers its tensors
};

struct CaseSet {
  std::vector<CaseSpec> cases;
  std::string seed;             // the manifest's mark of the secret behind a hidden set, or ""
  std::string manifest_sha256;  // which covers all tensors, as the manifest has their sha256
};

// Reads <directory>/manifest.json. Throws KitError naming the file (and the case) where it is
// missing, damaged or of another stage.
CaseSet load_case_set(const std::filesystem::path& directory, const Stage& stage);

// Only the cases of it.
std::vector<CaseSpec> load_cases(const std::filesystem::path& directory, const Stage& stage);

// The tensors of a case, each compared with what the manifest lists. Only the archive's directory
// and the members of this case are read. Throws KitError.
std::map<std::string, NpyArray> load_tensors(const CaseSpec& spec);

}  // namespace convkit
