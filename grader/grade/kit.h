// SPDX-License-Identifier: MIT
// Where everything of this installation lies.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "build/builder.h"
#include "session/session.h"
#include "stage/stage.h"

namespace convkit {

struct Kit {
  std::filesystem::path root;      // the checkout: assignments/, solutions/, ...
  std::filesystem::path programs;  // runners and convkit-confine
  std::string version;
  std::vector<Stage> stages;

  // Finds the root from $CONVKIT_ROOT, else upwards from this executable, else from the working
  // directory. Throws KitError saying what is missing.
  static Kit find();

  std::filesystem::path confine() const { return programs / "convkit-confine"; }
  std::filesystem::path runner(const Stage& stage, bool sanitize = false) const;
  std::filesystem::path visible_cases(const Stage& stage) const;
  std::filesystem::path hidden_cases(const Stage& stage) const;  // need not exist
  // The hidden cases to grade with, or "" where the kit has none. Throws KitError where
  // $CONVKIT_HIDDEN names a folder without the stage: a typing error there must not be silent.
  std::filesystem::path wanted_hidden_cases(const Stage& stage) const;
  std::filesystem::path solution(const Stage& stage) const;
  std::filesystem::path starter(const Stage& stage) const;
  std::filesystem::path work(const Stage& stage) const;  // the student's own copy

  Builder builder() const;

  // The request that builds `folder` as a submission to `stage`: its sources at the top. Those in
  // folders below, such as `old/`, may be included and are not compiled.
  BuildRequest build_request(const Stage& stage, const std::filesystem::path& folder,
                             std::vector<std::string> files) const;
  // A session that loads `library`, confined and limited as stage.toml says.
  SessionOptions session_options(const Stage& stage, const std::filesystem::path& library) const;
};

// "conv2d.cpp", not "old/conv2d.cpp".
inline bool lies_at_top(const std::string& file) {
  return file.find('/') == std::string::npos;
}

// All regular files below a folder, relative, sorted.
std::vector<std::string> list_files(const std::filesystem::path& folder);

}  // namespace convkit
